package main_test

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// converted converts traces into a dataset, and returns its folder.
func converted(t testing.TB, traces ...string) string {
	t.Helper()
	loaded(t)
	out := t.TempDir()
	if err := run("", must(t, program), append(append([]string{"convert", "-o", out}, traces...), "--progress", "none")...); err != nil {
		t.Fatal(err)
	}
	return out
}

// tablesOf returns the tables of a dataset.
func tablesOf(t testing.TB, out string) (tables []string) {
	t.Helper()
	for file := range testenv.Files(t, out) {
		if table := path.Dir(file); path.Ext(file) == ".parquet" && !slices.Contains(tables, table) {
			tables = append(tables, table)
		}
	}
	slices.Sort(tables)
	return tables
}

// sameRows returns a statement that counts the rows that only one of two tables has, and the rows
// of each, which the extension may know without reading them.
func sameRows(a, b string) string {
	return fmt.Sprintf("SELECT (SELECT count(*) FROM (FROM %[1]s EXCEPT ALL FROM %[2]s)), (SELECT count(*) FROM (FROM %[2]s EXCEPT ALL FROM %[1]s)), (SELECT count(*) FROM %[1]s), (SELECT count(*) FROM %[2]s)", a, b)
}

// stored returns a table of a trace as a dataset has it: without the columns that views compute,
// whose values TestViews compares.
func stored(rows string) string {
	return fmt.Sprintf("(SELECT COLUMNS(lambda c: c NOT IN ('%s', '%s')) FROM %s)", schema.ClockColumn, schema.SecondsColumn, rows)
}

// TestRows compares every table of three traces with the dataset that the program makes of
// them: a kernel session with stacks, one of manifest-based providers, one of TraceLogging.
func TestRows(t *testing.T) {
	for _, name := range []string{"net.4.5.2.x86.etl", "KernelNetwork.etl", "ebpforwindows.etl"} {
		t.Run(name, func(t *testing.T) {
			trace := testenv.Shared(t, "traces/"+name)
			out := converted(t, trace)
			tables := tablesOf(t, out)
			var statements []string
			for _, table := range tables {
				rows := stored(fmt.Sprintf("read_etl(%s, name := %s)", quoted(trace), quoted(table)))
				file := quoted(filepath.Join(out, filepath.FromSlash(table), "*.parquet"))
				statements = append(statements, sameRows(rows, file), "DESCRIBE FROM "+rows, "DESCRIBE FROM "+file)
			}
			eachVersion(t, func(t *testing.T, version string) {
				answers, rows := session(t, version, sql(statements...)...), 0
				for i, table := range tables {
					differences, ours, theirs := answers[3*i], answers[3*i+1], answers[3*i+2]
					if differences.Error != "" || differences.Rows[0][0] != "0" || differences.Rows[0][1] != "0" || differences.Rows[0][2] != differences.Rows[0][3] {
						t.Errorf("%s: rows only in the trace, only in the dataset, in each: %v %s", table, differences.Rows, differences.Error)
						continue
					}
					if diff := cmp.Diff(theirs.Rows, ours.Rows); diff != "" {
						t.Errorf("%s: the types differ: %s", table, diff)
					}
					n, err := strconv.Atoi(differences.Rows[0][2])
					if err != nil {
						t.Error(err)
					}
					rows += n
				}
				t.Logf("%d tables, %d rows", len(tables), rows)
			})
		})
	}
}

// TestSpellings names one table by each of its names, and a table that the catalogue knows and the
// trace lacks. A name of several tables is an error.
func TestSpellings(t *testing.T) {
	trace := quoted(testenv.Shared(t, "traces/net.4.5.2.x86.etl"))
	var steps []step
	for _, name := range []string{
		"events/Microsoft-Windows-DotNETRuntime/GC_Start", "Microsoft-Windows-DotNETRuntime/GC/Start", "GC/Start", "GC_Start", "gc/start",
		"Microsoft-Windows-DotNETRuntime/1", "microsoft_windows_dotnetruntime_gc_start", "microsoft_windows_dotnetruntime_1",
		"microsoft_windows_powershell_4104", "1",
	} {
		steps = append(steps, step{SQL: "SELECT count(*), min(event_id), max(event_id), max(provider_name) FROM read_etl(" + trace + ", name := " + quoted(name) + ")"})
	}
	steps = append(steps, step{SQL: "SELECT script_block_text FROM read_etl(" + trace + ", name := 'microsoft_windows_powershell_4104')"})
	eachVersion(t, func(t *testing.T, version string) {
		answers := session(t, version, steps...)
		for i, a := range answers {
			want, message := [][]string{{"160", "1", "1", "Microsoft-Windows-DotNETRuntime"}}, ""
			switch i {
			case 8:
				want = [][]string{{"0", "None", "None", "None"}}
			case 9:
				want, message = nil, `"1" means several: events/Microsoft-Windows-DotNETRuntime/GC_Start, `
			case 10:
				want = [][]string{}
			}
			if diff := cmp.Diff(want, a.Rows); diff != "" || !strings.Contains(a.Error, message) {
				t.Errorf("%s: %s%s", steps[i].SQL, a.Error, diff)
			}
		}
	})
}

// TestFiles reads several traces at once: a pattern, a list and a folder are a table with the
// rows of all, and columns that one lacks are NULL in its rows.
func TestFiles(t *testing.T) {
	folder := filepath.Dir(testenv.Shared(t, "traces/gcevents.etl"))
	one, other := filepath.Join(folder, "CldFlt0.etl"), filepath.Join(folder, "CldFlt1.etl")
	out := converted(t, one, other)
	pattern, list := quoted(filepath.Join(folder, "CldFlt[01].etl")), "["+quoted(one)+", "+quoted(other)+"]"
	statements := []string{
		"SELECT trace, count(*) FROM " + pattern + " GROUP BY ALL ORDER BY 1",
		"SELECT trace, count(*) FROM read_etl(" + list + ") GROUP BY ALL ORDER BY 1",
		"SELECT count(DISTINCT trace) > 20 FROM read_etl(" + quoted(folder) + ")",
		"SELECT count(*) = 120 FROM read_etl([" + quoted(one) + ", '" + sample + "'], event := 'CSwitch')", // nothing in the first
	}
	tables := tablesOf(t, out)
	for _, table := range tables {
		file := fmt.Sprintf("read_parquet(%s, union_by_name := true)", quoted(filepath.Join(out, filepath.FromSlash(table), "*.parquet")))
		statements = append(statements, sameRows(stored("read_etl("+list+", name := "+quoted(table)+")"), file))
	}
	eachVersion(t, func(t *testing.T, version string) {
		answers := session(t, version, sql(statements...)...)
		want := [][]string{{"CldFlt0", "17"}, {"CldFlt1", "7"}}
		for i := range 2 {
			if diff := cmp.Diff(want, answers[i].Rows); diff != "" {
				t.Errorf("%s: %s%s", statements[i], answers[i].Error, diff)
			}
		}
		for i := 2; i < 4; i++ {
			if diff := cmp.Diff([][]string{{"True"}}, answers[i].Rows); diff != "" {
				t.Errorf("%s: %s%s", statements[i], answers[i].Error, diff)
			}
		}
		for i, table := range tables {
			if a := answers[4+i]; a.Error != "" || a.Rows[0][0] != "0" || a.Rows[0][1] != "0" {
				t.Errorf("%s: %v %s", table, a.Rows, a.Error)
			}
		}
	})
}

// TestViews compares the macros of the database etl with the views of a dataset, which need
// DuckDB 2.0; with 1.4 they have as many rows.
func TestViews(t *testing.T) {
	trace := testenv.Shared(t, "traces/net.4.5.2.x86.etl")
	out := converted(t, trace)
	text := testenv.ReadFile(t, filepath.Join(out, "views.sql"))
	names := []string{"processes", "perfinfo_sampleprof"}
	for _, v := range views.BuiltIn().All() {
		if v.Name != schema.EventsName && v.Name != "event_fields" { // which are compared below
			names = append(names, v.Name)
		}
	}
	setup := sql("SET VARIABLE dataset = "+quoted(out), string(text))
	var compare, count []string
	// The order of the members of fields means nothing.
	const sorted = "REPLACE (list_sort([k || '=' || coalesce(fields ->> ('$.\"' || k || '\"'), '') FOR k IN json_keys(fields)]) AS fields)"
	for _, view := range names {
		rows := "etl." + view + "(" + quoted(trace) + ")"
		compare = append(compare, sameRows(rows, view))
		count = append(count, "SELECT count(*) FROM "+rows)
	}
	names = append(names, "search")
	found := "etl.search(" + quoted(trace) + ", 'system32')"
	compare, count = append(compare, sameRows(found, "search('system32')")), append(count, "SELECT count(*) FROM "+found)
	answers := session(t, versions[0], append(setup, sql(compare...)...)...)[len(setup):]
	var counts []answer
	if testenv.Running(t) >= testenv.TierAll {
		counts = session(t, versions[1], sql(count...)...)
	}
	events := session(t, versions[0], append(setup, sql(sameRows("(SELECT * "+sorted+" FROM etl.events("+quoted(trace)+"))", "(SELECT * "+sorted+" FROM event_fields)"))...)...)[len(setup):]
	if a := events[0]; a.Error != "" || a.Rows[0][0] != "0" || a.Rows[0][1] != "0" || a.Rows[0][2] != a.Rows[0][3] {
		t.Errorf("events: rows only in the trace, only in the view, in each: %v %s", a.Rows, a.Error)
	}
	total := 0
	for i, view := range names {
		if a := answers[i]; a.Error != "" || a.Rows[0][0] != "0" || a.Rows[0][1] != "0" {
			t.Errorf("%s: %v %s", view, a.Rows, a.Error)
			continue
		}
		rows := answers[i].Rows[0][2]
		if counts != nil {
			if c := counts[i]; c.Error != "" || c.Rows[0][0] != rows {
				t.Errorf("%s has %s rows, with DuckDB %s: %v %s", view, rows, versions[1], c.Rows, c.Error)
			}
		}
		n, err := strconv.Atoi(rows)
		if err != nil {
			t.Error(err)
		}
		total += n
	}
	t.Logf("%d rows", total)
}
