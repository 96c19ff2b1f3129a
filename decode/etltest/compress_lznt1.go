package etltest

import (
	"encoding/binary"
	"math/bits"
)

// CompressLZNT1 appends src in LZNT1 ([MS-XCA] 2.5) to dst and returns the
// result: chunks of 4096 bytes of src, each compressed if that makes it
// smaller. There is no end marker, as in the example of [MS-XCA] 3.3.
func CompressLZNT1(dst, src []byte) []byte {
	for len(src) > 0 {
		chunk := src[:min(4096, len(src))]
		src = src[len(chunk):]
		start := len(dst)
		dst = appendChunk(append(dst, 0, 0), chunk)
		header := 0xB000
		if len(dst)-start-2 >= len(chunk) {
			dst = append(dst[:start+2], chunk...)
			header = 0x3000
		}
		binary.LittleEndian.PutUint16(dst[start:], uint16(header|(len(dst)-start-2-1)))
	}
	return dst
}

// appendChunk writes the compressed form of a chunk, without its header.
func appendChunk(dst, chunk []byte) []byte {
	m := newMatchFinder(chunk, 12, 4096)
	flags := 0 // position of the current group's flags
	for i, n := 0, 0; i < len(chunk); n++ {
		if n%8 == 0 {
			flags = len(dst)
			dst = append(dst, 0)
		}
		lengthBits := 16 - max(4, bits.Len(uint(max(i, 1)-1)))
		distance, length := m.find(i, min(len(chunk)-i, 1<<lengthBits+2))
		if length == 0 {
			dst = append(dst, chunk[i])
			length = 1
		} else {
			dst[flags] |= 1 << (n % 8)
			dst = binary.LittleEndian.AppendUint16(dst, uint16((distance-1)<<lengthBits|(length-3)))
		}
		m.insert(i, length)
		i += length
	}
	return dst
}
