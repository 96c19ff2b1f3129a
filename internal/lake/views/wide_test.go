package views

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestWideColumns checks the types of columns that differ between files, and the SQL that reads the
// files with the columns of each.
func TestWideColumns(t *testing.T) {
	for _, test := range []struct {
		name  string
		files []string // their columns, as name type;...
		wide  string   // the columns of the view that DuckDB does not find itself
		reads []string // the selection of each file
	}{
		{"one type", []string{"x INT32", "x INT32;y BINARY"}, "", nil},
		{"integers", []string{"x INT32", "x INT64", "x BOOLEAN"}, "", nil},
		{"integers without a sign", []string{"x INT32+", "x UINT64", "x BOOLEAN"}, "x UINT64", []string{`* REPLACE (CAST("x" AS UBIGINT) AS "x")`, "*", `* REPLACE (CAST("x" AS UBIGINT) AS "x")`}},
		{"integers with and without a sign", []string{"x INT32", "x UINT64"}, "x STRING", []string{`* REPLACE (CAST("x" AS VARCHAR) AS "x")`, `* REPLACE (CAST("x" AS VARCHAR) AS "x")`}},
		{"floats", []string{"x FLOAT", "x DOUBLE"}, "", nil},
		{"members of structures", []string{"x STRUCT<a INT32>", "x STRUCT<b STRUCT<c STRING>>", "x STRUCT<a INT64>"}, "", nil},
		{"no types", []string{"x nonsense", "x INT32"}, "", nil},
		{"a float that integers fit", []string{"x FLOAT", "x INT32;z INT32"}, "x DOUBLE", []string{"*", `* REPLACE (CAST("x" AS DOUBLE) AS "x")`}},
		{"times", []string{"x TIMESTAMP", "x STRING"}, "x STRING",
			[]string{`* REPLACE (strftime("x" AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ') AS "x")`, "*"}},
		{"bytes and numbers", []string{`a"b BINARY`, `a"b DOUBLE`}, `a"b STRING`,
			[]string{`* REPLACE (lower(hex("a""b")) AS "a""b")`, `* REPLACE (CAST("a""b" AS VARCHAR) AS "a""b")`}},
		{"lists and values", []string{"x LIST<TIMESTAMP>", "x INT32"}, "x LIST<STRING>",
			[]string{`* REPLACE (list_transform("x", lambda x0: strftime(x0 AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ')) AS "x")`,
				`* REPLACE (CASE WHEN "x" IS NOT NULL THEN [CAST("x" AS VARCHAR)] END AS "x")`}},
		{"members", []string{"x STRUCT<a BINARY>", "x STRUCT<a STRING, b INT32>"}, "x STRUCT<a STRING, b INT32>",
			[]string{`* REPLACE (CASE WHEN "x" IS NOT NULL THEN struct_pack("a" := lower(hex("x"."a")), "b" := CAST(NULL AS INTEGER)) END AS "x")`, "*"}},
		{"a structure and a number", []string{"x STRUCT<a INT32>", "x INT64"}, "x STRING",
			[]string{`* REPLACE (CAST(to_json("x") AS VARCHAR) AS "x")`, `* REPLACE (CAST("x" AS VARCHAR) AS "x")`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			event := schema.Identity{ID: 1}
			s := tableShapes{{table: "t", event: event}: nil, {table: "t", event: event, columns: "no JSON"}: nil, {table: "t", event: schema.Identity{ID: 2}, columns: `{"x":"BINARY"}`}: nil}
			var files []map[string]string
			for _, columns := range test.files {
				types := make(map[string]string)
				for c := range strings.SplitSeq(columns, ";") {
					name, kind, _ := strings.Cut(c, " ")
					types[name] = kind
				}
				text, err := json.Marshal(types)
				if err != nil {
					t.Fatal(err)
				}
				s[shapeKey{table: "t", event: event, columns: string(text)}] = nil
				files = append(files, types)
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
			for _, types := range files {
				reads = append(reads, selectWide(types, wide).columns)
			}
			if !slices.Equal(reads, test.reads) {
				t.Errorf("%s\nwant\n%s", strings.Join(reads, "\n"), strings.Join(test.reads, "\n"))
			}
		})
	}
}
