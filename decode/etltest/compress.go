package etltest

import (
	"encoding/binary"
	"math/bits"
)

// CompressPlain appends src in plain LZ77 ([MS-XCA] 2.3, the XPRESS format of
// compressed traces) to dst and returns the result. It replaces Windows'
// encoder in tests and in the benchmark amplifier: it compresses about as
// well, to different bytes.
//
// [MS-XCA]: https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-xca
func CompressPlain(dst, src []byte) []byte {
	w := plainWriter{out: dst, half: -1}
	w.newFlags()
	m := newMatchFinder(src, 13, 8192)
	for i := 0; i < len(src); {
		distance, length := m.find(i, len(src)-i)
		if length == 0 {
			w.literal(src[i])
			length = 1
		} else {
			w.match(distance, length)
		}
		m.insert(i, length)
		i += length
	}
	return w.finish()
}

// plainWriter writes the tokens of a plain LZ77 stream.
type plainWriter struct {
	out   []byte
	at    int    // position in out of the word that flags will go to
	flags uint32 // the last count flags, the newest lowest
	count int
	half  int // position in out of a length byte with a free high half, or -1
}

// newFlags leaves room for the next word of flags: it precedes its tokens.
func (w *plainWriter) newFlags() {
	w.at, w.flags, w.count = len(w.out), 0, 0
	w.out = append(w.out, 0, 0, 0, 0)
}

func (w *plainWriter) flag(bit uint32) {
	w.flags = w.flags<<1 | bit
	if w.count++; w.count == 32 {
		binary.LittleEndian.PutUint32(w.out[w.at:], w.flags)
		w.newFlags()
	}
}

func (w *plainWriter) literal(b byte) {
	w.out = append(w.out, b)
	w.flag(0)
}

// match writes a match by [MS-XCA] 2.3.4: 3 bits of length, then half a byte,
// a byte, two bytes and four bytes, each only if the ones before are too small.
func (w *plainWriter) match(distance, length int) {
	n := length - 3
	w.out = binary.LittleEndian.AppendUint16(w.out, uint16((distance-1)<<3|min(n, 7)))
	if n >= 7 {
		w.putHalf(min(n-7, 15))
		if n >= 7+15 {
			w.out = appendLength(w.out, n, 7+15)
		}
	}
	w.flag(1)
}

func (w *plainWriter) putHalf(v int) {
	if w.half >= 0 {
		w.out[w.half] |= byte(v << 4)
		w.half = -1
		return
	}
	w.half = len(w.out)
	w.out = append(w.out, byte(v))
}

// finish fills the last word with match flags: a decoder stops at a match flag
// when it has no input left.
func (w *plainWriter) finish() []byte {
	free := 32 - w.count
	flags := uint64(w.flags)<<free | (1<<free - 1)
	binary.LittleEndian.PutUint32(w.out[w.at:], uint32(flags))
	return w.out
}

// appendLength writes n >= least, the length of a match less 3, in the form
// that plain LZ77 and LZ77 with Huffman codes share.
func appendLength(out []byte, n, least int) []byte {
	switch {
	case n-least < 255:
		return append(out, byte(n-least))
	case n <= 0xFFFF:
		return binary.LittleEndian.AppendUint16(append(out, 0xFF), uint16(n))
	default:
		return binary.LittleEndian.AppendUint32(append(out, 0xFF, 0, 0), uint32(n))
	}
}

// matchFinder finds earlier occurrences of bytes by a hash of three of them. It
// remembers only the latest position of each hash, so that amplified traces are
// as hard to read as real ones: plain LZ77 of trace data then comes within 1 %
// of Windows' size; with more positions it is some 13 % smaller.
type matchFinder struct {
	src   []byte
	shift uint
	last  []int32 // by hash, the position plus 1, or 0
	limit int     // the greatest distance
}

// newMatchFinder returns a matchFinder over src with 2^hashBits hashes and
// distances up to limit.
func newMatchFinder(src []byte, hashBits uint, limit int) *matchFinder {
	return &matchFinder{src: src, shift: 32 - hashBits, last: make([]int32, 1<<hashBits), limit: limit}
}

func (m *matchFinder) hash(i int) uint32 {
	s := m.src[i : i+3]
	return (uint32(s[0])<<8 | uint32(s[1])<<16 | uint32(s[2])<<24) * 0x9E3779B1 >> m.shift
}

// insert adds the positions i to i+n-1 to those that find searches.
func (m *matchFinder) insert(i, n int) {
	for end := min(i+n, len(m.src)-2); i < end; i++ {
		m.last[m.hash(i)] = int32(i + 1)
	}
}

// find returns a match for the bytes at i, of at most maxLength, or a length
// of 0.
func (m *matchFinder) find(i, maxLength int) (distance, length int) {
	if i+3 > len(m.src) || maxLength < 3 {
		return 0, 0
	}
	c := int(m.last[m.hash(i)]) - 1
	if c < 0 || i-c > m.limit {
		return 0, 0
	}
	if length = m.common(c, i, maxLength); length < 3 {
		return 0, 0
	}
	return i - c, length
}

// common returns how many bytes at a and at b > a are equal, up to limit.
func (m *matchFinder) common(a, b, limit int) int {
	x, y := m.src[a:], m.src[b:b+limit]
	n := 0
	for ; n+8 <= len(y); n += 8 {
		if d := binary.LittleEndian.Uint64(x[n:]) ^ binary.LittleEndian.Uint64(y[n:]); d != 0 {
			return n + bits.TrailingZeros64(d)/8
		}
	}
	for n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}
