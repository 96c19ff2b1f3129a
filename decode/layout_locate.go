package decode

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Locate finds the fields of a payload. It uses the memory of spans if that
// suffices. The result has a span for each of Event.Fields; the span is missing if
// this version lacks the field or the field did not fit. All spans lie inside the
// payload. The span of an array begins at its first value.
func (l *Layout) Locate(payload []byte, spans []Span) ([]Span, Fit) {
	if l.prefix == len(l.fields) && l.fixed <= len(payload) {
		return append(spans[:0], l.spans...), Fit{Used: l.fixed}
	}
	p := l.locator(payload, spans)
	fit := p.fields(l, 0, nil)
	if len(l.unstated) > 0 && fit.Field == l.fields[l.unstated[0]].field && p.work >= 0 && l.isFinite() && p.readings(l, fit.Used) {
		fit = Fit{Used: len(payload)}
	}
	if l.nuls && fit.Used < len(payload) {
		return l.reread(payload, p.stack, fit)
	}
	return p.stack, fit
}

// Element finds the fields of the structure at an offset of the payload, inside the
// span of its field. It returns them and the offset of the next structure. frame
// has the fields around the structure. The memory of spans is used if it suffices.
func (l *Layout) Element(payload []byte, at int, frame *Frame, spans []Span) (fields []Span, next int) {
	p := l.locator(payload, spans)
	fit := p.fields(l, at, frame)
	if l.size > 0 {
		return p.stack, at + l.size
	}
	return p.stack, fit.Used
}

// locator finds the fields of one payload.
type locator struct {
	payload     []byte
	pointerSize int
	stack       spanStack
	work        int // fields that may still be located
}

// locator returns a locator that uses the memory of spans if that suffices.
func (l *Layout) locator(payload []byte, spans []Span) locator {
	if cap(spans) < l.nested {
		spans = make([]Span, 0, l.nested)
	}
	return locator{payload, l.PointerSize, spans[:0], workFor(payload)}
}

// workFor bounds the fields that may be located in a payload: without it, each
// byte could be a structure with thousands of empty fields.
func workFor(payload []byte) int { return 16*len(payload) + leastWork }

// leastWork is the bound for an empty payload.
const leastWork = 1 << 16

// spanStack has the spans of the fields that are being located: at its bottom those of the event,
// above them those of each structure around the current field, innermost last. It has room for
// Layout.nested spans from the start, so pushed spans never move.
type spanStack []Span

// push adds a copy of the spans of an event or structure, and returns the copy.
func (s *spanStack) push(fields []Span) []Span {
	*s = append(*s, fields...)
	return (*s)[len(*s)-len(fields):]
}

// pop removes the spans of the innermost structure, which has n fields.
func (s *spanStack) pop(n int) { *s = (*s)[:len(*s)-n] }

// setMissing makes fields missing.
func setMissing(fields []Span) {
	for i := range fields {
		fields[i] = missing
	}
}

// fields pushes the spans of the fields of a layout, which begin at the offset start of the
// payload. outer has the fields around a structure, nil around an event. The caller pops the spans.
func (p *locator) fields(l *Layout, start int, outer *Frame) Fit {
	payload, spans := p.payload, p.stack.push(l.spans)
	if p.work -= len(spans); p.work < 0 && len(spans) > 0 {
		setMissing(spans)
		return Fit{Used: start, Field: &l.all[0], Err: causef(ErrCorrupt, "more fields than a payload of %d bytes may have", len(payload))}
	}
	first, at := l.prefix, start+l.fixed
	switch {
	case at > len(payload):
		first, at = 0, start
		setMissing(spans)
	case start > 0:
		for i := range l.fields[:l.prefix] {
			s := l.fields[i].span
			spans[l.fields[i].index] = Span{s.From + int32(start), s.To + int32(start)}
		}
	}
	frame := Frame{spans, outer}
	for i := first; i < len(l.fields); i++ {
		f := &l.fields[i]
		if to := f.quick(payload, at, spans); to >= 0 {
			spans[f.index] = Span{int32(at), int32(to)}
			at = to
			continue
		}
		if f.unread != nil {
			return l.stop(payload, i, at, spans, f.unread)
		}
		from := start + align(at-start, f.align)
		if f.field.Optional && from >= len(payload) {
			continue
		}
		if f.field.Count == schema.Rest && from > len(payload) {
			from = at // the payload ends in the padding, so the rest is empty
		}
		s, err := p.field(f, from, &frame)
		if err != nil {
			return l.stop(payload, i, at, spans, err)
		}
		spans[f.index] = s
		at = int(s.To)
	}
	return Fit{Used: at}
}

// field returns the span of a field that begins at an offset. frame has the fields before it.
func (p *locator) field(f *layoutField, from int, frame *Frame) (Span, error) {
	if from > len(p.payload) {
		return missing, ended(p.payload)
	}
	n, from, err := p.count(f, from, frame)
	if err != nil {
		return missing, err
	}
	switch {
	case f.measure.index >= 0:
		width, err := f.measured(p.payload, frame, p.pointerSize)
		if err != nil {
			return missing, err
		}
		return p.equal(from, n, width)
	case f.width > 0:
		return p.equal(from, n, f.width)
	}
	return p.values(f, from, n, frame)
}

// ended returns the error for a field that begins after the end of its payload.
func ended(payload []byte) error {
	return causef(ErrTruncated, "the payload of %d bytes ends before this field", len(payload))
}

// count returns the number of values of a field, 1 if it is not an array, and the offset of the
// first value: a count may precede it.
func (p *locator) count(f *layoutField, from int, frame *Frame) (n, first int, err error) {
	switch {
	case f.counter.index >= 0:
		n, err = number(p.payload, f.counter, frame, f.field.CountField)
		return n, from, err
	case f.field.CountPrefix:
		if left := len(p.payload) - from; left < 2 {
			return 0, from, causef(ErrTruncated, "%d bytes are left for its count", left)
		}
		return int(le.Uint16(p.payload[from:])), from + 2, nil
	case f.field.Count != 0:
		return f.field.Count, from, nil
	}
	return 1, from, nil
}

// equal returns the span of n values of equal width.
func (p *locator) equal(from, n, width int) (Span, error) {
	left := len(p.payload) - from
	if n == schema.Rest {
		n = left / max(width, 1)
	}
	if width > 0 && n > left/width { // n*width could overflow
		return missing, causef(ErrTruncated, "%d bytes are left, %d x %d bytes are needed", left, n, width)
	}
	return Span{int32(from), int32(from + n*width)}, nil
}

// values returns the span of n values whose widths depend on the payload. The span of a field that
// is not an array begins after a length prefix.
func (p *locator) values(f *layoutField, from, n int, frame *Frame) (Span, error) {
	isEmptyAllowed := n == 1 && (f.field.Kind.HasLength() || f.elements != nil)
	at := from
	for range n {
		s, err := p.value(f, at, frame)
		if err != nil {
			return missing, err
		}
		if int(s.To) == at && !isEmptyAllowed {
			return missing, causef(ErrTruncated, "the payload ends before the last of %d values", n)
		}
		if n == 1 && !f.field.IsArray() {
			return s, nil
		}
		at = int(s.To)
	}
	return Span{int32(from), int32(at)}, nil
}

// value returns the span of one value whose width depends on the payload. The
// span begins after a length prefix.
func (p *locator) value(f *layoutField, at int, frame *Frame) (Span, error) {
	switch {
	case f.elements != nil:
		return p.structure(f.elements, at, frame)
	case f.field.LengthPrefix != schema.NoPrefix:
		return prefixed(p.payload, at, f.field, p.pointerSize)
	case f.field.Kind.HasLength():
		return p.restOf(f.field, at)
	}
	end, err := valueEnd(p.payload, at, f.field.Kind, p.pointerSize)
	return Span{int32(at), int32(end)}, err
}

// structure returns the span of a structure, inside the fields of frame.
func (p *locator) structure(l *Layout, at int, frame *Frame) (Span, error) {
	fit := p.fields(l, at, frame)
	p.stack.pop(len(l.all))
	if fit.Err != nil {
		return missing, fmt.Errorf("%s: %w", fit.Field.Name, fit.Err)
	}
	return Span{int32(at), int32(fit.Used)}, nil
}

// restOf returns the span of a binary value that takes the rest of the payload, in whole units.
func (p *locator) restOf(f *schema.Field, at int) (Span, error) {
	unit, _ := f.Kind.Width(p.pointerSize)
	left := len(p.payload) - at
	switch {
	case f.Length == schema.Rest:
		return Span{int32(at), int32(at + left/unit*unit)}, nil
	case f.Length > 0: // no payload is that long: see valueWidth
		return missing, causef(ErrTruncated, "%d bytes are left, %d x %d bytes are needed", left, f.Length, unit)
	}
	return Span{int32(at), int32(at)}, nil
}

// number reads the count or length that a field refers to.
func number(payload []byte, r reference, frame *Frame, name string) (int, error) {
	for range r.up {
		frame = frame.Outer
	}
	s := frame.Spans[r.index]
	if s.From < 0 {
		return 0, causef(ErrCorrupt, "the field %s, which holds its count or length, is missing", name)
	}
	n := Uint(payload[s.From:s.To])
	if n > uint64(len(payload)) { // no value takes less than a byte
		return 0, causef(ErrCorrupt, "a count or length of %d in a payload of %d bytes", n, len(payload))
	}
	return int(n), nil
}
