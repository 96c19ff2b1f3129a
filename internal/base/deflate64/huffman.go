package deflate64

import (
	"errors"
	"math/bits"
)

const (
	maxCodeLength = 15
	tableBits     = 10 // length of the codes that one look-up decodes
)

// huffman is a tree of canonical codes. In the stream, a code begins with its highest bit.
type huffman struct {
	table   [1 << tableBits]uint16 // by the bits in stream order: symbol << 4 | length, 0 for longer codes
	end     [maxCodeLength + 1]uint32
	first   [maxCodeLength + 1]int // index in symbols of the first code of a length, minus that code
	symbols [286 + 2]uint16        // by code
}

var (
	errTree = errors.New("deflate64: a Huffman tree with too many or too few codes")
	errCode = errors.New("deflate64: a code without a meaning")
)

// build makes the tree for the given code lengths. Every code must have a symbol, unless there is
// only one.
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

// find returns the symbol of the code at the start of 15 bits, and the length of the code.
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
