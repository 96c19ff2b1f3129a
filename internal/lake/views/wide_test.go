package views

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestWideColumns checks the types of columns that differ between files, and the rows of files that are read together.
func TestWideColumns(t *testing.T) {
	for _, test := range []struct {
		name  string
		files []string // their columns, as name type = value;...
		wide  string   // the columns of the view that DuckDB does not find itself
		rows  string
	}{
		{"one type", []string{"x INT32", "x INT32;y BINARY"}, "", ""},
		{"integers", []string{"x INT32", "x INT64", "x BOOLEAN"}, "", ""},
		{"integers without a sign", []string{"x INT32+ = 1", "x UINT64 = 18446744073709551615", "x BOOLEAN = true"}, "x UINT64", "x\n1\n18446744073709551615\n1\n"},
		{"integers with and without a sign", []string{"x INT32 = -1", "x UINT64 = 18446744073709551615"}, "x STRING", "x\n-1\n18446744073709551615\n"},
		{"floats", []string{"x FLOAT", "x DOUBLE"}, "", ""},
		{"members of structures", []string{"x STRUCT<a INT32>", "x STRUCT<b STRUCT<c STRING>>", "x STRUCT<a INT64>"}, "", ""},
		{"no types", []string{"x nonsense", "x INT32"}, "", ""},
		{"a float that integers fit", []string{"x FLOAT = 1.5", "x INT32 = 16777217;z INT32 = 3"}, "x DOUBLE", "x,z\n1.5,NULL\n16777217.0,3\n"},
		{"times", []string{"x TIMESTAMP = '2024-05-01 12:00:00.5Z'", "x STRING = 'a'"}, "x STRING", "x\n2024-05-01T12:00:00.500000Z\na\n"},
		{"bytes and numbers", []string{`a"b BINARY = '\x0A\xFF'`, `a"b DOUBLE = 1.5`}, `a"b STRING`, "\"a\"\"b\"\n0aff\n1.5\n"},
		{"lists and values", []string{"x LIST<TIMESTAMP> = ['2024-05-01 12:00:00Z', NULL]", "x INT32 = 7", "x INT32 = NULL"}, "x LIST<STRING>",
			"x\n\"['2024-05-01T12:00:00.000000Z', NULL]\"\n[7]\nNULL\n"},
		{"members", []string{"x STRUCT<a BINARY> = {'a': '\\x0A'}", "x STRUCT<a BINARY> = NULL", "x STRUCT<a STRING, b INT32> = {'a': 't', 'b': 5}"}, "x STRUCT<a STRING, b INT32>",
			"x\n\"{'a': 0a, 'b': NULL}\"\nNULL\n\"{'a': t, 'b': 5}\"\n"},
		{"a structure and a number", []string{"x STRUCT<a INT32> = {'a': 1}", "x INT64 = 7"}, "x STRING", "x\n\"{\"\"a\"\":1}\"\n7\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			event := schema.Identity{ID: 1}
			s := tableShapes{{table: "t", event: event}: nil, {table: "t", event: event, columns: "no JSON"}: nil, {table: "t", event: schema.Identity{ID: 2}, columns: `{"x":"BINARY"}`}: nil}
			var files []map[string]string
			var from []string // a SELECT of the row of each file
			for _, columns := range test.files {
				types := make(map[string]string)
				var values []string
				for c := range strings.SplitSeq(columns, ";") {
					name, kind, _ := strings.Cut(c, " ")
					kind, value, _ := strings.Cut(kind, " = ")
					types[name] = kind
					for _, c := range columnsOf(map[string]bool{kind: true}) {
						values = append(values, fmt.Sprintf("CAST(%s AS %s) AS %s", value, duckType(&c), sqlQuoted(name)))
					}
				}
				text, err := json.Marshal(types)
				if err != nil {
					t.Fatal(err)
				}
				s[shapeKey{table: "t", event: event, columns: string(text)}] = nil
				files, from = append(files, types), append(from, "(SELECT "+strings.Join(values, ", ")+")")
			}
			wide := s.wideColumns(event)
			var got []string
			for name, c := range wide {
				got = append(got, name+" "+c.TypeName())
			}
			if text := strings.Join(got, "; "); text != test.wide {
				t.Errorf("columns %s, want %s", text, test.wide)
			}
			if wide == nil {
				return
			}
			var reads []string
			for i, types := range files {
				reads = append(reads, "SELECT "+selectWide(types, wide).columns+" FROM "+from[i])
			}
			if rows := interop.Ask(t, "", strings.Join(reads, unionByName))[0]; rows != test.rows {
				t.Errorf("%s\nwant\n%s", rows, test.rows)
			}
		})
	}
}
