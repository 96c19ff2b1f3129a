package rows

import (
	"runtime"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestCompressedTextInJSON checks that a document is written as text, or omitted if it is damaged.
func TestCompressedTextInJSON(t *testing.T) {
	e := &schema.Event{Fields: []schema.Field{{Name: "length", Kind: schema.U32}, {Name: "xml", Kind: schema.LZNT1Text16, Length: schema.Rest}}}
	l := decode.NewLayout(e, 0, 8)
	places, columns := schema.ColumnsAlone(&schema.Schema{Event: *e})
	for payload, want := range map[string]string{
		"\x06\x00\x00\x00\x05\x30<\x00>\x00\x00\x00": `{"length":6,"xml":"<>"}`,
		"\x08\x00\x00\x00\x05\x30<\x00>\x00\x00\x00": `{"length":8}`,
		"\x06\x00\x00\x00\xff":                       `{"length":6}`,
		"\x00\x00\x00\x00":                           `{"length":0,"xml":""}`,
	} {
		spans, fit := l.Locate([]byte(payload), nil)
		if fit.Err != nil {
			t.Fatal(fit.Err)
		}
		got := string(new(jsonWriter).object(nil, []byte(payload), newJSONLayout(l, e.Fields, places, columns, FieldsJSON), &decode.Frame{Spans: spans}))
		if got != want {
			t.Errorf("%q: %s, want %s", payload, got, want)
		}
	}
}

// TestManyMembers checks that the memory for a layout does not grow with the square of its fields, of
// which a hostile trace describes many thousands.
func TestManyMembers(t *testing.T) {
	e := schema.Event{Fields: slices.Repeat([]schema.Field{{Name: "a", Kind: schema.U8}}, 4000)}
	l := decode.NewLayout(&e, 0, 8)
	places, columns := schema.ColumnsAlone(&schema.Schema{Event: e})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	newJSONLayout(l, e.Fields, places, columns, FieldsJSON)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
		t.Errorf("%d MiB allocated", got>>20)
	}
}
