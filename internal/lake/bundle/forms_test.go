package bundle

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
)

// formTypes are types of a field with a value of each.
var formTypes = []struct{ schema, payload string }{
	{"u8", "u8:7"}, {"u64", "u64:9"}, {"i64", "u64:5"}, {"f32", "hex:0000003f"}, {"f64", "hex:000000000000e03f"}, {"bool32", "u32:1"}, {"str8", "str8:x"},
	{"filetime", "hex:400a3fd5deb19d01"}, {"bin", "u16:2,u8:1,u8:255"}, {"u32[]", "u16:2,u32:1,u32:2"}, {"str8[]", "u16:1,str8:y"}, {"filetime[]", "u16:1,hex:400a3fd5deb19d01"},
	{"struct(X:u8)", "u8:7"}, {"struct(X:str8)", "str8:x"}, {"struct(Y:u8)", "u8:3"}, {"struct(X:u8[])", "u16:2,u8:1,u8:2"}, {"struct(X:u8)[]", "u16:2,u8:1,u8:2"},
	{"struct(Y:u32,X:struct(Z:u8))[]", "u16:1,u32:4,u8:5"},
}

// formsAnswer is the answer of forms.py: by view, and by reader and table.
type formsAnswer struct {
	Views   map[string][2]any
	Readers map[string]map[string]any
}

// TestForms converts events with two forms, for each pair of types of their field: in two traces with
// files of their own, in two traces that share files, and in one trace. All have the same columns
// and the same rows, through DuckDB's views, and by the defaults of readers where files are shared.
func TestForms(t *testing.T) {
	t.Parallel()
	python := interop.NewEngines(t)
	first, second := "", ""
	types := make(map[string]schema.Column) // of the column, by view
	for i, one := range formTypes {
		for j, other := range formTypes[i+1:] {
			event := fmt.Sprintf("E%dx%d", i, i+1+j)
			first += tl(fmt.Sprintf("%s(A:%s)", event, one.schema), one.payload)
			second += tl(fmt.Sprintf("%s(A:%s)", event, other.schema), other.payload)
			types[schema.ViewName("events/"+hostileID+"/"+event)] = schema.Column{}
		}
	}
	const head = "trace ptr=64 buffersize=65536\nstream\n"
	traceOf := func(name, events string) namedTrace { return named(name, etltest.MustParse(t, head+events)) }
	var questions []map[string]any
	for _, dataset := range []struct {
		traces []namedTrace
		target int64
	}{
		{[]namedTrace{traceOf("a", first), traceOf("b", second)}, 1},
		{[]namedTrace{traceOf("a", first), traceOf("b", second)}, math.MaxInt64},
		{[]namedTrace{traceOf("a", second), traceOf("b", first)}, math.MaxInt64},
		{[]namedTrace{traceOf("a", first+second)}, 1},
		{[]namedTrace{traceOf("a", second+first)}, 1},
	} {
		root := t.TempDir()
		for name, outcome := range bundleAll(t.Context(), t, root, dataset.target, dataset.traces, testOptions) {
			if outcome != "converted" {
				t.Fatalf("%s: %s", name, outcome)
			}
		}
		d := openDataset(t, root)
		writeViews(t, d)
		questions = append(questions, map[string]any{"folder": root, "column": "a", "default": len(questions) > 0, "with_spark": len(questions) == 1})
	}
	var answers []formsAnswer
	python.Run(t, "forms.py", questions, &answers)
	want := answers[len(answers)-1]
	if len(want.Views) != len(types) {
		t.Fatalf("%d views, want %d", len(want.Views), len(types))
	}
	for n, got := range answers {
		for view, of := range want.Views {
			if fmt.Sprint(got.Views[view]) != fmt.Sprint(of) {
				t.Errorf("dataset %d, %s: %v, want %v", n, view, got.Views[view], of)
			}
		}
		for reader, tables := range got.Readers {
			for table, rows := range tables {
				want := want.Views[schema.ViewName("events/"+hostileID+"/"+table)][1]
				if reader == "clickhouse" && strings.Contains(fmt.Sprint(want), "null") {
					continue // it has no NULL for arrays and structures
				}
				if fmt.Sprint(rows) != fmt.Sprint(want) {
					t.Errorf("dataset %d, %s, %s: %v, want %v", n, reader, table, rows, want)
				}
			}
		}
	}
}
