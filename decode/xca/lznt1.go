package xca

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// The parts of an LZNT1 chunk header ([MS-XCA] 2.5.1.2), and the output of
// every chunk but the last.
const (
	chunkCompressed = 0x8000
	chunkSignature  = 0x7000 // these bits must hold chunkSigned
	chunkSigned     = 0x3000
	chunkSize       = 0x0FFF // number of bytes after the header, less 1
	chunkOutput     = 4096
)

// DecodeLZNT1 decompresses LZNT1 ([MS-XCA] 2.5, COMPRESSION_FORMAT_LZNT1) from
// src to dst. See the package for contract and errors.
//
// A chunk ends at 4096 bytes of output. A shorter chunk other than the last is followed
// by zeros up to 4096, so that chunk i begins at 4096*i. Wine's RtlDecompressBuffer does
// the same; the examples of [MS-XCA] have no such chunk, and Windows was not tested.
func DecodeLZNT1(dst, src []byte) (int, error) {
	dst = slices.Clip(dst)
	out := 0
	for out < len(dst) && len(src) > 0 {
		if len(src) < 2 {
			return out, ErrTruncated
		}
		header := binary.LittleEndian.Uint16(src)
		if header == 0 {
			break // the end of the stream; the rest does not belong to it
		}
		if header&chunkSignature != chunkSigned {
			return out, ErrCorrupt
		}
		if pad := -out & (chunkOutput - 1); pad != 0 {
			pad = min(pad, len(dst)-out)
			clear(dst[out : out+pad])
			out += pad
		}
		size := int(header&chunkSize) + 1
		chunk := src[2:min(2+size, len(src))]
		src = src[2+len(chunk):]

		n, err := decodeChunk(dst[out:min(out+chunkOutput, len(dst))], chunk, header&chunkCompressed != 0)
		out += n
		switch {
		case err == nil && len(chunk) < size && out < len(dst):
			return out, ErrTruncated
		case errors.Is(err, ErrTruncated) && len(chunk) == size:
			return out, ErrCorrupt // the token is cut by its chunk, not by the input
		case errors.Is(err, ErrFull) && out < len(dst):
			return out, ErrCorrupt // there is room, but not for this chunk
		case err != nil:
			return out, err
		}
	}
	return out, nil
}

// decodeChunk decodes the bytes after a chunk header. Here dst is the chunk's
// alone: matches do not reach back into earlier chunks.
func decodeChunk(dst, chunk []byte, compressed bool) (int, error) {
	if !compressed {
		return copy(dst, chunk), nil
	}
	in, out := 0, 0
	for in < len(chunk) {
		flags := uint(chunk[in]) | 0x100 // the added bit marks the end
		in++
		for ; flags != 1 && in < len(chunk); flags >>= 1 {
			if out == len(dst) {
				return out, nil
			}
			if flags&1 == 0 {
				dst[out] = chunk[in]
				in++
				out++
				continue
			}
			if in+2 > len(chunk) {
				return out, ErrTruncated
			}
			token := binary.LittleEndian.Uint16(chunk[in:])
			in += 2
			// The farther into the chunk, the more of the token's bits are
			// needed for the distance, and the fewer are left for the length:
			// [MS-XCA] 2.5.1.4.
			lengthBits := 16 - max(4, bits.Len(uint(max(out, 1)-1)))
			distance := int(token>>lengthBits) + 1
			length := int(token&(1<<lengthBits-1)) + 3
			if distance > out {
				return out, ErrCorrupt
			}
			if left := len(dst) - out; length > left {
				copyMatch(dst, out, distance, left)
				return len(dst), ErrFull
			}
			if length <= 16 && distance >= 8 && len(dst)-out >= 16 {
				copy16(dst, out, out-distance)
			} else {
				copyMatch(dst, out, distance, length)
			}
			out += length
		}
	}
	return out, nil
}
