// Package hashtable finds numbers by the hashes of the values that they stand for. The caller keeps
// the values and decides which are equal, so a table takes only a few bytes per value, whatever the
// values are and wherever they are stored.
package hashtable

// Table is an open-addressing hash table of numbers. The zero value is empty. A table is for one
// goroutine.
type Table struct {
	slots []slot // a power of two
	n     int    // slots in use
}

// slot is a number, from 1, and the hash of its value. The hash saves comparing most other values,
// and growing the table compares none. A slot with number 0 is free.
type slot struct{ number, hash uint32 }

const firstSlots = 1 << 8

// Find returns the number of the value that has a hash and for which is reports true, or 0. Find
// calls is only for values with the same hash.
func (t *Table) Find(hash uint32, is func(number uint32) bool) uint32 {
	if t.n == 0 {
		return 0
	}
	mask := uint32(len(t.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		s := t.slots[at]
		if s.number == 0 || s.hash == hash && is(s.number) {
			return s.number
		}
	}
}

// Add adds a number for a value that is not in the table. The number must not be 0.
func (t *Table) Add(hash, number uint32) {
	if 2*t.n >= len(t.slots) {
		t.grow()
	}
	t.put(slot{number, hash})
	t.n++
}

// put puts a slot into the first free place for its hash.
func (t *Table) put(s slot) {
	mask := uint32(len(t.slots) - 1)
	at := s.hash & mask
	for t.slots[at].number != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = s
}

// grow doubles the table.
func (t *Table) grow() {
	old := t.slots
	t.slots = make([]slot, max(firstSlots, 2*len(old)))
	for _, s := range old {
		if s.number != 0 {
			t.put(s)
		}
	}
}

// Clear removes all numbers and keeps the memory.
func (t *Table) Clear() {
	if t.n > 0 {
		clear(t.slots)
		t.n = 0
	}
}

// Touch reads the slot for a hash, so that it is in the cache when Find needs it. The caller must
// use the result, because otherwise the compiler removes the read.
func (t *Table) Touch(hash uint32) uint32 {
	if len(t.slots) == 0 {
		return 0
	}
	return t.slots[hash&uint32(len(t.slots)-1)].hash
}
