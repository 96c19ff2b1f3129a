package views

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestSplitNames checks that the simplest type of a column keeps the plain name, for any
// names of traces, and that no name is given twice.
func TestSplitNames(t *testing.T) {
	for _, test := range []struct {
		columns []string // of the traces, as name type;...
		want    string
	}{
		{[]string{"x INT32", "x STRING", "x DOUBLE;y BINARY"}, ""},
		{[]string{"x LIST<INT32>", "x INT32"}, "x LIST<INT32>=x_int32_list"},
		{[]string{"x LIST<INT32>", "x LIST<UINT64>", "x STRING"}, "x LIST<INT32>=x_int32_list x LIST<UINT64>=x_int32_list"},
		{[]string{"x TIMESTAMP", "x BINARY"}, "x BINARY=x_binary"},
		{[]string{"x INT32;x_binary INT64", "x BINARY", "x_binary LIST<STRING>"}, "x BINARY=x_binary_2 x_binary LIST<STRING>=x_binary_string_list"},
		{[]string{"x STRUCT<a INT32>", "x STRUCT<b INT32>"}, ""},
		{[]string{"x STRUCT<a INT32>", "x STRUCT<a BINARY>", "x STRUCT<a TIMESTAMP, b INT32>", "x INT64"},
			"x STRUCT<a BINARY>=x_struct x STRUCT<a INT32>=x_struct_2 x STRUCT<a TIMESTAMP, b INT32>=x_struct_3"},
		{[]string{"x STRUCT<a STRUCT<b INT32>>", "x STRUCT<a STRUCT<b LIST<INT32>>>"}, "x STRUCT<a STRUCT<b LIST<INT32>>>=x_struct"},
		{[]string{"x nonsense", "x INT32"}, ""},
	} {
		for range 2 {
			event := schema.Identity{ID: 1}
			s := tableShapes{{"t", event, ""}: nil, {"t", event, "no JSON"}: nil, {"t", schema.Identity{ID: 2}, `{"x":"BINARY"}`}: nil}
			for _, columns := range test.columns {
				types := make(map[string]string)
				for _, c := range strings.Split(columns, ";") {
					name, kind, _ := strings.Cut(c, " ")
					types[name] = kind
				}
				text, err := json.Marshal(types)
				if err != nil {
					t.Fatal(err)
				}
				s[shapeKey{"t", event, string(text)}] = nil
			}
			var got []string
			for c, name := range s.splitNames(event) {
				got = append(got, c.name+" "+c.kind+"="+name)
			}
			slices.Sort(got)
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("%q: %s, want %s", test.columns, text, test.want)
			}
			slices.Reverse(test.columns)
		}
	}
}
