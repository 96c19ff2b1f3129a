package query

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/interop"
)

// statements are statements of SQL with the answers of DuckDB's parser, reduced to the relevant
// members, and the tables of traces that they need.
var statements = []struct {
	sql, answer string
	tables      string // "all", or the names beside traces
}{
	{"SELECT 1", `{"error":false,"statements":[{"node":{"from_table":{"type":"EMPTY"}}}]}`, ""},
	{"SELECT * FROM Thread_CSwitch", `{"error":false,"statements":[{"node":{"from_table":{"type":"BASE_TABLE","schema_name":"","table_name":"Thread_CSwitch"}}}]}`,
		"thread_cswitch"},
	{"SELECT * FROM cpu_samples JOIN main.files USING (trace) WHERE x IN (SELECT y FROM threads)",
		`{"error":false,"statements":[{"node":{"from_table":{"type":"JOIN","left":{"type":"BASE_TABLE","schema_name":"","table_name":"cpu_samples"},` +
			`"right":{"type":"BASE_TABLE","schema_name":"main","table_name":"files"}},` +
			`"where_clause":{"type":"SUBQUERY","subquery":{"node":{"from_table":{"type":"BASE_TABLE","schema_name":"","table_name":"threads"}}}}}}]}`,
		"files perfinfo_collectionstart perfinfo_sampleprof stack_events stacks threads"},
	{"WITH own AS (FROM files) FROM own, 'boot.etl'",
		`{"error":false,"statements":[{"node":{"cte_map":{"map":[{"key":"own","value":{"query":{"node":{"from_table":{"type":"BASE_TABLE","schema_name":"","table_name":"files"}}}}}]},` +
			`"from_table":{"type":"JOIN","left":{"type":"BASE_TABLE","schema_name":"","table_name":"own"},"right":{"type":"BASE_TABLE","schema_name":"","table_name":"boot.etl"}},"select_list":[{"class":"STAR","type":"STAR","alias":""}]}}]}`,
		"events/* stack_events files own " + headers},
	{"SELECT count(*), max(level) FROM events WHERE level < 3",
		`{"error":false,"statements":[{"node":{"from_table":{"type":"BASE_TABLE","alias":"","table_name":"events"},"select_list":[{"class":"FUNCTION","type":"FUNCTION","function_name":"count_star"},` +
			`{"class":"FUNCTION","children":[{"class":"COLUMN_REF","type":"COLUMN_REF","column_names":["level"]}]}]}}]}`,
		headers},
	{"SELECT 1 FROM events WHERE events.Message = 'a'",
		`{"error":false,"statements":[{"node":{"from_table":{"type":"BASE_TABLE","alias":"","table_name":"events"},"where_clause":{"class":"COLUMN_REF","type":"COLUMN_REF","column_names":["events","Message"]}}}]}`,
		"events/* " + headers},
	{"SELECT 1 FROM events JOIN stacks USING (stack_id)",
		`{"error":false,"statements":[{"node":{"from_table":{"type":"JOIN","alias":"","ref_type":"REGULAR","using_columns":["stack_id"],"left":{"type":"BASE_TABLE","table_name":"events"},"right":{"type":"BASE_TABLE","table_name":"stacks"}}}}]}`,
		"stack_events stacks " + headers},
	{"SELECT 1 FROM events NATURAL JOIN stacks",
		`{"error":false,"statements":[{"node":{"from_table":{"type":"JOIN","alias":"","ref_type":"NATURAL","using_columns":[],"left":{"type":"BASE_TABLE","table_name":"events"},"right":{"type":"BASE_TABLE","table_name":"stacks"}}}}]}`,
		"events/* stack_events stacks " + headers},
	{"SELECT e FROM events AS e",
		`{"error":false,"statements":[{"node":{"from_table":{"type":"BASE_TABLE","alias":"e","table_name":"events"},"select_list":[{"class":"COLUMN_REF","type":"COLUMN_REF","alias":"","column_names":["e"]}]}}]}`,
		"events/* stack_events " + headers},
	{"FROM image_loads, 'other.etl'",
		`{"error":false,"statements":[{"node":{"from_table":{"type":"JOIN","left":{"type":"BASE_TABLE","schema_name":"","table_name":"image_loads"},"right":{"type":"BASE_TABLE","schema_name":"","table_name":"other.etl"}}}}]}`,
		"image_load images"},
	{"DESCRIBE image_loads", `{"error":false,"statements":[{"node":{"from_table":{"type":"SHOW_REF","show_type":"DESCRIBE","query":{"from_table":{"type":"BASE_TABLE","schema_name":"","table_name":"image_loads"}}}}}]}`,
		"image_load images"},
	{"FROM query_table('stacks')", `{"error":false,"statements":[{"node":{"from_table":{"type":"TABLE_FUNCTION","function":{"function_name":"query_table"}}}}]}`,
		"from query_table stacks"},
	{"SELECT field FROM Search('files 443')", `{"error":false,"statements":[{"node":{"from_table":{"type":"TABLE_FUNCTION","function":{"function_name":"search"}}}}]}`,
		"events/* " + headers},
	{"CREATE TABLE mine AS FROM images", `{"error":true,"error_type":"not implemented","error_message":"Only SELECT statements can be serialized to json!"}`,
		"as create from images mine table"},
	{"SHOW TABLES", `{"error":false,"statements":[{"node":{"from_table":{"type":"SHOW_REF","show_type":"SHOW_UNQUALIFIED","query":null}}}]}`, "all"},
	{"FROM information_schema.tables", `{"error":false,"statements":[{"node":{"from_table":{"type":"BASE_TABLE","schema_name":"information_schema","table_name":"tables"}}}]}`, "all"},
	{"FROM pg_tables", `{"error":false,"statements":[{"node":{"from_table":{"type":"BASE_TABLE","schema_name":"","table_name":"pg_tables"}}}]}`, "all"},
	{"FROM duckdb_views()", `{"error":false,"statements":[{"node":{"from_table":{"type":"TABLE_FUNCTION","function":{"function_name":"duckdb_views"}}}}]}`, "all"},
}

// headers are the tables that the view of all events always reads.
const headers = "event_header event_instance_header event_trace_header event_types message_trace_header other_header perfinfo_trace_header system_trace_header"

// tablesOf returns the tables that statements need, by name, or nil if they need all.
func tablesOf(s Source) (names []string) {
	for _, n := range s.Needs() {
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

// TestTables checks which tables of traces a statement needs: the tables that it names, the tables
// that views among them read, and the tables of all events for an input named in SQL.
func TestTables(t *testing.T) {
	for _, test := range statements {
		s := Statement{SQL: test.sql}
		s.parse(test.answer)
		if isSelect := !strings.HasPrefix(test.sql, "CREATE"); s.IsSelect != isSelect {
			t.Errorf("%s: a SELECT: %v", test.sql, s.IsSelect)
		}
		checkTables(t, s, test.tables)
	}
	both := Source{Statements: []Statement{{Tables: []string{"files"}}, {Tables: []string{"stacks"}}}}
	if diff := cmp.Diff([]string{"event_types", "files", "stacks", "traces"}, tablesOf(both)); diff != "" {
		t.Errorf("two statements: -want +got:\n%s", diff)
	}
}

// TestStatements asks DuckDB's program about the same statements.
func TestStatements(t *testing.T) {
	d := &DuckDB{program: interop.FindDuckDB(t)}
	defer d.Close()
	for _, test := range statements {
		list, err := d.Statements(t.Context(), test.sql)
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %d statements, %v", test.sql, len(list), err)
		}
		checkTables(t, list[0], test.tables)
	}
}
