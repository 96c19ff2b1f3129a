package answers

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
)

// statements are statements of SQL with the tables of traces that they need: "all", or the names beside traces.
var statements = []struct{ sql, tables string }{
	{"SELECT 1", ""},
	{"SELECT * FROM Thread_CSwitch", "thread_cswitch"},
	{"SELECT * FROM cpu_samples JOIN main.files USING (trace) WHERE x IN (SELECT y FROM threads)", "files perfinfo_collectionstart perfinfo_sampleprof stack_events stacks threads"},
	{"WITH own AS (FROM files) FROM own, 'boot.etl'", "events/* stack_events files own " + headers},
	{"SELECT count(*), max(level) FROM events WHERE level < 3", headers},
	{"SELECT 1 FROM events WHERE events.Message = 'a'", "events/* " + headers},
	{"SELECT 1 FROM events JOIN stacks USING (stack_id)", "stack_events stacks " + headers},
	{"SELECT 1 FROM events NATURAL JOIN stacks", "events/* stack_events stacks " + headers},
	{"SELECT e FROM events AS e", "events/* stack_events " + headers},
	{"FROM image_loads, 'other.etl'", "image_load images"},
	{"DESCRIBE image_loads", "image_load images"},
	{"FROM query_table('stacks')", "from query_table stacks"},
	{"SELECT field FROM Search('files 443')", "events/* " + headers},
	{"CREATE TABLE mine AS FROM images", "as create from images mine table"},
	{"SHOW TABLES", "all"},
	{"FROM information_schema.tables", "all"},
	{"FROM pg_tables", "all"},
	{"FROM duckdb_views()", "all"},
}

// headers are the tables that the view of all events always reads.
const headers = "event_header event_instance_header event_trace_header event_types message_trace_header other_header perfinfo_trace_header system_trace_header"

// tablesOf returns the tables that statements need, by name, or nil if they need all.
func tablesOf(s Source) (names []string) {
	for _, n := range s.needs() {
		names = append(names, n.Table)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func checkTables(t *testing.T, s Statement, want string) {
	t.Helper()
	source := Source{Inputs: []string{"boot.etl", "images"}, Statements: []Statement{s}}
	got := tablesOf(source)
	if want == "all" {
		if got != nil {
			t.Errorf("%s: tables %v, want all", s.SQL, got)
		}
		return
	}
	names := append(strings.Fields(want), "event_types", "traces")
	slices.Sort(names)
	names = slices.Compact(names)
	if diff := cmp.Diff(names, got); diff != "" {
		t.Errorf("%s: -want +got:\n%s", s.SQL, diff)
	}
}

// duckDB is the DuckDB of the tests. Its process ends only where a statement is wrong.
var duckDB = DuckDB{views: views.BuiltIn()}

func TestMain(m *testing.M) {
	m.Run()
	duckDB.Close()
}

// parse parses the statements of all tests by one start of DuckDB.
var parse = sync.OnceValues(func() (map[string][]Statement, error) {
	var all []string
	for _, s := range statements {
		all = append(all, s.sql)
	}
	for _, p := range plans {
		all = append(all, p.sql)
	}
	for _, b := range boundaries {
		all = append(all, b.sql)
	}
	for _, p := range planErrors {
		all = append(all, p.sql)
	}
	list, err := duckDB.Statements(context.Background(), strings.Join(all, ";\n"))
	parsed := make(map[string][]Statement)
	for _, sql := range all {
		if n := len(split(sql)); err == nil {
			parsed[sql], list = list[:n], list[n:]
		}
	}
	return parsed, err
})

// parsed returns statements as DuckDB parses them.
func parsed(t *testing.T, sql string) []Statement {
	t.Helper()
	duckDB.program = interop.FindDuckDB(t)
	all, err := parse()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(all[sql])
}

// TestStatements checks which tables of traces a statement needs: the tables that it names, the tables
// that views among them read, and the tables of all events for an input named in SQL.
func TestStatements(t *testing.T) {
	for _, test := range statements {
		list := parsed(t, test.sql)
		if isSelect := !strings.HasPrefix(test.sql, "CREATE"); len(list) != 1 || list[0].IsSelect != isSelect {
			t.Fatalf("%s: %+v, a SELECT: %v", test.sql, list, isSelect)
		}
		checkTables(t, list[0], test.tables)
	}
	both := Source{Statements: []Statement{{Tables: []string{"files"}}, {Tables: []string{"stacks"}}}}
	if diff := cmp.Diff([]string{"event_types", "files", "stacks", "traces"}, tablesOf(both)); diff != "" {
		t.Errorf("two statements: -want +got:\n%s", diff)
	}
}
