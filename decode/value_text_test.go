package decode_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/decode"
)

// TestAppendUTF16 compares the text with the standard library's conversion of the units before the
// first NUL, for texts of all lengths with a non-ASCII unit at each position.
func TestAppendUTF16(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for length := range 40 {
		for range 200 {
			var b []byte
			var units []uint16
			ended := false
			for range length {
				u := uint16(1 + r.IntN(0x7f))
				if r.IntN(12) == 0 {
					u = []uint16{0, 0x80, 0xff, 0x100, 0x20ac, 0xd83d, 0xde00, 0xffff, 0x8000}[r.IntN(9)]
				}
				b = binary.LittleEndian.AppendUint16(b, u)
				if ended = ended || u == 0; !ended {
					units = append(units, u)
				}
			}
			b = append(b, make([]byte, r.IntN(2))...) // half a unit
			want := "before" + string(utf16.Decode(units))
			for _, dst := range [][]byte{[]byte("before"), slices.Grow([]byte("before"), 100)} {
				if got := string(decode.AppendUTF16(dst, b)); got != want {
					t.Fatalf("%x: got %q, want %q", b, got, want)
				}
			}
		}
	}
}
