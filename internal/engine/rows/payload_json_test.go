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
	places, table := schema.ColumnsAlone(&schema.Schema{Event: *e})
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
		got := string(new(jsonWriter).object(nil, []byte(payload), newJSONLayout(l, e.Fields, places, table, FieldsJSON), &decode.Frame{Spans: spans}))
		if got != want {
			t.Errorf("%q: %s, want %s", payload, got, want)
		}
	}
}

// TestKeys checks the names of fields whose columns have a prefix, in each form.
func TestKeys(t *testing.T) {
	names, _ := schema.LookupValues("thread_state")
	taken := []schema.Field{{Name: "process_id", Original: "ProcessID", Kind: schema.U8}, {Name: "level", Kind: schema.U8, Map: names},
		{Name: "in", Struct: []schema.Field{{Name: "payload_process_id", Kind: schema.U8}, {Name: "process_id", Kind: schema.U8}}}}
	both := []schema.Field{{Name: "payload_process_id", Kind: schema.U8}, {Name: "process_id", Kind: schema.U8}}
	for _, test := range []struct {
		name   string
		fields []schema.Field
		form   FieldsForm
		want   string
	}{
		{"JSON", taken, FieldsJSON, `{"process_id":1,"level":2,"level_text":"Running","in":{"payload_process_id":3,"process_id":4}}`},
		{"names of the source", taken, FieldsNamed, `{"ProcessID":1,"Level":2,"level_text":"Running","In":{"PayloadProcessId":3,"ProcessId":4}}`},
		{"text", taken, FieldsText, `process_id=1 level=2 level_text=Running in={payload_process_id=3 process_id=4}`},
		{"a field that has the name of the column", both, FieldsJSON, `{"payload_process_id":1,"payload_process_id_2":2,"payload_rest":"0304"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := schema.Event{Fields: test.fields}
			payload := []byte{1, 2, 3, 4}
			l := decode.NewLayout(&e, 0, 8)
			spans, fit := l.Locate(payload, nil)
			places, table := schema.ColumnsAlone(&schema.Schema{Event: e})
			w := jsonWriter{form: test.form}
			got := string(w.append(nil, payload, newJSONLayout(l, e.Fields, places, table, test.form), &decode.Frame{Spans: spans}, fit.Used))
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestManyMembers checks that the memory for a layout does not grow with the square of its fields, of
// which a hostile trace describes many thousands.
func TestManyMembers(t *testing.T) {
	e := schema.Event{Fields: slices.Repeat([]schema.Field{{Name: "a", Kind: schema.U8}}, 4000)}
	l := decode.NewLayout(&e, 0, 8)
	places, table := schema.ColumnsAlone(&schema.Schema{Event: e})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	newJSONLayout(l, e.Fields, places, table, FieldsJSON)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
		t.Errorf("%d MiB allocated", got>>20)
	}
}
