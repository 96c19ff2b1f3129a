package xca

import "encoding/binary"

// The helpers slice to the exact width because that costs one bounds check
// where b[i:] costs two. Slicing checks against the capacity, so a caller must
// have cut that down to the length.

func load16(b []byte, i int) uint16     { return binary.LittleEndian.Uint16(b[i : i+2]) }
func load32(b []byte, i int) uint32     { return binary.LittleEndian.Uint32(b[i : i+4]) }
func load64(b []byte, i int) uint64     { return binary.LittleEndian.Uint64(b[i : i+8]) }
func store64(b []byte, i int, v uint64) { binary.LittleEndian.PutUint64(b[i:i+8], v) }

// copy16 copies 16 bytes within b to a position at least 8 bytes later.
func copy16(b []byte, to, from int) {
	w, r := b[to:to+16], b[from:from+16]
	binary.LittleEndian.PutUint64(w, binary.LittleEndian.Uint64(r))
	binary.LittleEndian.PutUint64(w[8:], binary.LittleEndian.Uint64(r[8:]))
}

// patterns turns a match of distance 1 to 8 into one word to store repeatedly:
// of the 8 bytes at the start of the match, mask keeps the distance's worth,
// spread repeats them through the word, and step, the largest multiple of the
// distance that is at most 8, is how far apart copies of the word join up.
var patterns = [9]struct {
	mask, spread uint64
	step         int
}{
	1: {0xFF, 0x0101010101010101, 8},
	2: {0xFFFF, 0x0001000100010001, 8},
	3: {0xFFFFFF, 0x0001000001000001, 6},
	4: {0xFFFFFFFF, 0x0000000100000001, 8},
	5: {0xFFFFFFFFFF, 0x0000010000000001, 5},
	6: {0xFFFFFFFFFFFF, 0x0001000000000001, 6},
	7: {0xFFFFFFFFFFFFFF, 0x0100000000000001, 7},
	8: {0xFFFFFFFFFFFFFFFF, 1, 8},
}

// copyMatch repeats length bytes of dst from distance before o at o, as if one
// byte at a time, and writes nothing else. The caller has checked that
// 0 < distance <= o and o+length <= len(dst).
func copyMatch(dst []byte, o, distance, length int) {
	from, end := o-distance, o+length
	// The bytes between from and o repeat, so each round can copy all bytes written since from: the
	// source doubles.
	for o < end {
		o += copy(dst[o:end], dst[from:o])
	}
}

// longNumber reads the number at the start of src. It is one byte, to which least is
// added; or 0xFF and a u16; or 0xFF, a u16 of 0 and a u32. The u16 or u32 is the number
// itself and must not be below least. least is the first length, less 3, that the
// shorter forms of a match's length cannot represent.
func longNumber(src []byte, least uint64) (number uint64, size int, err error) {
	if len(src) < 1 {
		return 0, 0, ErrTruncated
	}
	if src[0] != 0xFF {
		return least + uint64(src[0]), 1, nil
	}
	if len(src) < 3 {
		return 0, 0, ErrTruncated
	}
	number, size = uint64(binary.LittleEndian.Uint16(src[1:])), 3
	if number == 0 {
		if len(src) < 7 {
			return 0, 0, ErrTruncated
		}
		number, size = uint64(binary.LittleEndian.Uint32(src[3:])), 7
	}
	if number < least {
		return 0, 0, ErrCorrupt
	}
	return number, size, nil
}
