package frames

import (
	"encoding/binary"
	"math/bits"
)

// Hash is a hash of words and texts, in their order. It has no seed, so that the same
// contents have the same hash in every run and on every machine.
type Hash uint64

// Word adds a number. Each step can be undone, so that no step loses anything.
func (h Hash) Word(v uint64) Hash {
	v = bits.RotateLeft64(v*0x87c37b91114253d5, 31) * 0x4cf5ad432745937f
	return Hash(bits.RotateLeft64(uint64(h)^v, 27)*5 + 0x52dce729)
}

// Text adds a text and its length.
func (h Hash) Text(s string) Hash {
	h = h.Word(uint64(len(s)))
	var last [8]byte
	for ; len(s) > 0; s = s[min(8, len(s)):] {
		clear(last[:])
		copy(last[:], s)
		h = h.Word(binary.LittleEndian.Uint64(last[:]))
	}
	return h
}

// Sum returns the hash, in which each bit depends on everything added.
func (h Hash) Sum() uint64 {
	v := uint64(h)
	v = (v ^ v>>33) * 0xff51afd7ed558ccd
	v = (v ^ v>>33) * 0xc4ceb9fe1a85ec53
	return v ^ v>>33
}
