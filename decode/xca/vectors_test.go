package xca_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/decode/xca"
)

const alphabet = "abcdefghijklmnopqrstuvwxyz"

// table writes a Huffman table: the bytes at the given positions, else 0.
func table(bytes map[int]byte) string {
	var b [256]byte
	for at, v := range bytes {
		b[at] = v
	}
	return hex.EncodeToString(b[:])
}

var (
	// The tables of the two examples in [MS-XCA] 3.2.
	alphabetTable = table(map[int]byte{
		48: 0x50, 49: 0x55, 50: 0x55, 51: 0x55, 52: 0x55, 53: 0x55, 54: 0x55, 55: 0x55,
		56: 0x55, 57: 0x55, 58: 0x55, 59: 0x45, 60: 0x44, 61: 0x04, 128: 0x04,
	})
	abcTable = table(map[int]byte{48: 0x30, 49: 0x23, 128: 0x02, 143: 0x20})
)

// vectors are streams with known output. Names with a section number are the
// examples of [MS-XCA]. The other streams are derived by hand from the format, or
// are Windows output as published on the cifs-protocol list.
var vectors = []struct {
	format format
	name   string
	src    string
	size   int // bound; the output may be shorter
	want   string
	err    error
}{
	{plain, "3.1 alphabet", "3f000000 6162636465666768696a6b6c6d6e6f707172737475767778797a", 26, alphabet, nil},
	{plain, "3.1 abc", "ffffff1f 616263 1700 0f ff 2601", 300, strings.Repeat("abc", 100), nil},
	{plain, "empty", "", 5, "", nil},
	{plain, "no output", "ffffffff", 0, "", nil},
	{plain, "flags only", "ffffffff", 5, "", nil},
	{plain, "flags cut", "ffffff", 5, "", xca.ErrTruncated},
	{plain, "literal missing", "00000000 61", 5, "a", xca.ErrTruncated},
	{plain, "token cut", "ffffff7f 61 00", 5, "a", xca.ErrTruncated},
	{plain, "half missing", "ffffff7f 61 0700", 50, "a", xca.ErrTruncated},
	{plain, "number missing", "ffffff7f 61 0700 0f", 50, "a", xca.ErrTruncated},
	{plain, "u16 cut", "ffffff7f 61 0700 0f ff 20", 50, "a", xca.ErrTruncated},
	{plain, "u32 cut", "ffffff7f 61 0700 0f ff 0000 200000", 50, "a", xca.ErrTruncated},
	{plain, "u16 too small", "ffffff7f 61 0700 0f ff 1500", 50, "a", xca.ErrCorrupt},
	{plain, "u32 too small", "ffffff7f 61 0700 0f ff 0000 15000000", 50, "a", xca.ErrCorrupt},
	{plain, "u16", "ffffff7f 61 0700 0f ff 1600", 26, strings.Repeat("a", 26), nil},
	{plain, "u32", "ffffff7f 61 0700 0f ff 0000 1e000000", 34, strings.Repeat("a", 34), nil},
	{plain, "u32 of 4 GiB", "ffffff7f 61 0700 0f ff 0000 ffffffff", 34, strings.Repeat("a", 34), xca.ErrFull},
	{plain, "shared half", "ffffff3f 6162 0f00 21 0f00", 25, strings.Repeat("ab", 12) + "a", nil},
	{plain, "first distance", "ffffffff 0000", 5, "", xca.ErrCorrupt},
	{plain, "distance", "ffffff7f 61 0800", 5, "a", xca.ErrCorrupt},
	{plain, "full", "ffffff7f 61 0100", 4, "aaaa", xca.ErrFull},

	{huffman, "3.2 alphabet", alphabetTable + "d8523ed794115be9195ff9d67cdf8d04 00000000", 26, alphabet, nil},
	{huffman, "3.2 abc", abcTable + "a8dc 0000 ff 2601", 300, strings.Repeat("abc", 100), nil},
	{huffman, "u32", abcTable + "a8dc 0000 ff 0000 26010000", 300, strings.Repeat("abc", 100), nil},
	{huffman, "u32 of 4 GiB", abcTable + "a8dc 0000 ff 0000 ffffffff", 33, strings.Repeat("abc", 11), xca.ErrFull},
	{huffman, "u16 too small", abcTable + "a8dc 0000 ff 0e00", 300, "abc", xca.ErrCorrupt},
	{huffman, "u16 cut", abcTable + "a8dc 0000 ff 00", 300, "abc", xca.ErrTruncated},
	// lists.samba.org/archive/cifs-protocol/2022-November/003824.html: Windows'
	// output for 65537 zeros, where a match carries the block past its end.
	{huffman, "long block", table(map[int]byte{0: 2, 128: 2, 135: 0x10}) + "0098 0000 ff fdff", 65537, strings.Repeat("\x00", 65537), nil},
	{huffman, "empty", "", 5, "", nil},
	{huffman, "table cut", strings.Repeat("11", 255), 5, "", xca.ErrTruncated},
	{huffman, "no codes", strings.Repeat("00", 300), 5, "", xca.ErrCorrupt},
	{huffman, "too many codes", strings.Repeat("88", 300), 5, "", xca.ErrCorrupt},
	{huffman, "too few codes", table(map[int]byte{48: 0x22, 49: 0x02}) + "00000000", 5, "", xca.ErrCorrupt},
	{huffman, "fixed lengths", strings.Repeat("99", 256) + "00000000", 3, "\x00\x00\x00", nil},
	{huffman, "one code", table(map[int]byte{48: 0x10}) + "00000000", 9, "", xca.ErrCorrupt},
	{huffman, "used up", table(map[int]byte{48: 0x10, 49: 0x01}) + "00000000", 40, strings.Repeat("a", 32), xca.ErrTruncated},
	{huffman, "first distance", table(map[int]byte{48: 0x10, 128: 0x01}) + "00800000", 9, "", xca.ErrCorrupt},

	{lznt1, "3.3", `38b088462320002047204100 10a24701a045204400084501507900c0
		4520052413880 5b4024a44ef0358028c0916014845 00be009e00040118 9000`, 142,
		"F# F# G A A G F# E D D E F# F# E E F# F# G A A G F# E D D E F# E D D E E F# " +
			"D E F# G F# D E F# G F# E D E A F# F# G A A G F# E D D E F# E D D\x00", nil},
	{lznt1, "stored", "0230 616263", 9, "abc", nil},
	{lznt1, "end", "0230 616263 0000 ffff", 9, "abc", nil},
	{lznt1, "padded", "0030 61 0130 6263", 4099, "a" + strings.Repeat("\x00", 4095) + "bc", nil},
	{lznt1, "empty", "", 5, "", nil},
	{lznt1, "header cut", "02", 5, "", xca.ErrTruncated},
	{lznt1, "stored cut", "0230 6162", 5, "ab", xca.ErrTruncated},
	{lznt1, "stored too long", "0230 616263", 2, "ab", nil},
	{lznt1, "signature", "0220 616263", 5, "", xca.ErrCorrupt},
	{lznt1, "first distance", "02b0 01 0000", 5, "", xca.ErrCorrupt},
	{lznt1, "distance", "03b0 02 61 0010", 5, "a", xca.ErrCorrupt},
	{lznt1, "token cut by input", "03b0 02 61 00", 5, "a", xca.ErrTruncated},
	{lznt1, "token cut by chunk", "02b0 02 61 00 0030 62", 5, "a", xca.ErrCorrupt},
	{lznt1, "full", "03b0 02 61 0000", 3, "aaa", xca.ErrFull},
	{lznt1, "more than a chunk", "03b0 02 61 fe0f", 5000, strings.Repeat("a", 4096), xca.ErrCorrupt},
	{lznt1, "distance into last chunk", "0030 61 02b0 01 0000", 5000, "a" + strings.Repeat("\x00", 4095), xca.ErrCorrupt},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.format.name+"/"+v.name, func(t *testing.T) {
			got, err := v.format.run(t, v.size, etltest.MustHex(t, v.src))
			if !errors.Is(err, v.err) || !bytes.Equal(got, []byte(v.want)) {
				t.Errorf("got %.40q (%d bytes), %v\nwant %.40q (%d bytes), %v", got, len(got), err, v.want, len(v.want), v.err)
			}
		})
	}
}
