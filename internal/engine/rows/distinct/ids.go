package distinct

// IDs is a set of ids in memory. The zero value is empty.
type IDs struct {
	slots []uint64 // a hash table: 0 where a slot is free
	n     int
	zero  bool // it has the id 0
}

const firstSlots = 1 << 8

// Len returns the number of ids.
func (s *IDs) Len() int {
	if s.zero {
		return s.n + 1
	}
	return s.n
}

// Has reports whether the set has an id.
func (s *IDs) Has(id uint64) bool {
	if id == 0 || s.n == 0 {
		return id == 0 && s.zero
	}
	return s.slots[s.slot(id)] == id
}

// Add adds an id, and reports whether it is new.
func (s *IDs) Add(id uint64) bool {
	if id == 0 {
		isNew := !s.zero
		s.zero = true
		return isNew
	}
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	at := s.slot(id)
	if s.slots[at] == id {
		return false
	}
	s.slots[at] = id
	s.n++
	return true
}

// slot returns the slot of an id, or the free one where it would be. The ids are hashes,
// but their lowest bits may not be.
func (s *IDs) slot(id uint64) int {
	mask := uint64(len(s.slots) - 1)
	at := id * 0x9e3779b97f4a7c15 >> 20 & mask
	for s.slots[at] != 0 && s.slots[at] != id {
		at = (at + 1) & mask
	}
	return int(at)
}

func (s *IDs) grow() {
	old := s.slots
	s.slots = make([]uint64, max(2*len(old), firstSlots))
	for _, id := range old {
		if id != 0 {
			s.slots[s.slot(id)] = id
		}
	}
}

// Clear removes all ids and keeps the memory.
func (s *IDs) Clear() {
	if s.n > 0 {
		clear(s.slots)
	}
	s.n, s.zero = 0, false
}

// appendTo appends the ids, in no order.
func (s *IDs) appendTo(ids []uint64) []uint64 {
	if s.zero {
		ids = append(ids, 0)
	}
	for _, id := range s.slots {
		if id != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}
