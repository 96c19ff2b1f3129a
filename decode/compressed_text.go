package decode

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode/xca"
)

// textRatio bounds the expansion of compressed text. LZNT1 can expand 6 bytes to
// 4096, enough for a hostile trace to exhaust memory. The documents of WinSAT in
// real traces expand 2 to 5 times.
const textRatio = 32

// DecompressField is [DecompressText] for field i of a payload, which lies at its
// span. The field before it has the size.
func DecompressField(dst, payload []byte, i int, spans []Span) ([]byte, error) {
	size, data := spans[i-1], spans[i]
	return DecompressText(dst, payload[data.From:data.To], Uint(payload[size.From:size.To]))
}

// DecompressText appends the UTF-16 text of a field of kind [schema.LZNT1Text16]
// to dst. Another field gives the decompressed size, which must be exact.
func DecompressText(dst, data []byte, size uint64) ([]byte, error) {
	if size > textRatio*uint64(len(data)) {
		return dst, causef(ErrCorrupt, "%d bytes of text are too many for %d compressed bytes", size, len(data))
	}
	if size%2 != 0 {
		return dst, causef(ErrCorrupt, "UTF-16 text of %d bytes, an odd number", size)
	}
	start := len(dst)
	// One more byte shows whether the data continue beyond size.
	dst = slices.Grow(dst, int(size)+1)
	n, err := xca.DecodeLZNT1(dst[start:start+int(size)+1], data)
	switch {
	case err != nil:
		return dst, causef(ErrCorrupt, "after %d bytes of text: %v", n, err)
	case uint64(n) > size:
		return dst, causef(ErrCorrupt, "more text than the claimed %d bytes", size)
	case uint64(n) < size:
		return dst, causef(ErrTruncated, "only %d of %d bytes of text", n, size)
	}
	return dst[:start+n], nil
}
