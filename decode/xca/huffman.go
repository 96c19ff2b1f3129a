package xca

import (
	"slices"
)

const (
	huffmanSymbols = 512              // 256 literals and 256 kinds of match
	huffmanTable   = 256              // bytes of code lengths before a block, a nibble per symbol
	huffmanHead    = huffmanTable + 4 // and the first two words of codes, always there
	huffmanBlock   = 65536            // bytes of output that end a block
	huffmanMaxLen  = 15               // bits in the longest code
	huffmanFastLen = 11               // bits looked up in one step
)

// DecodeHuffman decompresses LZ77 with Huffman codes ([MS-XCA] 2.2,
// COMPRESSION_FORMAT_XPRESS_HUFF) from src to dst. See the package
// for contract and errors.
//
// The length of dst must be the length of the output, because the format does not mark
// its end uniquely: symbol 256, with which an encoder ends the stream, also stands for
// a match of distance 1 and length 3. It is the end only if the output is complete
// ([MS-XCA] 2.2.4). A shorter dst cuts the output off.
func DecodeHuffman(dst, src []byte) (int, error) {
	dst, src = slices.Clip(dst), slices.Clip(src)
	var codes huffmanCodes
	r := huffmanReader{src: src}
	out := 0
	for out < len(dst) && r.in < len(src) {
		if len(src)-r.in < huffmanHead {
			return out, ErrTruncated
		}
		if !codes.build(src[r.in:]) {
			return out, ErrCorrupt
		}
		r.start(r.in + huffmanTable)
		var err error
		if out, err = decodeBlock(dst, out, &r, &codes); err != nil {
			return out, err
		}
	}
	return out, nil
}

// decodeBlock decodes one block to dst[out:] and returns the new out. A match
// may carry a block past its 65536 bytes: the block ends at the first token
// boundary from there on.
func decodeBlock(dst []byte, out int, r *huffmanReader, codes *huffmanCodes) (int, error) {
	end := len(dst)
	if end-out > huffmanBlock {
		end = out + huffmanBlock
	}
	for out < end {
		symbol, size := codes.lookup(r.window)
		if !r.skip(size) {
			return out, ErrTruncated
		}
		if symbol < 256 {
			dst[out] = byte(symbol)
			out++
			continue
		}
		length := uint64(symbol & 15)
		if length == 15 {
			var err error
			if length, err = r.longLength(); err != nil {
				return out, err
			}
		}
		length += 3
		// The highest bit of the distance is implied by the number of its other bits.
		n := (symbol - 256) >> 4
		distance := int(1<<n | r.window>>1>>(31-n))
		if !r.skip(n) {
			return out, ErrTruncated
		}
		if distance > out {
			return out, ErrCorrupt
		}
		left := len(dst) - out
		if length > uint64(left) {
			copyMatch(dst, out, distance, left)
			return len(dst), ErrFull
		}
		if length <= 16 && distance >= 8 && left >= 16 {
			copy16(dst, out, out-distance)
		} else {
			copyMatch(dst, out, distance, int(length))
		}
		out += int(length)
	}
	return out, nil
}

// huffmanReader reads codes from 16-bit little-endian words, highest bit first, and
// bytes between the words. It takes a word from the input as soon as it has fewer than
// 16 unread bits. That moment decides which bytes are words and which are lengths, so
// the reader must not read further ahead.
type huffmanReader struct {
	src    []byte
	in     int    // position of the next word or byte in src
	window uint32 // the next bits, from bit 31 down
	extra  int    // number of bits in window, less 16
	ended  bool   // window's last 16 bits are made up
}

// start begins a block whose words begin at position in of src, which has
// room for the first two.
func (r *huffmanReader) start(in int) {
	r.window = uint32(load16(r.src, in))<<16 | uint32(load16(r.src, in+2))
	r.in, r.extra, r.ended = in+4, 16, false
}

// skip drops n <= 15 bits from the window and refills it. It reports whether the input
// had those bits. The window is filled before it is needed, so the input may end
// there. Zeros then replace the missing word, and only using them is an error.
func (r *huffmanReader) skip(n uint) bool {
	r.window <<= n & 31
	r.extra -= int(n)
	if r.extra >= 0 {
		return true
	}
	return r.refill()
}

func (r *huffmanReader) refill() bool {
	if r.ended {
		return false
	}
	if len(r.src)-r.in >= 2 {
		r.window |= uint32(load16(r.src, r.in)) << uint(-r.extra)
		r.in += 2
	} else {
		// An odd byte is half of the missing word; it is not a length.
		r.in, r.ended = len(r.src), true
	}
	r.extra += 16
	return true
}

// longLength reads the bytes for a match whose length bits are all set, and
// returns its length less 3. The number may take seven bytes: the encoder of
// [MS-XCA] 2.1.4.3 writes that form, which the decoder of 2.2.4 lacks.
func (r *huffmanReader) longLength() (uint64, error) {
	length, size, err := longNumber(r.src[r.in:], 15)
	r.in += size
	return length, err
}

// huffmanCodes is the canonical code of one block: codes are handed out in
// the order of their lengths, and among equal lengths of their symbols.
type huffmanCodes struct {
	// fast maps the next 11 bits to symbol<<4 | length for codes that fit, and
	// to 0 for others.
	fast [1 << huffmanFastLen]uint16
	// first[n] is the first code of n bits, followed by zeros to make 15;
	// first[n+1] is thus the end of those codes. index[n] is its position in
	// sorted.
	first  [huffmanMaxLen + 2]uint32
	index  [huffmanMaxLen + 2]uint32
	sorted [huffmanSymbols]uint16
}

// lookup returns the symbol whose code begins the window, and the length of that code.
// There always is one, because build rejects incomplete codes.
func (c *huffmanCodes) lookup(window uint32) (symbol, size uint) {
	if e := uint(c.fast[window>>(32-huffmanFastLen)]); e != 0 {
		return e >> 4, e & 15
	}
	return c.lookupLong(window >> (32 - huffmanMaxLen))
}

func (c *huffmanCodes) lookupLong(code uint32) (symbol, size uint) {
	n := huffmanFastLen + 1
	for code >= c.first[n+1] { // first[16], 1<<15, is above every code
		n++
	}
	i := c.index[n] + (code-c.first[n])>>(huffmanMaxLen-n)
	return uint(c.sorted[i]), uint(n)
}

// build sets the code from the 256 bytes of lengths at the start of table, and
// reports whether it is complete: every sequence of bits must begin with
// exactly one code ([MS-XCA] 2.2.4).
func (c *huffmanCodes) build(table []byte) bool {
	table = table[:huffmanTable]
	var count [16]uint32
	for _, b := range table {
		count[b&15]++
		count[b>>4]++
	}
	count[0] = 0

	code, index := uint32(0), uint32(0)
	var next [16]uint32 // position in sorted for the next symbol of a length
	for n := 1; n <= huffmanMaxLen; n++ {
		c.first[n], c.index[n], next[n] = code, index, index
		code += count[n] << (huffmanMaxLen - n)
		index += count[n]
	}
	c.first[huffmanMaxLen+1] = code
	if code != 1<<huffmanMaxLen {
		return false
	}
	for i, b := range table {
		if n := b & 15; n != 0 {
			c.sorted[next[n]] = uint16(2 * i)
			next[n]++
		}
		if n := b >> 4; n != 0 {
			c.sorted[next[n]] = uint16(2*i + 1)
			next[n]++
		}
	}
	c.fillFast(&count)
	return true
}

func (c *huffmanCodes) fillFast(count *[16]uint32) {
	at, i := 0, 0
	for n := 1; n <= huffmanFastLen; n++ {
		width := 1 << (huffmanFastLen - n)
		for range count[n] {
			entry := c.sorted[i]<<4 | uint16(n)
			for k := range width {
				c.fast[at+k] = entry
			}
			at += width
			i++
		}
	}
	clear(c.fast[at:])
}
