package decode

import (
	"bytes"
	"math/bits"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TextEnd returns the size of the text at the start of b, including its NUL.
// Without a NUL the text extends to the end of b.
func TextEnd(kind schema.Kind, b []byte) int {
	if kind == schema.Text8 {
		return narrowEnd(b)
	}
	return wideEnd(b)
}

func narrowEnd(b []byte) int {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return i + 1
	}
	return len(b)
}

func wideEnd(b []byte) int {
	i := 0
	for rest := b; len(rest) >= 32; rest = rest[32:] { // four words at a time, until one has the NUL
		v, w, x, y := le.Uint64(rest), le.Uint64(rest[8:]), le.Uint64(rest[16:]), le.Uint64(rest[24:])
		if zeroUnits(v)|zeroUnits(w)|zeroUnits(x)|zeroUnits(y) != 0 {
			break
		}
		i += 32
	}
	for ; i+8 <= len(b); i += 8 {
		if zero := zeroUnits(le.Uint64(b[i:])); zero != 0 {
			return i + bits.TrailingZeros64(zero)/16*2 + 2
		}
	}
	for ; i+1 < len(b); i += 2 {
		if b[i] == 0 && b[i+1] == 0 {
			return i + 2
		}
	}
	return len(b)
}

// isWide reports whether b is one text, so that [wideEnd] would return its size. For most non-empty
// texts it takes half the time of wideEnd, because the last words overlap.
func isWide(b []byte) bool {
	before := len(b) - 2 // no unit before the last one may be a NUL
	if before < 8 || before%2 != 0 {
		return wideEnd(b) == len(b)
	}
	i := 0
	for ; i+32 <= before; i += 32 {
		four := b[i : i+32]
		if zeroUnits(le.Uint64(four))|zeroUnits(le.Uint64(four[8:]))|zeroUnits(le.Uint64(four[16:]))|zeroUnits(le.Uint64(four[24:])) != 0 {
			return false
		}
	}
	for ; i+8 <= before; i += 8 {
		if zeroUnits(le.Uint64(b[i:])) != 0 {
			return false
		}
	}
	return zeroUnits(le.Uint64(b[before-8:before])) == 0
}

// wbemSIDEnd returns the end of a SID in the form of WBEM: a u32 of 0 if there is
// none, or else a TOKEN_USER, which is two meaningless pointers, and the SID.
func wbemSIDEnd(payload []byte, at, pointerSize int) (int, error) {
	rest := payload[at:]
	if len(rest) < 4 {
		return 0, causef(ErrTruncated, "%d bytes are left for a SID", len(rest))
	}
	if le.Uint32(rest) == 0 {
		return at + 4, nil
	}
	sid := 2 * pointerSize
	if len(rest) < sid+8 {
		return 0, causef(ErrTruncated, "%d bytes are left for a SID", len(rest))
	}
	if revision, authorities := rest[sid], rest[sid+1]; revision != sidRevision || authorities > maxSubAuthorities {
		return 0, causef(ErrCorrupt, "no SID: revision %d, %d sub-authorities", revision, authorities)
	}
	return sidEnd(payload, at+sid)
}

// Constants of Windows: no SID has another revision, or more sub-authorities.
const (
	sidRevision       = 1
	maxSubAuthorities = 15
)

// sidEnd returns the end of a SID.
func sidEnd(payload []byte, at int) (int, error) {
	rest := payload[at:]
	if len(rest) < 8 {
		return 0, causef(ErrTruncated, "%d bytes are left for a SID", len(rest))
	}
	end := 8 + 4*int(rest[1])
	if end > len(rest) {
		return 0, causef(ErrTruncated, "a SID of %d bytes, but %d are left", end, len(rest))
	}
	return at + end, nil
}
