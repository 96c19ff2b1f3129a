package cab

import "errors"

// maxCodeLength is the longest code of an LZX tree: lengths have five bits in
// deltas modulo 17.
const maxCodeLength = 16

// tableBits is the length of the codes that one look-up decodes.
const tableBits = 11

// huffman is a tree of canonical Huffman codes. Codes of up to tableBits bits
// are looked up; longer ones, which are rare, are found by their length.
type huffman struct {
	empty   bool
	table   [1 << tableBits]uint16 // symbol << 4 | length, or 0 for a longer code
	end     [maxCodeLength + 1]uint32
	first   [maxCodeLength + 1]int // index in symbols, minus the code, of the first code of a length
	symbols []uint16               // by code
}

var (
	errTree  = errors.New("a Huffman tree with too many or too few codes")
	errEmpty = errors.New("a symbol of a Huffman tree without codes")
)

// build makes the tree for the given code lengths. An empty tree is valid if it is not used;
// in any other tree every code must have a symbol.
func (h *huffman) build(lengths []uint8) error {
	var counts [maxCodeLength + 1]int
	for _, n := range lengths {
		counts[n]++
	}
	h.empty = counts[0] == len(lengths)
	if h.empty {
		return nil
	}
	code, index := 0, 0
	var next [maxCodeLength + 1]int // index in symbols
	for n := 1; n <= maxCodeLength; n++ {
		code <<= 1
		h.first[n] = index - code
		next[n] = index
		code += counts[n]
		index += counts[n]
		if code > 1<<n {
			return errTree
		}
		h.end[n] = uint32(code) << (maxCodeLength - n)
	}
	if code != 1<<maxCodeLength {
		return errTree
	}
	h.symbols = append(h.symbols[:0], make([]uint16, index)...)
	for symbol, n := range lengths {
		if n > 0 {
			h.symbols[next[n]] = uint16(symbol)
			next[n]++
		}
	}
	h.fillTable(lengths, counts)
	return nil
}

func (h *huffman) fillTable(lengths []uint8, counts [maxCodeLength + 1]int) {
	at, index := 0, 0
	for n := 1; n <= tableBits; n++ {
		span := 1 << (tableBits - n)
		for range counts[n] {
			entry := h.symbols[index]<<4 | uint16(n)
			for i := range span {
				h.table[at+i] = entry
			}
			at += span
			index++
		}
	}
	clear(h.table[at:])
}

// read decodes a symbol.
func (h *huffman) read(r *bitReader) (int, error) {
	if h.empty {
		return 0, errEmpty
	}
	bits := r.peek(maxCodeLength)
	if entry := h.table[bits>>(maxCodeLength-tableBits)]; entry != 0 {
		r.drop(int(entry & 15))
		return int(entry >> 4), nil
	}
	n := tableBits + 1
	for bits >= h.end[n] {
		n++
	}
	r.drop(n)
	return int(h.symbols[h.first[n]+int(bits>>(maxCodeLength-n))]), nil
}
