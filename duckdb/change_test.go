package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestChanges changes files between queries: a trace and a manifest are read again, and a query that
// was prepared before, whose columns may have changed, is refused unless DuckDB prepares it again.
func TestChanges(t *testing.T) {
	loaded(t)
	eachVersion(t, func(t *testing.T, version string) {
		folder := t.TempDir()
		trace, manifest := filepath.Join(folder, "x.etl"), filepath.Join(folder, "x.man")
		copyFile(t, sample, trace)
		copyFile(t, "../internal/engine/catalog/known.man", manifest)
		described := "SELECT count(*) FROM read_etl(" + quoted(trace) + ", manifest := " + quoted(manifest) + ")"
		steps := []step{
			{SQL: "SELECT count(*) FROM " + quoted(trace)},
			{SQL: "PREPARE p AS SELECT max(event_name) FROM " + quoted(trace)},
			{SQL: described},
			{Do: "change", Path: manifest, Mode: "wb"},
			{SQL: described},
			{Do: "change", Path: trace, Mode: "ab"},
			{SQL: "EXECUTE p"},
			{SQL: "SELECT count(*) FROM " + quoted(trace)},
		}
		answers := session(t, version, steps...)
		if refused := &answers[4]; !strings.Contains(refused.Error, "x.man") {
			t.Errorf("another manifest: %v, error %q", refused.Rows, refused.Error)
		}
		answers[4].Error = ""
		const changed = "x.etl: it has changed since the query was prepared"
		if prepared := &answers[6]; strings.Contains(prepared.Error, changed) {
			prepared.Error = ""
		}
		for i := range answers {
			if answers[i].Error != "" {
				t.Errorf("%s: %s", steps[i].SQL, answers[i].Error)
			}
		}
	})
}

// TestBeside reads the files beside a trace that describe its events, as the program does, and reads
// them again after they have changed. One that cannot be used is a row of etl_problems, and none is
// read if the settings do not allow it.
func TestBeside(t *testing.T) {
	loaded(t)
	eachVersion(t, func(t *testing.T, version string) {
		folder := t.TempDir()
		trace, classes := filepath.Join(folder, "x.etl"), filepath.Join(folder, "x.mof")
		copyFile(t, sample, trace)
		copyFile(t, "../testdata/sample.mof", classes)
		copyFile(t, "../testdata/sample.tmf", filepath.Join(folder, "x.tmf"))
		out := converted(t, trace)
		var steps []step
		for _, table := range tablesOf(t, out) {
			file := quoted(filepath.Join(out, filepath.FromSlash(table), "*.parquet"))
			steps = append(steps, step{SQL: sameRows(stored("read_etl("+quoted(trace)+", name := "+quoted(table)+")"), file)})
		}
		same := len(steps)
		const problems = "SELECT code, message LIKE '%x.mof%' FROM etl_problems($) WHERE code = 'description_unusable'"
		ofTrace := func(statement string) string { return strings.ReplaceAll(statement, "$", quoted(trace)) }
		steps = append(steps,
			step{SQL: ofTrace("SELECT count(*) FROM read_etl($, name := 'SampleRequest/Start')")},
			step{SQL: ofTrace(problems)},
			step{Do: "change", Path: classes, Mode: "wb"},
			step{SQL: ofTrace("SELECT count(*) FROM read_etl($, name := 'SampleRequest/Start')")},
			step{SQL: ofTrace(problems)},
			step{SQL: ofTrace("SELECT bool_or(name LIKE 'events/sample/%') FROM etl_tables($)")},
			step{SQL: ofTrace("SET allowed_paths = [$]")},
			step{SQL: "SET enable_external_access = false"},
			step{SQL: ofTrace("SELECT bool_or(name LIKE 'events/sample/%') FROM etl_tables($)")},
		)
		answers := session(t, version, steps...)
		for i, a := range answers[:same] {
			if a.Error != "" || a.Rows[0][0] != "0" || a.Rows[0][1] != "0" {
				t.Errorf("%s: %v %s", steps[i].SQL, a.Rows, a.Error)
			}
		}
		allowed := "False"
		if version == "1.4.4" { // it does not tell extensions its settings
			allowed = "True"
		}
		for i, want := range [][][]string{{{"3"}}, {}, nil, nil, {{"description_unusable", "True"}}, {{"True"}}, {}, {}, {{allowed}}} {
			if diff := cmp.Diff(want, answers[same+i].Rows); diff != "" {
				t.Errorf("%s%s: %s%s", steps[same+i].SQL, steps[same+i].Do, answers[same+i].Error, diff)
			}
		}
		if a := answers[same+3]; !strings.Contains(a.Error, "there is no such table") {
			t.Errorf("a table of the class that was overwritten: %v, error %q", a.Rows, a.Error)
		}
	})
}

// TestOverwritten overwrites traces in place, with the same size and time: between queries, whose index
// is kept, and during one. The rows would not fit the index, so it is an error; the next query reads
// the trace anew.
func TestOverwritten(t *testing.T) {
	large := amplified(t, "KernelNetwork.etl", "60MB")
	eachVersion(t, func(t *testing.T, version string) {
		folder := t.TempDir()
		small, big := filepath.Join(folder, "x.etl"), filepath.Join(folder, "big.etl")
		copyFile(t, sample, small)
		copyFile(t, large, big)
		count := "SELECT count(*) FROM (SELECT DISTINCT process_name, fields FROM " + quoted(small) + ")"
		rows := "SELECT event_ref, provider_name FROM " + quoted(big)
		answers := session(t, version,
			step{SQL: count}, step{Do: "overwrite", Path: small}, step{SQL: count}, step{SQL: count},
			step{SQL: "SET threads = 1"}, step{Do: "during", Path: big, Statement: rows}, step{SQL: "SELECT count(*) FROM (" + rows + ")"})
		for i, want := range []string{"", "", "it changed while it was read", "", "", "it changed while it was read", ""} {
			if a := answers[i]; (a.Error == "") != (want == "") || !strings.Contains(a.Error, want) {
				t.Errorf("step %d: rows %v, error %q, want %q", i, a.Rows, a.Error, want)
			}
		}
	})
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	data := testenv.ReadFile(t, from)
	testenv.WriteFile(t, to, data)
}
