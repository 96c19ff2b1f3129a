package index

import (
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"
)

// Identity identifies the contents of a trace. It detects changes, not forgeries: its hash is cheap
// and not cryptographic.
type Identity [16]byte

// identify returns the identity of the trace: a hash of all buffers, and of the bytes of the file
// between them. The index pass must have run with Options.Sums.
func (x *Index) identify() (id Identity, err error) {
	h := xxh3.New()
	word := func(n uint64) { h.Write(binary.LittleEndian.AppendUint64(nil, n)) } // never fails
	word(uint64(x.File.Size()))
	end := int64(0)
	for i := range x.Buffers {
		b := x.File.BufferInfo(i)
		if err := x.hashBytes(h, end, b.Offset); err != nil {
			return id, err
		}
		word(uint64(b.Offset))
		word(uint64(b.Size))
		word(x.Sums[i])
		end = b.Offset + int64(b.Size)
	}
	if err := x.hashBytes(h, end, x.File.Size()); err != nil {
		return id, err
	}
	return h.Sum128().Bytes(), nil
}

// hashBytes adds the bytes of a range of the file to a hash.
func (x *Index) hashBytes(h *xxh3.Hasher, from, to int64) error {
	if from >= to {
		return nil
	}
	piece := make([]byte, min(to-from, 128<<10))
	for from < to {
		piece = piece[:min(to-from, int64(len(piece)))]
		if n, err := x.File.ReadAt(piece, from); n < len(piece) {
			return fmt.Errorf("read %d bytes at %#x: %w", len(piece), from, err)
		}
		h.Write(piece) // never fails
		from += int64(len(piece))
	}
	return nil
}
