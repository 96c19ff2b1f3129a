package parquet

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// directNumbers is the number of small numbers that are looked up without a hash: most ids, sizes
// and flags are small.
const directNumbers = 4 << 10

// fewNumbers is the number of entries from which clearing the whole table of small numbers is
// faster than clearing their places.
const fewNumbers = 256

// leastSlots is the size of a new hash table. Sizes are powers of two.
const leastSlots = 256

// dictionary assigns an index to each distinct value of a column in a row group.
type dictionary struct {
	spec *schema.Column

	numbers []int64
	direct  [directNumbers]int32 // small numbers: index plus 1; 0 if missing
	slots   []int32              // hash table of the other numbers, or of texts: index plus 1; 0 if free

	texts  [][]byte
	seed   maphash.Seed
	hashes []uint64 // of texts
	batch  *columns.Batch
	byCode []int32 // by code of the batch: index plus 1; 0 if not looked up yet

	later bool   // the page is not the first of the row group, which uses all entries that there are
	used  []bool // by text: used in this page, if it is a later one
}

func (d *dictionary) reset(spec *schema.Column) {
	d.spec, d.batch = spec, nil
	d.clearDirect()
	clear(d.slots)
	d.slots = d.slots[:0] // all of its capacity is free
	if d.seed == (maphash.Seed{}) {
		d.seed = maphash.MakeSeed()
	}
	d.numbers, d.texts, d.hashes, d.used = d.numbers[:0], d.texts[:0], d.hashes[:0], d.used[:0]
}

// clearDirect empties the table of small numbers.
func (d *dictionary) clearDirect() {
	if len(d.numbers) >= fewNumbers {
		clear(d.direct[:])
		return
	}
	for _, v := range d.numbers {
		if uint64(v) < directNumbers {
			d.direct[v] = 0
		}
	}
}

// forget drops what belongs to batches.
func (d *dictionary) forget() {
	clear(d.texts[:cap(d.texts)])
	d.texts, d.batch = d.texts[:0], nil
}

func (d *dictionary) beginBatch(b *columns.Batch) {
	d.batch, d.byCode = b, d.byCode[:0]
}

func (d *dictionary) beginPage(later bool) {
	d.later = later
	clear(d.used)
}

func (d *dictionary) len() int { return len(d.numbers) + len(d.texts) }

// small appends the indices of values.
func (d *dictionary) small(dst, values []int32) []int32 {
	room := columns.More(&dst, len(values))[:len(values)]
	for i, v := range values {
		if uint32(v) < directNumbers { // a shortcut for the previous value would be mispredicted if two values alternate
			if index := d.direct[v]; index != 0 {
				room[i] = index - 1
				continue
			}
		}
		room[i] = d.number(int64(v))
	}
	return dst
}

// ints appends the indices of values.
func (d *dictionary) ints(dst []int32, values []int64) []int32 {
	room := columns.More(&dst, len(values))[:len(values)]
	last, index := ^values[0], int32(0)
	for i, v := range values {
		if v != last {
			last = v
			if index = d.find(v); index < 0 {
				index = d.number(v)
			}
		}
		room[i] = index
	}
	return dst
}

// find returns the index of a number, or -1 if it is not where it is looked for first.
func (d *dictionary) find(v int64) int32 {
	if uint64(v) < directNumbers {
		return d.direct[v] - 1
	}
	if len(d.slots) == 0 {
		return -1
	}
	slot := d.slots[hashNumber(v)&uint64(len(d.slots)-1)]
	if slot == 0 || d.numbers[slot-1] != v {
		return -1
	}
	return slot - 1
}

// number returns the index of a number.
func (d *dictionary) number(v int64) int32 {
	if uint64(v) >= directNumbers {
		return d.search(v)
	}
	if d.direct[v] == 0 {
		d.numbers = append(d.numbers, v)
		d.direct[v] = int32(len(d.numbers))
	}
	return d.direct[v] - 1
}

// search finds the index of a number in the hash table.
func (d *dictionary) search(v int64) int32 {
	if 2*len(d.numbers) >= len(d.slots) {
		d.grow()
	}
	mask := uint64(len(d.slots) - 1)
	for i := hashNumber(v) & mask; ; i = (i + 1) & mask {
		slot := d.slots[i]
		if slot == 0 {
			d.numbers = append(d.numbers, v)
			d.slots[i] = int32(len(d.numbers))
			return int32(len(d.numbers) - 1)
		}
		if d.numbers[slot-1] == v {
			return slot - 1
		}
	}
}

func hashNumber(v int64) uint64 {
	h := uint64(v) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// grow doubles the hash table.
func (d *dictionary) grow() {
	d.room()
	for n, v := range d.numbers {
		if uint64(v) >= directNumbers {
			d.insert(hashNumber(v), int32(n))
		}
	}
}

// room doubles the space of the hash table, and leaves it empty.
func (d *dictionary) room() {
	size := max(leastSlots, 2*len(d.slots))
	clear(d.slots)
	if size > cap(d.slots) {
		d.slots = make([]int32, size)
	}
	d.slots = d.slots[:size]
}

// insert adds an index that is not in the hash table.
func (d *dictionary) insert(hash uint64, index int32) {
	mask := uint64(len(d.slots) - 1)
	i := hash & mask
	for d.slots[i] != 0 {
		i = (i + 1) & mask
	}
	d.slots[i] = index + 1
}

// codes appends the indices of texts, given by their codes in the batch.
func (d *dictionary) codes(dst []int32, codes []uint32) []int32 {
	if len(d.byCode) == 0 { // many columns have no text in a batch
		d.byCode = append(d.byCode, make([]int32, d.batch.Texts.Len())...)
	}
	room, byCode := columns.More(&dst, len(codes))[:len(codes)], d.byCode
	for i, code := range codes {
		index := byCode[code]
		if index == 0 {
			index = d.text(d.batch.Texts.At(code)) + 1
			byCode[code] = index
		}
		room[i] = index - 1
	}
	if d.later {
		for _, index := range room {
			d.used[index] = true
		}
	}
	return dst
}

// text returns the index of a text. It compares contents, because codes differ between batches.
func (d *dictionary) text(text []byte) int32 {
	if 2*len(d.texts) >= len(d.slots) {
		d.room()
		for n, hash := range d.hashes {
			d.insert(hash, int32(n))
		}
	}
	hash := maphash.Bytes(d.seed, text)
	mask := uint64(len(d.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		slot := d.slots[i]
		if slot == 0 {
			d.texts, d.hashes, d.used = append(d.texts, text), append(d.hashes, hash), append(d.used, false)
			d.slots[i] = int32(len(d.texts))
			return int32(len(d.texts) - 1)
		}
		if d.hashes[slot-1] == hash && bytes.Equal(d.texts[slot-1], text) {
			return slot - 1
		}
	}
}

// appendPlain appends the first n entries in the form of the dictionary page.
func (d *dictionary) appendPlain(dst []byte, n int) []byte {
	if len(d.numbers) > 0 {
		return appendLow(dst, d.numbers[:n], numberWidth(d.spec))
	}
	for _, text := range d.texts[:n] {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
		dst = append(dst, text...)
	}
	return dst
}
