package cab

import "encoding/binary"

// bitReader reads the bits of an LZX frame: little-endian 16-bit words, highest bit first.
// After the end it reads zeros; short reports whether any were taken.
type bitReader struct {
	in    []byte
	at    int    // of the next word
	bits  uint64 // the next bits, from the highest bit down
	count int    // number of bits
}

// fill makes at least 48 bits available.
func (r *bitReader) fill() {
	for r.count <= 48 {
		var word uint64
		switch left := len(r.in) - r.at; {
		case left >= 2:
			word = uint64(binary.LittleEndian.Uint16(r.in[r.at:]))
		case left == 1:
			word = uint64(r.in[r.at])
		}
		r.at += 2
		r.bits |= word << (48 - r.count)
		r.count += 16
	}
}

// peek returns the next n bits, 1 to 32 of them.
func (r *bitReader) peek(n int) uint32 {
	if r.count < n {
		r.fill()
	}
	return uint32(r.bits >> (64 - n))
}

func (r *bitReader) drop(n int) {
	r.bits <<= n
	r.count -= n
}

// read reads n bits, at most 32.
func (r *bitReader) read(n int) uint32 {
	if n == 0 {
		return 0
	}
	v := r.peek(n)
	r.drop(n)
	return v
}

// short reports whether bits beyond the end were taken.
func (r *bitReader) short() bool { return r.at-r.count/8 > len(r.in)+len(r.in)&1 }

// align moves to the next word, and skips a whole word if it is at the start of one. It returns
// the position of the next byte.
func (r *bitReader) align() int {
	if r.count == 0 {
		r.fill()
	}
	words := (r.count - 1) / 16
	r.at -= 2 * words
	r.bits, r.count = 0, 0
	return r.at
}
