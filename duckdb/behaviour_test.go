package main_test

import (
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// Traces of the repository: that of its examples, and another.
const (
	sample = "../testdata/sample.etl"
	other  = "../testdata/sample-compressed.etl" // with the same events
)

// TestStatements runs statements of all kinds, and compares their rows, or a part of their
// errors.
func TestStatements(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.etl")
	testenv.WriteFile(t, broken, "this is no trace")
	tests := map[string]struct {
		sql   string
		rows  [][]string
		error string
	}{
		"replacement scan":      {sql: "SELECT trace, count(*) FROM '" + sample + "' GROUP BY ALL", rows: [][]string{{"sample", "449"}}},
		"limit":                 {sql: "SELECT count(*) FROM (FROM '" + sample + "' LIMIT 3)", rows: [][]string{{"3"}}},
		"order of time":         {sql: "SELECT count(*) FROM (SELECT time_ns < lag(time_ns) OVER () AS back FROM '" + sample + "') WHERE back", rows: [][]string{{"0"}}},
		"self join":             {sql: "SELECT count(*) FROM '" + sample + "' a JOIN '" + sample + "' b USING (event_ref)", rows: [][]string{{"449"}}},
		"no column":             {sql: "SELECT 1 FROM '" + sample + "' LIMIT 1", rows: [][]string{{"1"}}},
		"only the trace":        {sql: "SELECT max(trace) FROM read_etl('" + sample + "', process := 'explorer.exe')", rows: [][]string{{"sample"}}},
		"name of a view":        {sql: "SELECT count(*) FROM read_etl('" + sample + "', name := 'thread_cswitch')", rows: [][]string{{"120"}}},
		"to in seconds":         {sql: "SELECT count(*) FROM read_etl('" + sample + "', name := 'Thread/CSwitch', \"to\" := 0.5)", rows: [][]string{{"32"}}},
		"from a timestamp":      {sql: "SELECT count(*) FROM read_etl('" + sample + "', \"from\" := TIMESTAMP '2100-01-01')", error: "selects nothing: its events are from"},
		"from a text":           {sql: "SELECT count(*) FROM read_etl('" + sample + "', \"from\" := '2100-01-01')", error: "from 2100-01-01 selects nothing: its events are from"},
		"from whole seconds":    {sql: "SELECT count(*) FROM read_etl('" + sample + "', \"from\" := TIMESTAMP_S '2024-05-01 12:00:01')", rows: [][]string{{"261"}}},
		"from nanoseconds":      {sql: "SELECT count(*) FROM read_etl('" + sample + "', \"from\" := TIMESTAMP_NS '2024-05-01 12:00:01.000000001')", rows: [][]string{{"261"}}},
		"from an interval":      {sql: "FROM read_etl('" + sample + "', \"from\" := INTERVAL '1 second')", error: "from: an interval is not a time"},
		"a time without end":    {sql: "SELECT count(*) FROM read_etl('" + sample + "', \"to\" := TIMESTAMP 'infinity')", rows: [][]string{{"449"}}},
		"provider misspelt":     {sql: "SELECT count(*) FROM read_etl('" + sample + "', provider := 'Thraed')", error: "sample.etl: provider Thraed matches none of its providers; did you mean Thread?"},
		"event misspelt":        {sql: "SELECT count(*) FROM read_etl('" + sample + "', event := 'CSwich')", error: "did you mean CSwitch?"},
		"process misspelt":      {sql: "SELECT count(*) FROM read_etl('" + sample + "', process := 'explorre.exe')", error: "did you mean explorer.exe?"},
		"misspelt in all files": {sql: "FROM read_etl(['" + sample + "', '" + other + "'], provider := 'Thraed')", error: "nothing is selected in any of the 2 inputs; in the first of them: ../testdata/sample.etl: provider Thraed"},
		"one of two matches":    {sql: "SELECT count(*) FROM read_etl('" + sample + "', event := ['CSwich', 'CSwitch'])", rows: [][]string{{"120"}}},
		"no process of that id": {sql: "SELECT count(*) FROM read_etl('" + sample + "', process := 99999)", rows: [][]string{{"0"}}},
		"nothing together":      {sql: "SELECT count(*) FROM read_etl('" + sample + "', provider := 'Process', event := 'CSwitch')", rows: [][]string{{"0"}}},
		"NULL as a parameter":   {sql: "SELECT count(*) FROM read_etl('" + sample + "', \"from\" := NULL, provider := NULL)", rows: [][]string{{"449"}}},
		"providers":             {sql: "SELECT DISTINCT provider_name FROM read_etl('" + sample + "', provider := ['Process', 'thread']) ORDER BY 1", rows: [][]string{{"Process"}, {"Thread"}}},
		"tables":                {sql: "SELECT name, rows FROM etl_tables('" + sample + "') WHERE name = 'events'", rows: [][]string{{"events", "449"}}},
		"columns of tables":     {sql: "SELECT c.type FROM (SELECT unnest(columns) AS c FROM etl_tables('" + sample + "') WHERE name = 'stacks') WHERE c.name = 'addresses'", rows: [][]string{{"UBIGINT[]"}}},
		"a table without rows":  {sql: "SELECT count(*), count(min_value) FROM (SELECT time_ns AS min_value FROM read_etl('" + sample + "', name := 'Registry/Open'))", rows: [][]string{{"0", "0"}}},
		"names of codes": {
			sql:  "SELECT hresult_name(-2147024891), ntstatus_name(3221225506::UBIGINT), win32_error_name(2::SMALLINT), hresult_name(2147942402), hresult_name(3489660962), ntstatus_name(NULL), win32_error_name(18446744073709551615::UBIGINT)",
			rows: [][]string{{"E_ACCESSDENIED", "STATUS_ACCESS_DENIED", "ERROR_FILE_NOT_FOUND", "ERROR_FILE_NOT_FOUND", "STATUS_ACCESS_DENIED", "None", "None"}},
		},
		"names of many codes":    {sql: "SELECT count(*), count(win32_error_name(n)), max(win32_error_name(n)) FILTER (n = 5) FROM range(100000) t(n)", rows: [][]string{{"100000", "3064", "ERROR_ACCESS_DENIED"}}},
		"name of a text":         {sql: "SELECT hresult_name('no number')", error: "no number"},
		"no file":                {sql: "FROM '/nowhere/x.etl'", error: "/nowhere/x.etl: no such file or directory"},
		"no match":               {sql: "FROM '/nowhere/*.etl'", error: "/nowhere/*.etl: no file matches"},
		"no trace":               {sql: "FROM '" + broken + "'", error: "broken.etl"},
		"no table":               {sql: "FROM read_etl('" + sample + "', name := 'Thread/CSwich')", error: `there is no such table: "Thread/CSwich"; did you mean Thread/CSwitch?`},
		"path NULL":              {sql: "FROM read_etl(NULL)", error: "NULL"},
		"empty list":             {sql: "FROM read_etl([])", error: "no trace is named"},
		"NULL in a list":         {sql: "FROM read_etl(['" + sample + "', NULL])", error: "path has an element that is NULL"},
		"a bad time":             {sql: "FROM read_etl('" + sample + "', \"from\" := 'noon')", error: `from: "noon" is no time`},
		"times the wrong way":    {sql: "FROM read_etl('" + sample + "', \"from\" := 2, \"to\" := 1)", error: "to 1 is before from 2"},
		"a bad pattern":          {sql: "FROM read_etl('" + sample + "', provider := '[')", error: "["},
		"a list for a word":      {sql: "FROM read_etl('" + sample + "', name := ['a', 'b'])", error: "name is a list, and takes one value"},
		"a bad word":             {sql: "FROM read_etl('" + sample + "', payload := 'some')", error: `payload: "some" is none of undecoded, all`},
		"no such manifest":       {sql: "FROM read_etl('" + sample + "', manifest := '/nowhere.man')", error: "manifest: "},
		"no such symbols":        {sql: "FROM read_etl('" + sample + "', symbols := '/nowhere')", error: "symbols: the symbol path names /nowhere, which is no folder or file"},
		"a symbol server":        {sql: "FROM read_etl('" + sample + "', symbols := 'srv*https://symbols.example')", error: "the symbol path names the server"},
		"no such parameter":      {sql: "FROM read_etl('" + sample + "', tabel := 'x')", error: "tabel"},
		"a web address":          {sql: "FROM 'https://host.invalid/x.etl'", error: "https://host.invalid/x.etl: "},
		"standard input":         {sql: "FROM read_etl('-')", error: "does not read standard input"},
		"NUL alone":              {sql: "FROM read_etl('" + sample + "', \"from\" := chr(0) || 'x')", error: "from"},
		"an empty time":          {sql: "FROM read_etl('" + sample + "', \"to\" := '')", error: "to is an empty text"},
		"strict":                 {sql: "SELECT count(*) FROM read_etl('" + sample + "', strict := true)", rows: [][]string{{"449"}}},
		"no flag":                {sql: "FROM read_etl('" + sample + "', strict := 'maybe')", error: `strict: "maybe" is none of false, true`},
		"names of files":         {sql: "SELECT DISTINCT filename FROM read_etl('" + sample + "', filename := true)", rows: [][]string{{sample}}},
		"names of files, named":  {sql: "SELECT file FROM read_etl('" + sample + "', filename := 'file') LIMIT 1", rows: [][]string{{sample}}},
		"a column of that name":  {sql: "FROM read_etl('" + sample + "', filename := 'processor')", error: "the table has a column processor of its own"},
		"times in nanoseconds":   {sql: "SELECT count(*), count(DISTINCT typeof(timestamp)), max(typeof(timestamp)) FROM read_etl('" + sample + "', timestamps := 'ns') WHERE epoch_ns(timestamp) = time_ns", rows: [][]string{{"449", "1", "TIMESTAMP_NS"}}},
		"other times":            {sql: "SELECT typeof(first_event), first_event = make_timestamp_ns(epoch_ns(first_event)) FROM read_etl('" + sample + "', name := 'traces', timestamps := 'ns')", rows: [][]string{{"TIMESTAMP_NS", "True"}}},
		"problems of none":       {sql: "SELECT count(*) FROM etl_problems('" + sample + "')", rows: [][]string{{"0"}}},
		"problems":               {sql: "SELECT trace, severity, code, parse_filename(filename) FROM etl_problems(['" + sample + "', '" + broken + "', '/nowhere/x.etl']) ORDER BY ALL", rows: [][]string{{"None", "error", "input_unreadable", "broken.etl"}, {"None", "error", "input_unreadable", "x.etl"}}},
		"ignored":                {sql: "SELECT count(*) FROM read_etl(['" + broken + "', '" + sample + "', '/nowhere/x.etl'], ignore_errors := true)", rows: [][]string{{"449"}}},
		"not ignored":            {sql: "SELECT count(*) FROM read_etl(['" + broken + "', '" + sample + "'])", error: "ignore_errors := true skips what cannot be read"},
		"nothing is left":        {sql: "SELECT count(*) FROM read_etl('" + broken + "', ignore_errors := true)", error: "broken.etl"},
		"ignored tables":         {sql: "SELECT count(DISTINCT trace) FROM etl_tables(['" + broken + "', '" + sample + "'], ignore_errors := true)", rows: [][]string{{"1"}}},
		"a file that is no .etl": {sql: "SELECT count(*) FROM read_etl('testdata/session.py')", error: "session.py"},
	}
	names := slices.Sorted(maps.Keys(tests))
	var steps []step
	for _, name := range names {
		steps = append(steps, step{SQL: tests[name].sql})
	}
	eachVersion(t, func(t *testing.T, version string) {
		answers := session(t, version, steps...)
		for i, name := range names {
			test, a := tests[name], answers[i]
			if diff := cmp.Diff(test.rows, a.Rows); diff != "" || (a.Error == "") != (test.error == "") || !strings.Contains(a.Error, test.error) {
				t.Errorf("%s: %s: error %q, want %q; rows: %s", name, test.sql, a.Error, test.error, diff)
			}
		}
	})
}

// TestFork loads the extension, forks, and uses it in the child: that fails at once with a
// reason.
func TestFork(t *testing.T) {
	loaded(t)
	eachVersion(t, func(t *testing.T, version string) {
		a := session(t, version, append(sql("SELECT count(*) FROM '"+sample+"'"), step{Do: "fork", Statements: []string{
			"SELECT 1", "SELECT ntstatus_name(range) FROM range(2)", "FROM '" + sample + "'", "FROM read_etl('" + sample + "')", "FROM etl_tables('" + sample + "')",
		}}, step{SQL: "SELECT count(*) FROM '" + sample + "'"})...)
		child := a[1]
		if child.Status != 0 || len(child.Errors) != 5 || child.Errors[0] != "" {
			t.Fatalf("the child: %+v", child)
		}
		for _, e := range child.Errors[1:] {
			if !strings.Contains(e, "was loaded before this process was forked") {
				t.Errorf("the child says %q", e)
			}
		}
		if len(a[2].Rows) != 1 {
			t.Errorf("afterwards the parent says %s", a[2].Error)
		}
	})
}

// TestDatabases loads the extension where it cannot attach its database etl as usual: twice, in a
// read-only database, and if the user has a database of that name.
func TestDatabases(t *testing.T) {
	path := loaded(t)
	cli := interop.NewDuckDB(t)
	folder := t.TempDir()
	load, read := "LOAD '"+path+"'; ", "SELECT count(*) FROM '"+sample+"'; "
	for _, test := range []struct {
		name, sql, want string
		args            []string
	}{
		{name: "in memory, twice", sql: load + load + read + "SELECT count(*) FROM etl.processes('" + sample + "');", want: "449\n5\n"},
		{name: "own database of that name", args: []string{filepath.Join(folder, "etl.duckdb")}, sql: load + read + "SELECT count(*) FROM duckdb_functions() WHERE database_name = 'etl';", want: "449\n0\n"},
		{name: "read only", args: []string{"-readonly", filepath.Join(folder, "etl.duckdb")}, sql: load + read, want: "449\n"},
		{name: "user's database", args: []string{filepath.Join(folder, "mine.duckdb")}, sql: load + "SELECT count(*) FROM duckdb_functions() WHERE database_name = 'mine';", want: "0\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := append(test.args, "-unsigned", "-csv", "-noheader", "-c", test.sql)
			out, err := exec.CommandContext(t.Context(), cli, args...).CombinedOutput()
			if diff := cmp.Diff(test.want, string(out)); err != nil || diff != "" {
				t.Errorf("%v: %s", err, diff)
			}
		})
	}
}

// amplified returns a large trace made of a small one.
func amplified(t testing.TB, from, size string) string {
	t.Helper()
	from = testenv.Shared(t, "traces/"+from)
	loaded(t)
	out := filepath.Join(t.TempDir(), "large.etl")
	if err := run("..", "go", "run", "./tools/amplify", "-size", size, from, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestScansLeakNothing runs a hundred scans, most of which end early, in one process.
func TestScansLeakNothing(t *testing.T) {
	trace := testenv.Shared(t, "traces/KernelNetwork.etl")
	eachVersion(t, func(t *testing.T, version string) {
		for _, statement := range []string{
			"SELECT provider_name, count(*) FROM '" + trace + "' GROUP BY ALL", // all rows
			"FROM '" + trace + "' LIMIT 1",                                     // ends early
			"SELECT count(*) FROM '" + trace + "' a, '" + trace + "' b WHERE a.event_ref = b.event_ref AND a.process_id < 0",
		} {
			a := session(t, version, step{Do: "repeat", Statement: statement, Warm: 20, Times: 100})[0]
			if a.Error != "" {
				t.Fatal(a.Error)
			}
			t.Logf("%s: %d MiB more, goroutines %d and %d, heap %d and %d KiB", statement, a.Grown>>20,
				a.Before["goroutines"], a.After["goroutines"], a.Before["heap_bytes"]>>10, a.After["heap_bytes"]>>10)
			if a.After["goroutines"] > a.Before["goroutines"] || a.Grown > 64<<20 {
				t.Errorf("%s: before %v, after %v, resident %d bytes more", statement, a.Before, a.After, a.Grown)
			}
		}
	})
}

// TestLargeTrace reads a trace of several splits: its rows equal the dataset's, a single thread
// reads them in time order, and an interrupted query leaves nothing behind.
func TestLargeTrace(t *testing.T) {
	trace := amplified(t, "KernelNetwork.etl", "60MB")
	out := converted(t, trace)
	table := "event_header"
	rows, file := stored("read_etl('"+trace+"', name := '"+table+"')"), quoted(filepath.Join(out, table, "*.parquet"))
	eachVersion(t, func(t *testing.T, version string) {
		a := session(t, version,
			step{SQL: "SET threads = 4"},
			step{SQL: "SELECT count(*), sum(hash(t)::HUGEINT) FROM " + rows + " t"},
			step{SQL: "SELECT count(*), sum(hash(t)::HUGEINT) FROM " + file + " t"},
			step{SQL: "SELECT count(*) FROM (SELECT time_ns < lag(time_ns) OVER () AS back FROM " + rows + ") WHERE back"},
			step{Do: "interrupt", Statement: "SELECT count(*), max(a.fields || b.fields) FROM '" + trace + "' a, '" + trace + "' b WHERE a.event_ref <> b.event_ref", After: 2},
			step{SQL: "SELECT count(*) FROM '" + trace + "' WHERE process_id IS NOT NULL"})
		for i := range a {
			if i != 4 && a[i].Error != "" {
				t.Fatalf("step %d: %s", i, a[i].Error)
			}
		}
		if diff := cmp.Diff(a[2].Rows, a[1].Rows); diff != "" {
			t.Errorf("rows and their hashes differ: %s", diff)
		}
		if a[3].Rows[0][0] != "0" {
			t.Errorf("%s rows are before their predecessors", a[3].Rows[0][0])
		}
		if i := a[4]; !strings.Contains(strings.ToLower(i.Error), "interrupt") || i.MoreGoroutines > 0 {
			t.Errorf("interrupted after 2 s: %q after %.1f s, %d more goroutines", i.Error, i.Seconds, i.MoreGoroutines)
		}
	})
}

// TestCLI runs DuckDB's own program.
func TestCLI(t *testing.T) {
	path := loaded(t)
	cli := interop.NewDuckDB(t)
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"unsigned":    {[]string{"-unsigned", "-csv", "-noheader", "-c", "LOAD '" + path + "'; SELECT trace, count(*) FROM '" + sample + "' GROUP BY ALL; SELECT count(*) FROM etl.processes('" + sample + "');"}, "sample,449\n5\n"},
		"signed only": {[]string{"-c", "LOAD '" + path + "'"}, "unsigned"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := exec.CommandContext(t.Context(), cli, test.args...).CombinedOutput()
			if !strings.Contains(string(out), test.want) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
