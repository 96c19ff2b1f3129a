package decode_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
)

// lznt1Plain is an LZNT1 stream of one chunk that is not compressed.
func lznt1Plain(data string) []byte {
	return append(binary.LittleEndian.AppendUint16(nil, uint16(0x3000|len(data)-1)), data...)
}

// lznt1Run is an LZNT1 stream of one chunk: a byte, and a match that repeats
// it n times, n from 3 to 4095.
func lznt1Run(b byte, n int) []byte {
	return append(binary.LittleEndian.AppendUint16(nil, 0xb003), 0b10, b, byte(n-3), byte((n-3)>>8))
}

func TestDecompressText(t *testing.T) {
	for _, test := range []struct {
		name string
		data []byte
		size uint64
		want string
		err  error
		text string // in the error
	}{
		{"plain", lznt1Plain("a\x00b\x00\x00\x00"), 6, "a\x00b\x00\x00\x00", nil, ""},
		{"compressed", lznt1Run('a', 99), 100, strings.Repeat("a", 100), nil, ""},
		{"an end mark", append(lznt1Plain("a\x00"), 0, 0), 2, "a\x00", nil, ""},
		{"nothing", nil, 0, "", nil, ""},
		{"longer than claimed", lznt1Plain("a\x00b\x00"), 2, "", decode.ErrCorrupt, "more text than the claimed 2 bytes"},
		{"a byte longer than claimed", lznt1Plain("a\x00b"), 2, "", decode.ErrCorrupt, "more text than the claimed 2 bytes"},
		{"shorter than claimed", lznt1Plain("a\x00"), 4, "", decode.ErrTruncated, "2 of 4 bytes"},
		{"cut", lznt1Plain("a\x00b\x00")[:4], 4, "", decode.ErrCorrupt, "after 2 bytes"},
		{"no chunk", []byte("<xml>"), 4, "", decode.ErrCorrupt, "after 0 bytes"},
		{"half a UTF-16 unit", lznt1Plain("abc"), 3, "", decode.ErrCorrupt, "UTF-16 text of 3 bytes"},
		{"a claim beyond any compression ratio", lznt1Plain("a\x00"), 1 << 32, "", decode.ErrCorrupt, "4294967296 bytes of text are too many for 4"},
		{"a claim that overflows", lznt1Plain("a\x00"), 1<<64 - 2, "", decode.ErrCorrupt, "too many for 4"},
		{"a claim without bytes", nil, 2, "", decode.ErrCorrupt, "2 bytes of text are too many for 0"},
		{"an implausible ratio", lznt1Run('a', 255), 256, "", decode.ErrCorrupt, "256 bytes of text are too many for 6"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := decode.DecompressText([]byte("before"), test.data, test.size)
			if string(got) != "before"+test.want || !errors.Is(err, test.err) {
				t.Fatalf("%q, %v; want %q, %v", got, err, test.want, test.err)
			}
			if err != nil && !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %q does not contain %q", err, test.text)
			}
		})
	}
}

// FuzzDecompressText checks that the text has the claimed length or is missing, dst
// keeps its bytes, and no claim allocates more memory than its bytes may.
func FuzzDecompressText(f *testing.F) {
	for _, data := range [][]byte{nil, lznt1Plain("a\x00b\x00"), lznt1Run('a', 99), append(lznt1Run(0, 3), lznt1Plain("\xff\xd8")...)} {
		for _, size := range []uint64{0, 2, 4, 100, 4098, 1 << 40} {
			f.Add(data, size)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, size uint64) {
		before := []byte("before")
		got, err := decode.DecompressText(before, data, size)
		if !bytes.HasPrefix(got, before) || err == nil && uint64(len(got)-len(before)) != size || err != nil && len(got) != len(before) {
			t.Fatalf("%d bytes, %v, of %d claimed", len(got), err, size)
		}
		if limit := 100 * (len(data) + 64); cap(got) > limit {
			t.Fatalf("%d bytes of memory for %d bytes of data", cap(got), len(data))
		}
		again, err2 := decode.DecompressText(nil, data, size)
		if !bytes.Equal(again, got[len(before):]) || (err2 == nil) != (err == nil) {
			t.Fatalf("%d bytes, then %d when read again", len(got)-len(before), len(again))
		}
	})
}
