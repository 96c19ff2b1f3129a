// Package hashtable finds numbers by the hashes of the values that they stand for. The values
// themselves, and what makes two of them equal, stay with the caller: so a table is a few bytes per
// value, whatever the values are and wherever they lie.
package hashtable

// Table is an open-addressing hash table of numbers. The zero value is empty. A table is for one
// goroutine.
type Table struct {
	slots []slot // a power of two
	n     int    // that are taken
}

// slot is a number, from 1, and the hash of its value. It has the hash so that the values of most
// other numbers are not looked at, and growing looks at none. A slot with number 0 is free.
type slot struct{ number, hash uint32 }

const firstSlots = 1 << 8

// Find returns the number of the value that has a hash and that is reports to be the one, or 0. is
// is asked for values with the same hash only.
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

// Add adds the number, which is not 0, of a value that is not in the table.
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

// Touch reads the slot where a hash would be, so that it is in the cache when Find needs it. The
// result is of no use, but that the compiler keeps the read of a caller who uses it.
func (t *Table) Touch(hash uint32) uint32 {
	if len(t.slots) == 0 {
		return 0
	}
	return t.slots[hash&uint32(len(t.slots)-1)].hash
}
