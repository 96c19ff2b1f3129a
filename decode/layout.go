package decode

import (
	"bytes"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Span is where a field lies in a payload: payload[From:To]. A field that is
// not there has From -1.
type Span struct{ From, To int32 }

// missing is the span of a field that is not there.
var missing = Span{-1, -1}

// Layout is where the fields of an event lie, for one version and pointer
// size. It is immutable.
type Layout struct {
	Event       *schema.Event
	Version     uint8
	PointerSize int

	fields []layoutField
	prefix int // fields at the start whose positions do not depend on the payload
	fixed  int // bytes they take
}

// layoutField is a field of the event's literal that this version has.
type layoutField struct {
	index   int // in Event.Fields
	field   *schema.Field
	align   int
	width   int // bytes of one value; 0 if that depends on the value
	counter int // index in Event.Fields of the field with the count, or -1
	span    Span
}

// NewLayout compiles the layout of an event.
func NewLayout(e *schema.Event, version uint8, pointerSize int) *Layout {
	l := &Layout{Event: e, Version: version, PointerSize: pointerSize}
	at, constant := 0, true
	for i := range e.Fields {
		f := &e.Fields[i]
		if !f.In(version) {
			continue
		}
		lf := layoutField{index: i, field: f, align: 1, counter: -1}
		lf.width = valueWidth(f, pointerSize, e.Natural)
		if e.Natural {
			lf.align = alignment(f, pointerSize)
		}
		if f.CountField != "" {
			lf.counter = fieldIndex(e, f.CountField)
		}
		n := 1
		if f.Count > 0 {
			n = f.Count
		}
		constant = constant && lf.width > 0 && f.Count != schema.Rest && lf.counter < 0 && !f.Optional
		if constant {
			at = align(at, lf.align)
			lf.span = Span{int32(at), int32(at + n*lf.width)}
			at += n * lf.width
			l.prefix, l.fixed = len(l.fields)+1, at
		}
		l.fields = append(l.fields, lf)
	}
	return l
}

func fieldIndex(e *schema.Event, name string) int {
	for i := range e.Fields {
		if e.Fields[i].Name == name {
			return i
		}
	}
	return -1 // a test of the tables holds that it is there
}

func align(at, to int) int { return (at + to - 1) / to * to }

// valueWidth returns the bytes of one value, or 0 if they depend on the value.
func valueWidth(f *schema.Field, pointerSize int, natural bool) int {
	if f.Struct == nil {
		width, _ := f.Kind.Width(pointerSize)
		return width
	}
	at, widest := 0, 1
	for i := range f.Struct {
		inner := &f.Struct[i]
		width, _ := inner.Kind.Width(pointerSize)
		if natural {
			at = align(at, width)
			widest = max(widest, width)
		}
		at += width
	}
	return align(at, widest)
}

// alignment returns that of C for a field.
func alignment(f *schema.Field, pointerSize int) int {
	if f.Struct != nil {
		widest := 1
		for i := range f.Struct {
			widest = max(widest, alignment(&f.Struct[i], pointerSize))
		}
		return widest
	}
	switch width, ok := f.Kind.Width(pointerSize); {
	case !ok:
		return 1
	case f.Kind == schema.GUIDs, f.Kind == schema.IPv6:
		return 4
	default:
		return width
	}
}

// Fit is how a payload fits a layout.
type Fit struct {
	Used  int           // bytes that the fields take
	Field *schema.Field // the first that does not fit, or nil
	Err   error         // why it does not
}

// Locate finds the fields of a payload. spans is used if it is large enough;
// the result has one for each of Event.Fields, those that this version lacks
// or that did not fit among them. All lie inside the payload.
func (l *Layout) Locate(payload []byte, spans []Span) ([]Span, Fit) {
	spans = spans[:0]
	for range l.Event.Fields {
		spans = append(spans, missing)
	}
	first := 0
	at := 0
	if len(payload) >= l.fixed {
		for i := range l.fields[:l.prefix] {
			spans[l.fields[i].index] = l.fields[i].span
		}
		first, at = l.prefix, l.fixed
	}
	for i := first; i < len(l.fields); i++ {
		f := &l.fields[i]
		from := align(at, f.align)
		if f.field.Optional && from >= len(payload) {
			continue
		}
		if f.field.Count == schema.Rest && from > len(payload) {
			from = at // the payload ends in the padding: there is no rest
		}
		to, err := l.end(payload, from, f, spans)
		if err != nil {
			return spans, Fit{Used: at, Field: f.field, Err: err}
		}
		spans[f.index] = Span{int32(from), int32(to)}
		at = to
	}
	return spans, Fit{Used: at}
}

// end returns where a field ends that begins at from.
func (l *Layout) end(payload []byte, from int, f *layoutField, spans []Span) (int, error) {
	left := len(payload) - from
	if left < 0 {
		return 0, causef(ErrTruncated, "the payload of %d bytes ends before it", len(payload))
	}
	n, err := l.count(payload, f, spans)
	if err != nil {
		return 0, err
	}
	if f.width > 0 {
		if n == schema.Rest {
			n = left / f.width
		}
		if n > left/f.width { // not n*f.width > left, which a count could overflow
			return 0, causef(ErrTruncated, "%d of %d bytes each where %d bytes are left", n, f.width, left)
		}
		return from + n*f.width, nil
	}
	at := from
	for range n {
		next, err := l.valueEnd(payload, at, f.field.Kind)
		if err != nil {
			return 0, err
		}
		if next == at {
			return 0, causef(ErrTruncated, "%d texts, and the payload ends", n)
		}
		at = next
	}
	return at, nil
}

// count returns how many values a field has: 1 if it is no array.
func (l *Layout) count(payload []byte, f *layoutField, spans []Span) (int, error) {
	switch {
	case f.counter >= 0:
		s := spans[f.counter]
		if s.From < 0 {
			return 0, causef(ErrCorrupt, "its count %s is not there", f.field.CountField)
		}
		n := uint64(0)
		for i := int(s.To) - 1; i >= int(s.From); i-- {
			n = n<<8 | uint64(payload[i])
		}
		if n > uint64(len(payload)) { // no value takes less than a byte
			return 0, causef(ErrCorrupt, "%d of them in a payload of %d bytes", n, len(payload))
		}
		return int(n), nil
	case f.field.Count != 0:
		return f.field.Count, nil
	}
	return 1, nil
}

// valueEnd returns where a value of varying length ends.
func (l *Layout) valueEnd(payload []byte, at int, kind schema.Kind) (int, error) {
	if kind == schema.WBEMSID {
		return wbemSIDEnd(payload, at, l.PointerSize)
	}
	return at + TextEnd(kind, payload[at:]), nil
}

// TextEnd returns how many bytes the text at the start of b takes, its NUL
// among them; without a NUL it goes to the end.
func TextEnd(kind schema.Kind, b []byte) int {
	if kind == schema.Text8 {
		if i := bytes.IndexByte(b, 0); i >= 0 {
			return i + 1
		}
		return len(b)
	}
	for i := 0; i+1 < len(b); i += 2 {
		if b[i] == 0 && b[i+1] == 0 {
			return i + 2
		}
	}
	return len(b)
}

// wbemSIDEnd returns where a SID ends as WBEM writes it: a u32 of 0 for none,
// or a TOKEN_USER of two pointers, which mean nothing, and the SID.
func wbemSIDEnd(payload []byte, at, pointerSize int) (int, error) {
	rest := payload[at:]
	if len(rest) < 4 {
		return 0, causef(ErrTruncated, "%d bytes of a SID", len(rest))
	}
	if le.Uint32(rest) == 0 {
		return at + 4, nil
	}
	sid := 2 * pointerSize
	if len(rest) < sid+8 {
		return 0, causef(ErrTruncated, "%d bytes of a SID", len(rest))
	}
	end := sid + 8 + 4*int(rest[sid+1])
	if end > len(rest) {
		return 0, causef(ErrTruncated, "a SID of %d bytes where %d are left", end, len(rest))
	}
	return at + end, nil
}
