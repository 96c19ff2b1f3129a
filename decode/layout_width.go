package decode

import "github.com/etl2parquet/etl2parquet/schema"

// maxFixed bounds the total size of fields at fixed positions. No payload is as
// long, and no position overflows.
const maxFixed = 1 << 20

// align returns the first multiple of to, a power of two, that is not below at.
func align(at, to int) int { return (at + to - 1) &^ (to - 1) }

// valueWidth returns the bytes of one value, or 0 if they depend on the payload.
func (f *layoutField) valueWidth(l *Layout) int {
	switch {
	case f.elements != nil:
		return f.elements.size
	case f.field.LengthPrefix != schema.NoPrefix, f.measure.index >= 0:
		return 0
	case f.field.Kind.HasLength():
		unit, _ := f.field.Kind.Width(l.PointerSize)
		if f.field.Length > maxFixed/unit {
			return 0
		}
		return unit * max(f.field.Length, 0)
	}
	width, _ := f.field.Kind.Width(l.PointerSize)
	return width
}

// width returns the bytes of a structure, or 0 if they depend on the payload.
func (l *Layout) width() int {
	if l.prefix < len(l.fields) {
		return 0
	}
	if !l.natural {
		return l.fixed
	}
	widest := 1
	for i := range l.all {
		widest = max(widest, alignment(&l.all[i], l.PointerSize))
	}
	return align(l.fixed, widest)
}

// alignment returns the alignment of a field in C.
func alignment(f *schema.Field, pointerSize int) int {
	if f.Struct != nil {
		widest := 1
		for i := range f.Struct {
			widest = max(widest, alignment(&f.Struct[i], pointerSize))
		}
		return widest
	}
	switch width, ok := f.Kind.Width(pointerSize); {
	case !ok, f.Kind == schema.MAC:
		return 1
	case f.Kind == schema.GUIDs, f.Kind == schema.IPv6:
		return 4
	case f.Kind == schema.SystemTime:
		return 2
	default:
		return width
	}
}
