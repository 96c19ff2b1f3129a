package rows

import (
	"encoding/binary"
	"math/bits"
)

// stableHash is a hash of words and texts, in their order. It has no seed, so that the same
// contents have the same hash in every run and on every machine.
type stableHash uint64

// word adds a number. Each step is reversible, so that no information is lost.
func (h stableHash) word(v uint64) stableHash {
	v = bits.RotateLeft64(v*0x87c37b91114253d5, 31) * 0x4cf5ad432745937f
	return stableHash(bits.RotateLeft64(uint64(h)^v, 27)*5 + 0x52dce729)
}

// text adds a text and its length.
func (h stableHash) text(s string) stableHash {
	h = h.word(uint64(len(s)))
	var last [8]byte
	for ; len(s) > 0; s = s[min(8, len(s)):] {
		clear(last[:])
		copy(last[:], s)
		h = h.word(binary.LittleEndian.Uint64(last[:]))
	}
	return h
}

// sum returns the hash. Each of its bits depends on everything added.
func (h stableHash) sum() uint64 {
	v := uint64(h)
	v = (v ^ v>>33) * 0xff51afd7ed558ccd
	v = (v ^ v>>33) * 0xc4ceb9fe1a85ec53
	return v ^ v>>33
}
