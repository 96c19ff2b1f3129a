package decode

import (
	"encoding/binary"
	"math"

	"github.com/etl2parquet/etl2parquet/schema"
)

// measured returns the size of a value whose length is in another field.
func (f *layoutField) measured(payload []byte, frame *Frame, pointerSize int) (int, error) {
	n, err := number(payload, f.measure, frame, f.field.LengthField)
	if err != nil {
		return 0, err
	}
	unit, fixed := f.field.Kind.Width(pointerSize)
	if f.field.Kind.HasLength() {
		return n * unit, nil
	}
	return n, checkLength(f.field.Kind, n, unit, fixed)
}

// checkLength compares the length that a payload claims for a value with the width
// of its kind, if that is fixed.
func checkLength(k schema.Kind, n, width int, fixed bool) error {
	if fixed && !k.HasLength() && n != width {
		return causef(ErrCorrupt, "%d bytes, but %v has %d", n, k, width)
	}
	return nil
}

// prefixed returns the span of a value that has a length prefix.
func prefixed(payload []byte, at int, f *schema.Field, pointerSize int) (Span, error) {
	size := f.LengthPrefix.Size()
	left := len(payload) - at - size
	if left < 0 {
		return missing, causef(ErrTruncated, "%d bytes are left for its length", len(payload)-at)
	}
	n := 0
	switch b := payload[at:]; f.LengthPrefix {
	case schema.BytesIn16Big:
		n = int(binary.BigEndian.Uint16(b))
	case schema.BytesIn32:
		n = int(min(le.Uint32(b), math.MaxInt32))
	case schema.UnitsIn16:
		unit, _ := f.Kind.Width(pointerSize)
		n = unit * int(le.Uint16(b))
	default:
		n = int(le.Uint16(b))
	}
	if n > left {
		return missing, causef(ErrTruncated, "%d bytes, but %d are left", n, left)
	}
	width, fixed := f.Kind.Width(pointerSize)
	if err := checkLength(f.Kind, n, width, fixed); err != nil {
		return missing, err
	}
	from := at + size
	return Span{int32(from), int32(from + n)}, nil
}

// Value splits the values of an array, from its span, into the next value and the rest. It is not
// for structures. Values whose length is in another field are returned as one.
func (l *Layout) Value(f *schema.Field, values []byte) (value, rest []byte) {
	width, constant := f.Kind.Width(l.PointerSize)
	switch {
	case f.LengthPrefix != schema.NoPrefix:
		s, err := prefixed(values, 0, f, l.PointerSize)
		if err != nil { // cannot happen in a span that Locate returned
			return values, nil
		}
		return values[s.From:s.To], values[s.To:]
	case f.Kind.HasLength():
		if f.Length <= 0 { // the rest, or a length in another field: returned as one value
			return values, nil
		}
		width *= f.Length
	case !constant:
		end, err := valueEnd(values, 0, f.Kind, l.PointerSize)
		if err != nil {
			return values, nil
		}
		width = end
	}
	return values[:width], values[width:]
}

// ValueWidth returns the size of each value of an array whose values have a length that another
// field holds.
func (l *Layout) ValueWidth(index int, payload []byte, frame *Frame) int {
	for i := range l.fields {
		if f := &l.fields[i]; f.index == index && f.measure.index >= 0 {
			if width, err := f.measured(payload, frame, l.PointerSize); err == nil {
				return width
			}
		}
	}
	return 0
}

// valueEnd returns the end of a value of variable length.
func valueEnd(payload []byte, at int, kind schema.Kind, pointerSize int) (int, error) {
	switch kind {
	case schema.WBEMSID:
		return wbemSIDEnd(payload, at, pointerSize)
	case schema.SID:
		return sidEnd(payload, at)
	}
	return at + TextEnd(kind, payload[at:]), nil
}
