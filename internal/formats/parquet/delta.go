package parquet

import (
	"encoding/binary"
	"math/bits"
)

// The blocks of DELTA_BINARY_PACKED. Few values take the smallest block that the format allows.
const (
	deltaBlock    = 2048
	deltaParts    = 8 // miniblocks of a block
	fewDeltas     = 1024
	fewDeltaBlock = 128
	fewDeltaParts = 4
	packedSlack   = 8 // bytes after packed values that packing may overwrite
)

// appendDelta appends values in the encoding DELTA_BINARY_PACKED, for a page that zstd compresses.
//
// Parquet requires neither minimal bit widths nor the minimum difference as the base of a block.
// Widths here are whole bytes, and the base is 0 if values rise, else the power of two below. So
// equal differences are equal bytes in all blocks: zstd finds their repeats, and stores frequent
// bytes in few bits. Compared with minimal widths, times take a tenth less; keys, addresses and
// references take a third to a twentieth.
func appendDelta[T int32 | int64](dst []byte, values []T, room *[deltaBlock]uint64) []byte {
	block, parts := deltaBlock, deltaParts
	if len(values) <= fewDeltas {
		block, parts = fewDeltaBlock, fewDeltaParts
	}
	dst = binary.AppendUvarint(dst, uint64(block))
	dst = binary.AppendUvarint(dst, uint64(parts))
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	if len(values) == 0 {
		return append(dst, 0)
	}
	last := values[0]
	dst = binary.AppendVarint(dst, int64(last))
	for values = values[1:]; len(values) > 0; {
		n := min(block, len(values))
		least := int64(0)
		for i, v := range values[:n] {
			d := int64(v - last) // wraps around, as the format requires
			last = v
			least = min(least, d)
			room[i] = uint64(d)
		}
		base := deltaBase(least)
		if base != 0 {
			for i := range room[:n] {
				room[i] -= uint64(base)
			}
		}
		clear(room[n:block])
		dst = appendDeltaBlock(dst, base, room[:block], n, parts)
		values = values[n:]
	}
	return dst
}

// deltaBase returns the base of a block: 0, or the next power of two below a negative difference.
func deltaBase(least int64) int64 {
	if least >= 0 {
		return 0
	}
	return -1 << bits.Len64(uint64(-(least + 1)))
}

// appendDeltaBlock appends a block with n differences. Miniblocks without any difference are
// omitted, and have the width 0.
func appendDeltaBlock(dst []byte, base int64, differences []uint64, n, parts int) []byte {
	dst = binary.AppendVarint(dst, base)
	widths := len(dst)
	dst = append(dst, make([]byte, parts)...)
	size := len(differences) / parts
	for p := 0; p*size < n; p++ {
		part := differences[p*size : (p+1)*size]
		all := uint64(0)
		for _, d := range part {
			all |= d
		}
		width := (bits.Len64(all) + 7) / 8
		dst[widths+p] = byte(8 * width)
		if width > 0 {
			dst = appendLow(dst, part, width)
		}
	}
	return dst
}

// appendLow appends the low bytes of each value.
func appendLow[T byte | int32 | int64 | uint64](dst []byte, values []T, width int) []byte {
	at := len(dst)
	end := at + width*len(values)
	dst = grow(dst, end+packedSlack)
	switch room := dst[at:]; width {
	case 1:
		room = room[:len(values)]
		for i, v := range values {
			room[i] = byte(v)
		}
		return dst[:end]
	case 2:
		for ; len(values) >= 4 && len(room) >= 8; values, room = values[4:], room[8:] {
			binary.LittleEndian.PutUint64(room, uint64(uint16(values[0]))|uint64(uint16(values[1]))<<16|uint64(uint16(values[2]))<<32|uint64(values[3])<<48)
			at += 8
		}
	case 4:
		for ; len(values) >= 4 && len(room) >= 16; values, room = values[4:], room[16:] {
			binary.LittleEndian.PutUint64(room, uint64(uint32(values[0]))|uint64(values[1])<<32)
			binary.LittleEndian.PutUint64(room[8:], uint64(uint32(values[2]))|uint64(values[3])<<32)
			at += 16
		}
	case 8:
		for ; len(values) >= 4 && len(room) >= 32; values, room = values[4:], room[32:] {
			binary.LittleEndian.PutUint64(room, uint64(values[0]))
			binary.LittleEndian.PutUint64(room[8:], uint64(values[1]))
			binary.LittleEndian.PutUint64(room[16:], uint64(values[2]))
			binary.LittleEndian.PutUint64(room[24:], uint64(values[3]))
			at += 32
		}
	}
	for _, v := range values { // the rest, or all: eight bytes of each, of which the next value takes the upper ones
		binary.LittleEndian.PutUint64(dst[at:], uint64(v))
		at += width
	}
	return dst[:end]
}

// grow returns b with a length of n.
func grow(b []byte, n int) []byte {
	if n <= cap(b) {
		return b[:n]
	}
	return append(b[:cap(b)], make([]byte, n-cap(b))...)
}
