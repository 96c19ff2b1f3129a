package xca_test

import (
	"encoding/binary"
	"errors"

	"github.com/etl2parquet/etl2parquet/decode/xca"
)

// The decoders of this file follow [MS-XCA] line by line, byte by byte and bit by
// bit, with the contract of the package. Tests compare the real decoders with
// them, so they share no code.

// reference is the state of all three reference decoders. Its methods panic with
// one of the sentinels, which run turns into a result.
type reference struct {
	dst, src []byte
	in, out  int
}

func (r *reference) run(decode func()) (n int, err error) {
	defer func() {
		n = r.out
		switch e := recover().(type) {
		case nil:
		case error:
			if !errors.Is(e, xca.ErrTruncated) && !errors.Is(e, xca.ErrCorrupt) && !errors.Is(e, xca.ErrFull) {
				panic(e)
			}
			err = e
		default:
			panic(e)
		}
	}()
	decode()
	return
}

// number reads a little-endian number of size bytes.
func (r *reference) number(size int) uint64 {
	if len(r.src)-r.in < size {
		panic(xca.ErrTruncated)
	}
	var b [8]byte
	copy(b[:], r.src[r.in:r.in+size])
	r.in += size
	return binary.LittleEndian.Uint64(b[:])
}

func (r *reference) put(b byte) {
	if r.out == len(r.dst) {
		panic(xca.ErrFull)
	}
	r.dst[r.out] = b
	r.out++
}

func (r *reference) match(distance int, length uint64) {
	if distance > r.out {
		panic(xca.ErrCorrupt)
	}
	for ; length > 0; length-- {
		if r.out == len(r.dst) {
			panic(xca.ErrFull)
		}
		r.put(r.dst[r.out-distance])
	}
}

// referencePlain is the pseudocode of [MS-XCA] 2.4.4.
func referencePlain(dst, src []byte) (int, error) {
	r := &reference{dst: dst, src: src}
	return r.run(func() {
		var flags uint64
		flagCount, lastHalf := 0, -1
		for r.out < len(dst) {
			if flagCount == 0 {
				if r.in == len(src) {
					return
				}
				flags, flagCount = r.number(4), 32
			}
			flagCount--
			if flags>>flagCount&1 == 0 {
				r.put(byte(r.number(1)))
				continue
			}
			if r.in == len(src) {
				return
			}
			token := r.number(2)
			length, distance := token%8, int(token/8)+1
			if length == 7 {
				if lastHalf < 0 {
					lastHalf = r.in
					length = r.number(1) % 16
				} else {
					length = uint64(src[lastHalf] / 16)
					lastHalf = -1
				}
				if length == 15 {
					length = r.number(1)
					if length == 255 {
						length = r.number(2)
						if length == 0 {
							length = r.number(4)
						}
						if length < 15+7 {
							panic(xca.ErrCorrupt)
						}
						length -= 15 + 7
					}
					length += 15
				}
				length += 7
			}
			r.match(distance, length+3)
		}
	})
}

// referenceHuffman is the pseudocode of [MS-XCA] 2.2.4 with the loaded bits as a
// list, which holds at least 16 bits until the input ends.
func referenceHuffman(dst, src []byte) (int, error) {
	r := &reference{dst: dst, src: src}
	return r.run(func() {
		for r.out < len(dst) && r.in < len(src) {
			r.huffmanBlock()
		}
	})
}

func (r *reference) huffmanBlock() {
	if len(r.src)-r.in < 260 {
		panic(xca.ErrTruncated)
	}
	codes := referenceCodes(r.src[r.in : r.in+256])
	r.in += 256
	var queue string
	fill := func() {
		for len(queue) < 16 && len(r.src)-r.in >= 2 {
			queue += bitString(uint32(r.number(2)), 16)
		}
		if len(queue) < 16 {
			r.in = len(r.src) // half a word is useless, even for lengths
		}
	}
	take := func(n int) string {
		if n > len(queue) {
			panic(xca.ErrTruncated)
		}
		bits := queue[:n]
		queue = queue[n:]
		fill()
		return bits
	}
	fill()
	queue += bitString(uint32(r.number(2)), 16)

	end := r.out + 65536
	for r.out < len(r.dst) && r.out < end {
		ahead := queue + "000000000000000"
		symbol, n := 0, 1
		for ; n <= 15; n++ {
			if s, ok := codes[ahead[:n]]; ok {
				symbol = s
				break
			}
		}
		if n > 15 {
			panic(xca.ErrCorrupt)
		}
		take(n)
		if symbol < 256 {
			r.put(byte(symbol))
			continue
		}
		length := uint64(symbol % 16)
		if length == 15 {
			length = r.number(1)
			if length == 255 {
				length = r.number(2)
				if length == 0 {
					length = r.number(4)
				}
				if length < 15 {
					panic(xca.ErrCorrupt)
				}
				length -= 15
			}
			length += 15
		}
		distance := 1
		for _, bit := range take((symbol - 256) / 16) {
			distance = distance*2 + int(bit-'0')
		}
		r.match(distance, length+3)
	}
}

func bitString(v uint32, n int) string {
	s := make([]byte, n)
	for i := range s {
		s[i] = '0' + byte(v>>(n-1-i)&1)
	}
	return string(s)
}

// referenceCodes returns the symbols by code, each code written in 0s and 1s.
func referenceCodes(table []byte) map[string]int {
	codes := map[string]int{}
	code := uint32(0) // the next one, lengthened to 15 bits
	for n := 1; n <= 15; n++ {
		for symbol := range 512 {
			if int(table[symbol/2]>>(symbol%2*4)&15) != n {
				continue
			}
			if code >= 1<<15 {
				panic(xca.ErrCorrupt)
			}
			codes[bitString(code>>(15-n), n)] = symbol
			code += 1 << (15 - n)
		}
	}
	if code != 1<<15 {
		panic(xca.ErrCorrupt)
	}
	return codes
}

// referenceLZNT1 follows [MS-XCA] 2.5. It decodes each chunk separately.
func referenceLZNT1(dst, src []byte) (int, error) {
	r := &reference{dst: dst, src: src}
	return r.run(func() {
		for r.out < len(dst) && r.in < len(src) {
			header := int(r.number(2))
			if header == 0 {
				return
			}
			if header>>12&7 != 3 {
				panic(xca.ErrCorrupt)
			}
			for r.out%4096 != 0 && r.out < len(dst) {
				r.put(0)
			}
			size := header&0xFFF + 1
			end := min(r.in+size, len(src))
			part := dst[r.out:]
			if len(part) > 4096 {
				part = part[:4096]
			}
			chunk := &reference{dst: part, src: src[r.in:end]}
			n, err := chunk.run(func() { chunk.lznt1Chunk(header >= 0x8000) })
			whole := end-r.in == size
			r.in, r.out = end, r.out+n
			if err == nil && !whole && r.out < len(dst) {
				err = xca.ErrTruncated
			}
			if errors.Is(err, xca.ErrTruncated) && whole || errors.Is(err, xca.ErrFull) && r.out < len(dst) {
				err = xca.ErrCorrupt
			}
			if err != nil {
				panic(err)
			}
		}
	})
}

func (r *reference) lznt1Chunk(compressed bool) {
	if !compressed {
		for r.in < len(r.src) && r.out < len(r.dst) {
			r.put(byte(r.number(1)))
		}
		return
	}
	for r.in < len(r.src) {
		flags := r.number(1)
		for bit := range 8 {
			if r.in == len(r.src) || r.out == len(r.dst) {
				return
			}
			if flags>>bit&1 == 0 {
				r.put(byte(r.number(1)))
				continue
			}
			token := r.number(2)
			// The largest M in [4:12] such that 2^(M-1) < U, or else 4.
			m := 12
			for m > 4 && 1<<(m-1) >= r.out {
				m--
			}
			r.match(int(token>>(16-m))+1, token%(1<<(16-m))+3)
		}
	}
}
