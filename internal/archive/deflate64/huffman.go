package deflate64

import (
	"errors"
	"math/bits"
)

const (
	maxCodeLength = 15
	tableBits     = 10 // length of the codes that one look-up decodes
)

// huffman is a tree of canonical codes. The bits of a code come in the stream
// from its highest to its lowest.
type huffman struct {
	table   [1 << tableBits]uint16 // by the bits as they come: symbol << 4 | length, 0 for others
	end     [maxCodeLength + 1]uint32
	first   [maxCodeLength + 1]int // index in symbols of the first code of a length, minus that code
	symbols [286 + 2]uint16        // by code
}

var (
	errTree = errors.New("deflate64: a Huffman tree with too many or too few codes")
	errCode = errors.New("deflate64: a code without a meaning")
)

// build makes the tree of the given code lengths. All codes must have a
// meaning, unless there is only one.
func (h *huffman) build(lengths []uint8) error {
	var counts, next [maxCodeLength + 1]int
	for _, n := range lengths {
		counts[n]++
	}
	used := len(lengths) - counts[0]
	code, index := 0, 0
	for n := 1; n <= maxCodeLength; n++ {
		code <<= 1
		h.first[n], next[n] = index-code, index
		code += counts[n]
		index += counts[n]
		if code > 1<<n {
			return errTree
		}
		h.end[n] = uint32(code) << (maxCodeLength - n)
	}
	single := used == 0 || used == 1 && counts[1] == 1
	if code != 1<<maxCodeLength && !single {
		return errTree
	}
	clear(h.table[:])
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		at := next[n]
		next[n]++
		h.symbols[at] = uint16(symbol)
		if n > tableBits {
			continue
		}
		reversed := int(bits.Reverse16(uint16(at-h.first[n])) >> (16 - n))
		for i := reversed; i < len(h.table); i += 1 << n {
			h.table[i] = uint16(symbol)<<4 | uint16(n)
		}
	}
	return nil
}

// find returns the symbol that 15 bits begin with, and the length of its code.
func (h *huffman) find(in uint32) (symbol, length int, err error) {
	if e := h.table[in&(1<<tableBits-1)]; e != 0 {
		return int(e >> 4), int(e & 15), nil
	}
	code := uint32(bits.Reverse16(uint16(in)) >> 1)
	for n := 1; n <= maxCodeLength; n++ {
		if code < h.end[n] {
			return int(h.symbols[h.first[n]+int(code>>(maxCodeLength-n))]), n, nil
		}
	}
	return 0, 0, errCode
}
