package decode

import (
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestSpanStack checks that pushed spans stay where they are while structures are pushed and popped.
func TestSpanStack(t *testing.T) {
	s := make(spanStack, 0, 5)
	event := s.push([]Span{{0, 1}, missing})
	structure := s.push([]Span{{1, 2}})
	inner := s.push([]Span{missing, missing})
	inner[1], event[1] = Span{2, 3}, Span{1, 3}
	if want := (spanStack{{0, 1}, {1, 3}, {1, 2}, missing, {2, 3}}); !slices.Equal(s, want) {
		t.Fatalf("%v, want %v", s, want)
	}
	s.pop(len(inner))
	s.pop(len(structure))
	if want := (spanStack{{0, 1}, {1, 3}}); !slices.Equal(s, want) {
		t.Fatalf("%v after two structures, want %v", s, want)
	}
}

// TestNested checks the room for spans: of the structures at one depth, only the largest counts.
func TestNested(t *testing.T) {
	number := schema.Field{Name: "n", Kind: schema.U8}
	text := schema.Field{Name: "t", Kind: schema.Text8}
	list := func(fields ...schema.Field) schema.Field {
		return schema.Field{Name: "s", Count: 1, Struct: fields}
	}
	e := &schema.Event{Fields: []schema.Field{number, list(text), list(number, list(text, text, number), number), list(text)}}
	l := NewLayout(e, 0, 8)
	if want := 4 + 3 + 3; l.nested != want {
		t.Errorf("room for %d spans, want %d", l.nested, want)
	}
	spans, fit := l.Locate([]byte("1a\x002b\x00c\x0034d\x00"), nil)
	if want := []Span{{0, 1}, {1, 3}, {3, 10}, {10, 12}}; fit.Err != nil || !slices.Equal(spans, want) {
		t.Errorf("%v, %v, want %v", spans, fit.Err, want)
	}
	if cap(spans) != l.nested {
		t.Errorf("the spans have moved: room for %d", cap(spans))
	}
}
