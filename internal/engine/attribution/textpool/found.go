package textpool

import (
	"bytes"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Found are the texts that a worker finds. Most texts occur again and again. There is one pool,
// and so the worker does for it what it can.
type Found struct {
	Decoded
	raw   []byte // as events have them
	ends  []uint32
	slots []Slot
}

// Decoded are the same texts in UTF-8, with the hashes that pools need.
type Decoded struct {
	all    []byte
	ends   []uint32
	hashes []uint32
}

// Len returns the number of texts.
func (d *Decoded) Len() int { return len(d.ends) }

// At returns a text and its hash, for a pool.
func (d *Decoded) At(n Number) (text []byte, hash uint32) {
	from, to := bounds(d.ends, n)
	return d.all[from:to], d.hashes[n-1]
}

// add adds the text of a field, and reports whether it is not empty.
func (d *Decoded) add(kind schema.Kind, text []byte) bool {
	from := len(d.all)
	if kind == schema.Text8 {
		d.all = decode.AppendNarrow(d.all, text)
	} else {
		d.all = decode.AppendUTF16(d.all, text)
	}
	if len(d.all) == from {
		return false
	}
	d.ends, d.hashes = append(d.ends, uint32(len(d.all))), append(d.hashes, hashOf(d.all[from:]))
	return true
}

// Number returns the number of the text of a field. All fields must be of one kind.
func (f *Found) Number(kind schema.Kind, text []byte) Number {
	if 2*len(f.ends) >= len(f.slots) {
		f.slots = Grown(f.slots)
	}
	hash := hashOf(text)
	mask := uint32(len(f.slots) - 1)
	at := hash & mask
	for ; f.slots[at].Number != 0; at = (at + 1) & mask {
		if s := f.slots[at]; s.Hash == hash && bytes.Equal(f.Raw(s.Number), text) {
			return s.Number
		}
	}
	if !f.add(kind, text) {
		return 0
	}
	f.raw, f.ends = append(f.raw, text...), append(f.ends, uint32(len(f.raw)+len(text)))
	f.slots[at] = Slot{Number(len(f.ends)), hash}
	return Number(len(f.ends))
}

// Raw returns a text as the field has it.
func (f *Found) Raw(n Number) []byte {
	from, to := bounds(f.ends, n)
	return f.raw[from:to]
}

// Bytes returns how many bytes the fields of all texts have.
func (f *Found) Bytes() int { return len(f.raw) }

// Renewed returns room for as many texts, in which there are none. The texts must not be used
// after it, but for copies of Decoded.
func (f *Found) Renewed() Found {
	clear(f.slots)
	n := cap(f.ends)
	return Found{
		Decoded: Decoded{make([]byte, 0, cap(f.all)), make([]uint32, 0, n), make([]uint32, 0, n)},
		raw:     f.raw[:0], ends: f.ends[:0], slots: f.slots,
	}
}
