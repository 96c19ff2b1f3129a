package parquet

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"
)

// TestFootersThatClaimMuch reads footers of a few bytes that claim 2^28 elements: each is an error,
// and nothing is allocated for the claim. A library that allocates first takes 22 GiB for the first
// of them, or ends the process.
func TestFootersThatClaimMuch(t *testing.T) {
	count := string(binary.AppendUvarint(nil, 1<<28))
	for name, footer := range map[string]string{
		"row groups, 21 bytes":     "\x49\xfc" + count + "\x00\x00",     // field 4: a list of structures
		"columns, 21 bytes":        "\x49\x1c\x19\xfc" + count,          // field 1 of the only row group
		"columns of the schema":    "\x29\xfc" + count + "\x00",         // field 2
		"metadata":                 "\x59\xfc" + count + "\x00",         // field 5
		"sorting columns":          "\x49\x1c\x49\xfc" + count,          // field 4 of a row group
		"lists in a list":          "\x49\x1c\x19\x19\xf9" + count,      // a list of lists
		"entries of a map":         "\x1b" + count + "\xcc",             // structures by structures
		"bytes of a text":          "\x18" + count + "x",                // field 1 as a text
		"bytes of the creator":     "\x68" + count + "x",                // field 6
		"booleans":                 "\x19\xf1" + count + "\x01\x01\x01", // a byte each
		"text in the schema":       "\x29\x1c\x48" + count + "x",        // name of a column
		"2^64-1 row groups":        "\x49\xfc\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		"more than 64 bits":        "\x49\xfc\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		"row groups of no columns": "\x36\x00\x49\xfc" + count + "\x36\x02\x00",
	} {
		t.Run(name, func(t *testing.T) {
			file := []byte(magic + footer)
			file = append(binary.LittleEndian.AppendUint32(file, uint32(len(footer))), magic...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if f, err := ReadFooter(bytes.NewReader(file), int64(len(file))); err == nil {
				t.Errorf("%+v, want an error", f)
			}
			if columns, err := ReadColumns(bytes.NewReader(file), int64(len(file))); err == nil {
				t.Errorf("%d columns, want an error", len(columns))
			}
			runtime.ReadMemStats(&after)
			const most = 64 << 10 // bytes, of buffers and errors
			if got := after.TotalAlloc - before.TotalAlloc; got > most {
				t.Errorf("%d bytes were allocated, want at most %d", got, most)
			}
		})
	}
}
