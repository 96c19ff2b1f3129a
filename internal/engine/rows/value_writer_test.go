package rows

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestValueWriter checks that values written together are the same as one by one, at any position.
func TestValueWriter(t *testing.T) {
	const first, size = 3, 16
	payloads := make([][]byte, 6)
	for i := range payloads {
		for at := range first + len(payloads) + size {
			payloads[i] = append(payloads[i], byte(17*(i/2)+7*at+at/3)) // each twice
		}
	}
	for kind := schema.U8; kind <= schema.WideU32; kind++ {
		if kind == schema.LZNT1Text16 { // its text is not in the payload
			continue
		}
		width, ok := kind.Width(8)
		if !ok || kind.HasLength() {
			width = size
		}
		field := &schema.Field{Name: "field", Kind: kind}
		same := fieldSpans{same: decode.Span{From: first, To: first + int32(width)}}
		each := fieldSpans{each: make([]decode.Span, len(payloads))}
		for i := range each.each {
			each.each[i] = decode.Span{From: first + int32(i/2), To: first + int32(i/2+width)}
		}
		for name, at := range map[string]*fieldSpans{"same": &same, "each": &each} {
			t.Run(kind.String()+"/"+name, func(t *testing.T) {
				table := &schema.Table{Name: "table", Columns: []schema.Column{{Name: "field", Type: kind.ColumnType()}}}
				got, want := columns.NewBatch(table), columns.NewBatch(table)
				w := valueWriter{texts: &got.Texts, pointerSize: 8}
				w.all(&got.Columns[0], field, payloads, at)
				w.texts = &want.Texts
				for i, payload := range payloads {
					s := at.at(i)
					w.one(&want.Columns[0], field, payload[s.From:s.To])
				}
				if diff := cmp.Diff(want.Columns[0], got.Columns[0], columnstest.SameRows, cmpopts.IgnoreFields(columns.Column{}, "Spec")); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// TestAppendNumbers checks that numbers appended as a list are the same as one by one.
func TestAppendNumbers(t *testing.T) {
	b := make([]byte, 40)
	for i := range b {
		b[i] = byte(200 + 37*i)
	}
	for kind := schema.U8; kind <= schema.WideU32; kind++ {
		table := &schema.Table{Name: "table", Columns: []schema.Column{{Name: "field", Type: kind.ColumnType(), List: true}}}
		got, want := columns.NewBatch(table), columns.NewBatch(table)
		field := &schema.Field{Name: "field", Kind: kind, Count: schema.Rest}
		if !appendNumbers(&got.Columns[0], field, b) {
			continue
		}
		w := valueWriter{texts: &want.Texts, pointerSize: 8}
		width, _ := kind.Width(8)
		for rest := b; len(rest) > 0; rest = rest[width:] {
			w.one(&want.Columns[0], field, rest[:width])
		}
		if diff := cmp.Diff(want.Columns[0], got.Columns[0], columnstest.SameRows, cmpopts.IgnoreFields(columns.Column{}, "Spec")); diff != "" {
			t.Errorf("%v: %s", kind, diff)
		}
	}
}
