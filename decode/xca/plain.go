package xca

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// noFlags is a flag register without flags: only the end marker.
const noFlags = 1 << 63

// plainState is a decoder between two tokens of a plain LZ77 stream.
type plainState struct {
	in, out int
	// flags holds the unread flags of the current word from bit 63 down, then
	// a 1 bit as an end marker. Counting leading zeros thus gives the number
	// of literals before the next match or the end of the word.
	flags uint64
	// half is the unread high half of a length byte with bit 4 set, or 0.
	// Two long matches share such a byte: [MS-XCA] 2.4.4, LastLengthHalfByte.
	half uint
}

// DecodePlain decompresses plain LZ77 ([MS-XCA] 2.4, COMPRESSION_FORMAT_XPRESS)
// from src to dst. See the package for contract and errors.
func DecodePlain(dst, src []byte) (int, error) {
	dst, src = slices.Clip(dst), slices.Clip(src)
	return decodePlainTail(dst, src, decodePlainFast(dst, src))
}

// The margins let decodePlainFast check once per round that the longest round
// fits: a flag word, up to 32 literals, and a match.
const (
	plainInMargin  = 4 + 32 + 10 + 8 // 10: the longest match token; 8: a wide load
	plainOutMargin = 32 + 16         // 16: the least that a match stores; longer ones check for themselves
)

// decodePlainFast decodes as long as src and dst have room for wide loads and stores,
// and returns the state before the first token that it does not decode. It has no
// errors: it leaves a bad token, or one near an end, to decodePlainTail, which works
// byte by byte.
func decodePlainFast(dst, src []byte) plainState {
	in, out, flags, half := 0, 0, uint64(noFlags), uint(0)
	inEnd, outEnd := len(src)-plainInMargin, len(dst)-plainOutMargin
	for in <= inEnd && out <= outEnd {
		if flags == noFlags {
			flags = uint64(load32(src, in))<<32 | 1<<31
			in += 4
		}
		n := bits.LeadingZeros64(flags)
		store64(dst, out, load64(src, in))
		if n > 8 {
			copy(dst[out:out+n], src[in:in+n])
		}
		in += n
		out += n
		flags <<= uint(n) & 63 // n is at most 32; the mask saves a check in the compiled code
		if flags == noFlags {
			continue
		}

		token := uint(load16(src, in))
		distance, length := int(token>>3)+1, int(token&7)
		next, nextHalf := in+2, half
		if length == 7 {
			if half == 0 {
				b := uint(src[next])
				next++
				length += int(b & 15)
				nextHalf = b>>4 | 16
			} else {
				length += int(half & 15)
				nextHalf = 0
			}
			if length == 7+15 {
				long, size, err := longNumber(src[next:], 7+15)
				if err != nil || long > uint64(len(dst)) {
					break
				}
				length = int(long)
				next += size
			}
		}
		length += 3
		if distance > out {
			break
		}
		if distance > 8 {
			from := out - distance
			copy16(dst, out, from)
			if length > 16 {
				if length > len(dst)-16-out {
					break
				}
				if length > 64 {
					copyMatch(dst, out, distance, length)
				} else {
					for k := 16; k < length; k += 16 {
						copy16(dst, out+k, from+k)
					}
				}
			}
		} else {
			if length > len(dst)-16-out {
				break
			}
			p := &patterns[distance&15]
			word := (load64(dst, out-distance) & p.mask) * p.spread
			store64(dst, out, word)
			for k := p.step; k < length; k += p.step {
				store64(dst, out+k, word)
			}
		}
		in, half = next, nextHalf
		out += length
		flags <<= 1
	}
	return plainState{in, out, flags, half}
}

// decodePlainTail decodes the rest, token by token.
func decodePlainTail(dst, src []byte, s plainState) (int, error) {
	for s.out < len(dst) {
		if s.flags == noFlags {
			switch left := src[s.in:]; {
			case len(left) == 0:
				return s.out, nil
			case len(left) < 4:
				return s.out, ErrTruncated
			default:
				s.flags = uint64(binary.LittleEndian.Uint32(left))<<32 | 1<<31
				s.in += 4
			}
		}
		match := s.flags>>63 != 0
		s.flags <<= 1
		if match && s.in == len(src) {
			return s.out, nil // the encoder fills the last word with 1 bits: 2.3.4
		}
		var err error
		if match {
			err = s.match(dst, src)
		} else {
			err = s.literal(dst, src)
		}
		if err != nil {
			return s.out, err
		}
	}
	return s.out, nil
}

func (s *plainState) literal(dst, src []byte) error {
	if s.in == len(src) {
		return ErrTruncated
	}
	dst[s.out] = src[s.in]
	s.in++
	s.out++
	return nil
}

// match decodes the match at s.in. After an error s.in is undefined.
func (s *plainState) match(dst, src []byte) error {
	if len(src)-s.in < 2 {
		return ErrTruncated
	}
	token := binary.LittleEndian.Uint16(src[s.in:])
	s.in += 2
	distance, length := int(token>>3)+1, uint64(token&7)
	if length == 7 {
		var err error
		if length, err = s.longLength(src); err != nil {
			return err
		}
	}
	length += 3
	if distance > s.out {
		return ErrCorrupt
	}
	if left := len(dst) - s.out; length > uint64(left) {
		copyMatch(dst, s.out, distance, left)
		s.out = len(dst)
		return ErrFull
	}
	copyMatch(dst, s.out, distance, int(length))
	s.out += int(length)
	return nil
}

// longLength reads the length after a token whose length bits are all set: half a
// byte and, if its bits are all set too, a number.
func (s *plainState) longLength(src []byte) (uint64, error) {
	half := s.half & 15
	if s.half != 0 {
		s.half = 0
	} else {
		if s.in == len(src) {
			return 0, ErrTruncated
		}
		b := uint(src[s.in])
		s.in++
		half, s.half = b&15, b>>4|16
	}
	if half < 15 {
		return 7 + uint64(half), nil
	}
	length, size, err := longNumber(src[s.in:], 7+15)
	s.in += size
	return length, err
}
