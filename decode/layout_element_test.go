package decode_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// structuresText walks the structures of a payload and writes the positions of
// their fields.
func structuresText(l *decode.Layout, payload []byte, fields []schema.Field, frame *decode.Frame) string {
	var b strings.Builder
	for i := range fields {
		s := frame.Spans[i]
		inner := l.Structure(i)
		switch {
		case s.From < 0:
			fmt.Fprintf(&b, "%s - ", fields[i].Name)
		case inner == nil:
			fmt.Fprintf(&b, "%s %d:%d ", fields[i].Name, s.From, s.To)
		default:
			fmt.Fprintf(&b, "%s [", fields[i].Name)
			var spans []decode.Span
			for at := int(s.From); at < int(s.To); {
				element, next := inner.Element(payload, at, frame, spans)
				fmt.Fprintf(&b, "(%s)", structuresText(inner, payload, fields[i].Struct, &decode.Frame{Spans: element, Outer: frame}))
				at = next
			}
			b.WriteString("] ")
		}
	}
	return strings.TrimSpace(b.String())
}

func TestElement(t *testing.T) {
	a8, b16, p, text := field("a", schema.U8), field("b", schema.U16), field("p", schema.Pointer), field("t", schema.Text16)
	list := func(fields ...schema.Field) []schema.Field { return fields }
	of := func(name string, fields ...schema.Field) schema.Field {
		return schema.Field{Name: name, Struct: fields}
	}
	for _, test := range []struct {
		name    string
		natural bool
		fields  []schema.Field
		payload string
		want    string
	}{
		{"one", false, list(of("s", a8, b16), a8), "01 0200 03", "s [(a 0:1 b 1:3)] a 3:4"},
		{"two of one size", false, list(times(of("s", a8, b16), 2)), "01 0200 03 0400", "s [(a 0:1 b 1:3)(a 3:4 b 4:6)]"},
		{"padded", true, list(a8, times(of("s", p, a8), 2)), zeros16 + zeros16 + zeros8, "a 0:1 s [(p 8:16 a 16:17)(p 24:32 a 32:33)]"},
		{"of several sizes", false, list(countedBefore(of("s", text, a8)), a8), "0200 41000000 01 0000 02 03", "s [(t 2:6 a 6:7)(t 7:9 a 9:10)] a 10:11"},
		{"none", false, list(countedBefore(of("s", text, a8)), a8), "0000 03", "s [] a 2:3"},
		{"measured outside", false, list(a8, times(of("s", measured(field("m", schema.Bytes), "a"), b16), 2)), "01 aa 0200 bb 0300", "a 0:1 s [(m 1:2 b 2:4)(m 4:5 b 5:7)]"},
		{"nested", false, list(countedBefore(of("s", a8, countedBefore(of("t", measured(field("m", schema.Bytes), "a")))))), "0200 01 0100 aa 02 0200 bbcc ddee",
			"s [(a 2:3 t [(m 5:6)])(a 6:7 t [(m 9:11)(m 11:13)])]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := &schema.Event{Class: "Test", Name: "A", Natural: test.natural, Fields: test.fields}
			l := decode.NewLayout(e, 0, 8)
			payload := etltest.MustHex(t, test.payload)
			spans, fit := l.Locate(payload, nil)
			if fit.Err != nil || fit.Used != len(payload) && !test.natural {
				t.Fatal(fit)
			}
			if got := structuresText(l, payload, test.fields, &decode.Frame{Spans: spans}); got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
		})
	}
}

// TestFieldsOfNothing locates thousands of zero-byte fields in each of thousands of one-byte
// structures.
func TestFieldsOfNothing(t *testing.T) {
	inner := []schema.Field{field("b", schema.U8)}
	for i := range 2500 {
		inner = append(inner, counted(field(fmt.Sprintf("n%d", i), schema.U32), "none"))
	}
	e := &schema.Event{Class: "Test", Name: "A", Fields: []schema.Field{field("none", schema.U8), times(schema.Field{Name: "s", Struct: inner}, 60000)}}
	l := decode.NewLayout(e, 0, 8)
	spans, fit := l.Locate(make([]byte, 60001), nil)
	if fit.Field == nil || fit.Field.Name != "s" || !errors.Is(fit.Err, decode.ErrCorrupt) || fit.Used != 1 || spans[0] != (decode.Span{From: 0, To: 1}) {
		t.Errorf("%+v, %v", fit, spans)
	}
}

// TestTooManyFields checks that no field is found beyond the limit on fields in a payload.
func TestTooManyFields(t *testing.T) {
	fields := slices.Repeat([]schema.Field{field("b", schema.U8)}, 1<<17)
	spans, fit := decode.NewLayout(&schema.Event{Fields: fields}, 0, 8).Locate(make([]byte, 10), nil)
	found := slices.IndexFunc(spans, func(s decode.Span) bool { return s.From >= 0 })
	if fit.Field != &fields[0] || !errors.Is(fit.Err, decode.ErrCorrupt) || fit.Used != 0 || len(spans) != len(fields) || found >= 0 {
		t.Errorf("%d spans, %d is found, %+v", len(spans), found, fit)
	}
}
