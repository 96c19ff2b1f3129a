package definition

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/schema"
)

// maxEmpty bounds the empty members of a structure in an array, beyond its size in
// bytes: otherwise a payload could have many times more values than bytes.
const maxEmpty = 16

// CheckArray returns an error for an array of structures that may have many more values
// than bytes.
func CheckArray(f *schema.Field) error {
	if least, empty := size(f.Struct); f.IsArray() && empty > least+maxEmpty {
		return fmt.Errorf("an array of structures with %d members of no bytes and as few as %d bytes", empty, least)
	}
	return nil
}

// size returns the least number of bytes that fields take, and the number of fields
// that may be empty.
func size(fields []schema.Field) (least, empty int) {
	const pointerSize, enough = 4, 1 << 15 // no product overflows
	for i := range fields {
		f := &fields[i]
		n := min(max(f.Count, 1), enough)
		bytes, none := 1, 0 // a text has at least its NUL
		width, fixed := f.Kind.Width(pointerSize)
		switch {
		case f.CountField != "":
			bytes, none = 0, 1
		case f.Struct != nil:
			bytes, none = size(f.Struct)
		case f.LengthPrefix != schema.NoPrefix:
			bytes = f.LengthPrefix.Size()
		case f.Kind.HasLength():
			if bytes = min(max(f.Length, 0), enough/2) * width; bytes == 0 { // Rest is -1
				none = 1
			}
		case fixed:
			bytes = width
		}
		least, empty = min(least+n*bytes, enough), min(empty+n*none, enough)
	}
	return least, empty
}

// IsNumber reports whether a field can be the count or length of others.
func IsNumber(f *schema.Field) bool {
	return !f.IsArray() && f.Struct == nil && f.Kind.IsNumber()
}
