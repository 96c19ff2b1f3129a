package decode

import (
	"bytes"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TextUnits returns the bytes of a text in a value of the kinds Text16, Text8, Chars16 and Chars8.
// NULs inside a text are part of it. Which NULs end it depends on what gives its length:
//
//   - A text that ends with a NUL, or whose length is given by a count or the payload, loses one
//     NUL at its end.
//   - In a text of a fixed number of units, all NULs at the end are padding.
//   - A fixed number of units in the kernel's own structures is a C string: it ends at the
//     first NUL, and the rest is stale memory.
func TextUnits(f *schema.Field, b []byte) []byte {
	wide := f.Kind == schema.Text16 || f.Kind == schema.Chars16
	if wide {
		b = b[:len(b)&^1]
	}
	switch {
	case f.Length <= 0:
		if wide {
			return withoutNUL16(b)
		}
		return withoutNUL8(b)
	case f.InType == "" && wide: // the tables of the kernel's events have no in-types
		return withoutNUL16(b[:wideEnd(b)])
	case f.InType == "":
		return withoutNUL8(b[:narrowEnd(b)])
	case wide:
		for n := len(b) + 2; n != len(b); {
			n = len(b)
			b = withoutNUL16(b)
		}
		return b
	}
	return bytes.TrimRight(b, "\x00")
}

// withoutNUL16 returns UTF-16 text without the NUL at its end, if it has one.
func withoutNUL16(b []byte) []byte {
	if n := len(b); n >= 2 && n&1 == 0 && b[n-1] == 0 && b[n-2] == 0 {
		return b[:n-2]
	}
	return b
}

func withoutNUL8(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == 0 {
		return b[:n-1]
	}
	return b
}
