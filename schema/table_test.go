package schema

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// reserved lists the words that an engine does not accept as the name of a column or
// table without quotes: the reserved keywords of DuckDB 1.x (duckdb_keywords() of
// category reserved), of Spark SQL in ANSI mode, and of Trino.
var reserved = strings.Fields(`
all alter analyse analyze and anti any array as asc asymmetric both case cast check collate column constraint create
cross cube current_catalog current_date current_path current_role current_schema current_time current_timestamp
current_user deallocate default deferrable delete desc describe distinct do drop else end escape except execute exists
extract false fetch filter for foreign from full function grant group grouping having if in initially inner insert
intersect into is join json_array json_exists json_object json_query json_table json_value lambda lateral leading left
like limit listagg localtime localtimestamp minus natural normalize not null of offset on only or order outer overlaps
pivot pivot_longer pivot_wider placing prepare primary qualify recursive references returning right rollup select semi
session_user show skip some summarize symmetric table then time to trailing trim true uescape union unique unknown
unnest unpivot user using values variadic when where window with`)

var isSnakeCase = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

func TestTables(t *testing.T) {
	seen := make(map[string]bool)
	for _, table := range Tables() {
		t.Run(table.Name, func(t *testing.T) {
			checkName(t, table.ViewName())
			checkDoc(t, table.Name, table.Doc)
			if seen[table.Name] {
				t.Error("two tables have this name")
			}
			seen[table.Name] = true
			checkColumns(t, table.Columns)
			for i := range table.Columns {
				if name := table.Columns[i].Name; table.Column(name) != i {
					t.Errorf("%s: found at %d, want %d", name, table.Column(name), i)
				}
			}
			for _, name := range table.SortBy {
				if i := table.Column(name); i < 0 || table.Columns[i].List || table.Columns[i].Type == Struct {
					t.Errorf("sorted by %s, which is not a sortable column", name)
				}
			}
			if got, ok := LookupTable(table.Name); !ok || got != table {
				t.Errorf("looked up: %v, %t", got, ok)
			}
		})
	}
	if _, ok := LookupTable("no_table"); ok {
		t.Error("a missing table is found")
	}
	if i := Traces.Column("no_column"); i >= 0 {
		t.Errorf("a missing column is found at %d", i)
	}
}

func checkName(t *testing.T, name string) {
	t.Helper()
	if !isSnakeCase.MatchString(name) || slices.Contains(reserved, name) || len(name) > 60 {
		t.Errorf("bad name %q", name)
	}
}

func checkDoc(t *testing.T, name, doc string) {
	t.Helper()
	if len(doc) < 5 || !strings.HasSuffix(doc, ".") || strings.TrimSpace(doc) != doc || strings.ContainsAny(doc, "\n\t") {
		t.Errorf("%s: doc %q", name, doc)
	}
}

// checkColumns checks the columns of a table, or the members of a struct.
func checkColumns(t *testing.T, list []Column) {
	t.Helper()
	seen := make(map[string]bool)
	for i := range list {
		checkColumn(t, &list[i])
		if seen[list[i].Name] {
			t.Errorf("%s: two columns have this name", list[i].Name)
		}
		seen[list[i].Name] = true
	}
}

func checkColumn(t *testing.T, c *Column) {
	t.Helper()
	checkName(t, c.Name)
	doc := c.Doc
	if strings.HasSuffix(doc, "...") {
		doc = strings.TrimSuffix(doc, "..")
	}
	checkDoc(t, c.Name, doc)
	if c.Name == "trace" {
		t.Errorf("%s is the column that every file begins with", c.Name)
	}
	if c.Type < Boolean || c.Type > Struct || (c.Type == Struct) != (len(c.Fields) > 0) || c.Encoding > Alike {
		t.Errorf("%s: type %d, encoding %d", c.Name, c.Type, c.Encoding)
	}
	isBytes := c.Type == String || c.Type == Binary
	if c.Encoding == Rising && (isBytes || c.Type == Boolean || c.Type == Float || c.Type == Double || c.Type == Struct || c.List) {
		t.Errorf("%s: %s does not rise", c.Name, c.TypeName())
	}
	if !c.Nullable && strings.Contains(c.Doc, "NULL") {
		t.Errorf("%s is never null: %s", c.Name, c.Doc)
	}
	checkColumns(t, c.Fields)
}

func sameColumns(a, b []Column) bool { return reflect.DeepEqual(a, b) }

// TestCommonColumns checks that all tables of events begin with the common columns.
func TestCommonColumns(t *testing.T) {
	common := CommonColumns()
	want := []string{"event_ref", "timestamp", "time_ns", "clock_ns", "seconds", "processor", "process_id", "thread_id", "id_source", "process_name", "header_type",
		"pointer_size", "provider_id", "provider_name", "event_name", "event_kind", "payload_size", "payload"}
	var names []string
	for _, c := range common {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, want) {
		t.Errorf("common columns %v, want %v", names, want)
	}
	for _, table := range HeaderTables() {
		if len(table.Columns) < len(common) || !sameColumns(table.Columns[:len(common)], common) {
			t.Errorf("%s does not begin with the common columns", table.Name)
		}
		if !slices.Equal(table.SortBy, byTime) {
			t.Errorf("%s is sorted by %v", table.Name, table.SortBy)
		}
	}
	for _, table := range FixedTables() {
		if table != StackEvents && table.Column("event_ref") >= 0 {
			t.Errorf("%s has an event_ref", table.Name)
		}
	}
	if n := len(FixedTables()) + len(HeaderTables()) + len(KernelCatalog().Tables()); n != len(Tables()) {
		t.Errorf("%d tables, want %d", len(Tables()), n)
	}
}

// TestSameColumn checks that a name has one type in all tables, so that queries can
// combine the tables.
func TestSameColumn(t *testing.T) {
	first := make(map[string]*Column)
	for _, table := range append(slices.Clone(FixedTables()), HeaderTables()...) {
		for i := range table.Columns {
			c := &table.Columns[i]
			if first[c.Name] == nil {
				first[c.Name] = c
			}
			if slices.Contains(HeaderTables(), table) && first[c.Name].TypeName() != c.TypeName() {
				t.Errorf("%s.%s: %s, elsewhere %s", table.Name, c.Name, c.TypeName(), first[c.Name].TypeName())
			}
		}
	}
}

func TestTypeName(t *testing.T) {
	point := Column{Type: Struct, Fields: []Column{{Name: "x", Type: Float}, {Name: "tags", Type: String, List: true}}}
	for want, c := range map[string]Column{
		"BOOLEAN": {Type: Boolean}, "INT32": {Type: Int32}, "INT64": {Type: Int64}, "UINT64": {Type: Uint64}, "DOUBLE": {Type: Double},
		"STRING": {Type: String}, "BINARY": {Type: Binary}, "TIMESTAMP": {Type: Timestamp}, "LIST<UINT64>": {Type: Uint64, List: true},
		"FLOAT": {Type: Float}, "STRUCT<x FLOAT, tags LIST<STRING>>": point, "LIST<STRUCT<p STRUCT<x FLOAT, tags LIST<STRING>>>>": {
			Type: Struct, List: true, Fields: []Column{{Name: "p", Type: Struct, Fields: point.Fields}}},
	} {
		if got := c.TypeName(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSameType(t *testing.T) {
	structOf := func(list bool, fields ...Column) Column {
		return Column{Name: "c", Type: Struct, List: list, Fields: []Column{{Name: "inner", Type: Struct, Fields: fields}}}
	}
	x := Column{Name: "x", Type: Int32, Doc: "One."}
	xx := Column{Name: "x", Type: Int32, Doc: "Another.", Encoding: Varied}
	y := Column{Name: "y", Type: Int32}
	for _, test := range []struct {
		a, b Column
		want bool
	}{
		{x, xx, true}, {x, y, true}, {x, Column{Name: "x", Type: Int64}, false}, {x, Column{Name: "x", Type: Int32, List: true}, false},
		{structOf(true, x, y), structOf(true, xx, y), true}, {structOf(true, x), structOf(false, x), false},
		{structOf(true, x, y), structOf(true, x), false}, {structOf(true, x, y), structOf(true, y, x), false},
		{structOf(true, x), structOf(true, Column{Name: "x", Type: Int64}), false},
		{structOf(true, x), structOf(true, Column{Name: "x", Type: Int32, Nullable: true}), false},
	} {
		if test.a.SameType(&test.b) != test.want || test.b.SameType(&test.a) != test.want {
			t.Errorf("%s and %s: the same %t, want %t", test.a.TypeName(), test.b.TypeName(), !test.want, test.want)
		}
	}
}

// TestParseType checks that the types of all columns are parsed back from their text, and
// that other texts are rejected.
func TestParseType(t *testing.T) {
	for _, table := range Tables() {
		for i := range table.Columns {
			c := &table.Columns[i]
			if got, ok := ParseType(c.TypeName()); !ok || got.TypeName() != c.TypeName() {
				t.Errorf("%s.%s: %s is read as %s", table.Name, c.Name, c.TypeName(), got.TypeName())
			}
		}
	}
	if c, ok := ParseType("BOOLEAN+"); !ok || c.SignedTypeName() != "BOOLEAN" { // in records of earlier versions
		t.Errorf("BOOLEAN+ is read as %s, %t", c.SignedTypeName(), ok)
	}
	c := Column{Type: Boolean}
	if c.Widen(&Column{Type: Boolean}); c.SignedTypeName() != "BOOLEAN" {
		t.Errorf("two booleans become %s", c.SignedTypeName())
	}
	deep := func(n int) string { return strings.Repeat("STRUCT<a ", n) + "INT32" + strings.Repeat(">", n) }
	if _, ok := ParseType(deep(MaxDepth)); !ok {
		t.Error("too deep")
	}
	for _, name := range []string{"", "INT", "int32", "INT32 ", "LIST", "LIST<", "LIST<>", "LIST<INT32", "LIST<INT32>>", "LIST<LIST<INT32>>", "STRUCT", "STRUCT<>", "STRUCT<INT32>",
		"STRUCT<a>", "STRUCT<a >", "STRUCT< INT32>", "STRUCT<a INT32", "STRUCT<a INT32,b INT32>", "STRUCT<a INT32, >", "STRUCT<a INT32>>", "INT32>", deep(MaxDepth + 1), deep(100_000)} {
		if c, ok := ParseType(name); ok {
			t.Errorf("%.40q is read as %s", name, c.TypeName())
		}
	}
}
