package attribution

import (
	"bytes"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// foundTexts are the texts that a worker finds. Most texts occur again and again, and all workers
// share one pool. So each worker decodes and hashes a text once, before the pool adopts it.
type foundTexts struct {
	decodedTexts
	fields []byte // in the encoding of the events
	ends   []uint32
	slots  []hashSlot[workerText]
}

// decodedTexts are the same texts in UTF-8, with the hashes that pools need.
type decodedTexts struct {
	all    []byte
	ends   []uint32
	hashes []uint32
}

// len returns the number of texts.
func (d *decodedTexts) len() int { return len(d.ends) }

// at returns a text and its hash, for a pool.
func (d *decodedTexts) at(n workerText) (text []byte, hash uint32) {
	from, to := textBounds(d.ends, n)
	return d.all[from:to], d.hashes[n-1]
}

// add adds the text of a field, and reports whether it is not empty.
func (d *decodedTexts) add(kind schema.Kind, text []byte) bool {
	from := len(d.all)
	d.all = doubled(d.all, len(text)) // of which ASCII needs half
	if kind == schema.Text8 {
		d.all = decode.AppendNarrow(d.all, text)
	} else {
		d.all = decode.AppendUTF16(d.all, text)
	}
	if len(d.all) == from {
		return false
	}
	d.ends, d.hashes = append(d.ends, uint32(len(d.all))), append(d.hashes, hashOfText(d.all[from:]))
	return true
}

// number returns the number of the text of a field. All fields must be of one kind.
func (f *foundTexts) number(kind schema.Kind, text []byte) workerText {
	if 2*len(f.ends) >= len(f.slots) {
		f.slots = grownSlots(f.slots)
	}
	hash := hashOfText(text)
	mask := uint32(len(f.slots) - 1)
	at := hash & mask
	for ; f.slots[at].number != 0; at = (at + 1) & mask {
		if s := f.slots[at]; s.hash == hash && bytes.Equal(f.field(s.number), text) {
			return s.number
		}
	}
	if !f.add(kind, text) {
		return 0
	}
	f.fields, f.ends = append(doubled(f.fields, len(text)), text...), append(f.ends, uint32(len(f.fields)+len(text)))
	f.slots[at] = hashSlot[workerText]{workerText(len(f.ends)), hash}
	return workerText(len(f.ends))
}

// doubled returns b with room for n bytes. It at least doubles the room: append grows long slices by a
// quarter, so it would copy each byte four times.
func doubled(b []byte, n int) []byte {
	if cap(b)-len(b) < n {
		b = slices.Grow(b, max(n, cap(b)))
	}
	return b
}

// field returns the bytes of a text as in the field.
func (f *foundTexts) field(n workerText) []byte {
	from, to := textBounds(f.ends, n)
	return f.fields[from:to]
}

// bytes returns the size of the fields of all texts.
func (f *foundTexts) bytes() int { return len(f.fields) }

// renewed returns an empty foundTexts with the capacity of f. After the call f must not be used,
// except through copies of decodedTexts.
func (f *foundTexts) renewed() foundTexts {
	clear(f.slots)
	n := cap(f.ends)
	return foundTexts{
		decodedTexts: decodedTexts{make([]byte, 0, cap(f.all)), make([]uint32, 0, n), make([]uint32, 0, n)},
		fields:       f.fields[:0], ends: f.ends[:0], slots: f.slots,
	}
}
