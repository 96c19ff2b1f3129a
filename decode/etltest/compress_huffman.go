package etltest

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	huffmanBlock = 65536 // bytes of src in a block
	endSymbol    = 256   // ends the stream; also a match of distance 1, length 3
	maxCodeLen   = 15
)

// lzToken is a literal (length 1, distance 0) or a match.
type lzToken struct {
	distance, length int
	literal          byte
}

// symbol is the index of the token's code: [MS-XCA] 2.1.4.3.
func (t lzToken) symbol() int {
	if t.distance == 0 {
		return int(t.literal)
	}
	return 256 + t.distanceBits()<<4 + min(t.length-3, 15)
}

func (t lzToken) distanceBits() int { return bits.Len(uint(t.distance)) - 1 }

// CompressHuffman appends src in LZ77 with Huffman codes ([MS-XCA] 2.1) to dst and returns the
// result. Blocks are of exactly 65536 bytes of src. Unlike in Windows' output, no match continues
// into the next block.
func CompressHuffman(dst, src []byte) []byte {
	m := newMatchFinder(src, 15, 65535)
	var tokens []lzToken
	for start := 0; start < len(src); start += huffmanBlock {
		end := min(start+huffmanBlock, len(src))
		tokens = tokens[:0]
		for i := start; i < end; {
			t := lzToken{literal: src[i], length: 1}
			if distance, length := m.find(i, end-i); length != 0 {
				t = lzToken{distance: distance, length: length}
			}
			m.insert(i, t.length)
			i += t.length
			tokens = append(tokens, t)
		}
		dst = appendBlock(dst, tokens, end == len(src))
	}
	return dst
}

func appendBlock(dst []byte, tokens []lzToken, last bool) []byte {
	var counts [512]int
	for _, t := range tokens {
		counts[t.symbol()]++
	}
	if last {
		counts[endSymbol]++
	}
	lengths := codeLengths(&counts)
	for i := 0; i < len(lengths); i += 2 {
		dst = append(dst, lengths[i]|lengths[i+1]<<4)
	}
	codes := assignCodes(&lengths)

	w := newBitWriter(dst)
	for _, t := range tokens {
		s := t.symbol()
		w.write(codes[s], int(lengths[s]))
		if t.distance == 0 {
			continue
		}
		if t.length-3 >= 15 {
			w.out = appendLength(w.out, t.length-3, 15)
		}
		n := t.distanceBits()
		w.write(uint32(t.distance-1<<n), n)
	}
	if last {
		w.write(codes[endSymbol], int(lengths[endSymbol]))
	}
	return w.finish()
}

// bitWriter writes codes to 16-bit words, highest bit first. The decoder loads
// two words at the start, and the next one as soon as it has used up the first.
// So the writer reserves places for two words ahead of any bytes between them.
type bitWriter struct {
	out  []byte
	at   [2]int // positions of the current and the next word
	word uint32
	free int // bits of the current word not yet written
}

func newBitWriter(out []byte) *bitWriter {
	n := len(out)
	return &bitWriter{out: append(out, 0, 0, 0, 0), at: [2]int{n, n + 2}, free: 16}
}

func (w *bitWriter) write(code uint32, n int) {
	if n <= w.free {
		w.word = w.word<<n | code
		w.free -= n
		return
	}
	rest := n - w.free
	binary.LittleEndian.PutUint16(w.out[w.at[0]:], uint16(w.word<<w.free|code>>rest))
	w.at = [2]int{w.at[1], len(w.out)}
	w.out = append(w.out, 0, 0)
	w.word = code & (1<<rest - 1)
	w.free = 16 - rest
}

func (w *bitWriter) finish() []byte {
	binary.LittleEndian.PutUint16(w.out[w.at[0]:], uint16(w.word<<w.free))
	return w.out
}

// codeLengths returns the lengths of a Huffman code for the counts. While a
// length exceeds 15, it halves the counts, which evens them out.
func codeLengths(counts *[512]int) [512]byte {
	used := 0
	for _, n := range counts {
		if n != 0 {
			used++
		}
	}
	if used == 1 { // a code needs two symbols to be complete
		for s := range 2 {
			if counts[s] == 0 {
				counts[s] = 1
				break
			}
		}
	}
	for {
		lengths := buildHuffman(counts)
		if slices.Max(lengths[:]) <= maxCodeLen {
			return lengths
		}
		for s, n := range counts {
			if n != 0 {
				counts[s] = n/2 + 1
			}
		}
	}
}

// buildHuffman joins the two rarest nodes until one is left. It takes them from
// two sorted queues: the leaves, and the joined nodes, which arise in order.
func buildHuffman(counts *[512]int) [512]byte {
	type node struct{ count, parent int }
	var nodes []node
	var symbols []int
	for s, n := range counts {
		if n != 0 {
			symbols = append(symbols, s)
		}
	}
	slices.SortStableFunc(symbols, func(a, b int) int { return cmp.Compare(counts[a], counts[b]) })
	for _, s := range symbols {
		nodes = append(nodes, node{count: counts[s]})
	}
	leaves, leaf, inner := len(nodes), 0, len(nodes)
	rarest := func() int {
		if leaf < leaves && (inner == len(nodes) || nodes[leaf].count <= nodes[inner].count) {
			leaf++
			return leaf - 1
		}
		inner++
		return inner - 1
	}
	for range leaves - 1 {
		a, b := rarest(), rarest()
		nodes[a].parent, nodes[b].parent = len(nodes), len(nodes)
		nodes = append(nodes, node{count: nodes[a].count + nodes[b].count})
	}
	var lengths [512]byte
	for i, s := range symbols {
		for n := i; n != len(nodes)-1; n = nodes[n].parent {
			lengths[s]++
		}
	}
	return lengths
}

// assignCodes assigns codes in the order of their lengths, and codes of equal
// length in the order of their symbols.
func assignCodes(lengths *[512]byte) (codes [512]uint32) {
	code := uint32(0)
	for n := byte(1); n <= maxCodeLen; n++ {
		for s, length := range lengths {
			if length == n {
				codes[s] = code
				code++
			}
		}
		code <<= 1
	}
	return codes
}
