package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
