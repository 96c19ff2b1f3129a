package catalog

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
)

// SizeCount counts the payloads of one size. Payloads with another size of pointers are counted
// separately.
type SizeCount struct {
	Size        uint32 // bytes
	PointerSize uint8  // as the header states, or 0
	Events      int64
}

func (s SizeCount) compare(other SizeCount) int {
	return cmp.Or(cmp.Compare(s.Size, other.Size), cmp.Compare(s.PointerSize, other.PointerSize))
}

// Sizes counts the payloads of a kind of event in a chunk, by size. Most kinds have one size, or
// one per length of text; stack walks have a hundred.
type Sizes struct {
	first sizeSlot
	more  *moreSizes // nil if there are no others
}

// moreSizes is a hash table of the other sizes.
type moreSizes struct {
	slots []sizeSlot // a power of two, at most half of them in use
	used  int
	most  int
	many  bool
}

type sizeSlot struct{ key, events uint32 } // key 0 is free

// The most sizes that are counted per kind. Payloads of kinds with more sizes contain texts, and
// must be read anyway.
const (
	maxSizes       = 8
	maxKernelSizes = 256
)

func (k *Key) maxSizes() int {
	if k.Family == decode.FamilySystem || k.Family == decode.FamilyPerfInfo {
		return maxKernelSizes
	}
	return maxSizes
}

// Begin prepares for payloads of a kind.
func (s *Sizes) Begin(k *Key) {
	*s = Sizes{}
	if most := k.maxSizes(); most != maxSizes {
		s.more = &moreSizes{most: most - 1}
	}
}

// Add counts a payload of a size.
func (s *Sizes) Add(size int, pointerSize uint8) {
	key := uint32(size)<<4 | uint32(pointerSize) | 1
	switch s.first.key {
	case key:
		s.first.events++
	case 0:
		s.first = sizeSlot{key, 1}
	default:
		if s.more == nil {
			s.more = &moreSizes{most: maxSizes - 1}
		}
		s.more.add(key)
	}
}

func (s *moreSizes) add(key uint32) {
	if s.many { // then List returns nil
		return
	}
	if n := uint32(len(s.slots)); n > 0 {
		i := key * 0x9e3779b1 >> 16 & (n - 1)
		for ; s.slots[i].key != 0; i = (i + 1) & (n - 1) {
			if s.slots[i].key == key {
				s.slots[i].events++
				return
			}
		}
	}
	s.insert(sizeSlot{key, 1})
}

// insert adds a size, if there is room.
func (s *moreSizes) insert(slot sizeSlot) {
	if s.many = s.many || s.used == s.most; s.many {
		return
	}
	if 2*(s.used+1) > len(s.slots) {
		old := s.slots
		s.slots, s.used = make([]sizeSlot, max(2, 2*len(old))), 0
		for _, o := range old {
			if o.key != 0 {
				s.insert(o)
			}
		}
	}
	n := uint32(len(s.slots))
	i := slot.key * 0x9e3779b1 >> 16 & (n - 1)
	for s.slots[i].key != 0 {
		i = (i + 1) & (n - 1)
	}
	s.slots[i] = slot
	s.used++
}

// List returns the counts of payloads that are not empty, or nil if there are too many sizes.
func (s *Sizes) List() (list []SizeCount) {
	list = s.first.append(nil)
	if s.more != nil {
		if s.more.many {
			return nil
		}
		for _, slot := range s.more.slots {
			list = slot.append(list)
		}
	}
	slices.SortFunc(list, SizeCount.compare)
	return list
}

// append appends the count of a size that is not 0.
func (s sizeSlot) append(list []SizeCount) []SizeCount {
	if size := s.key >> 4; size > 0 {
		list = append(list, SizeCount{size, uint8(s.key & 0xe), int64(s.events)})
	}
	return list
}

// mergeSizes returns the sum of the counts of two kinds, or nil if there are too many sizes.
func mergeSizes(a, b *EventType) []SizeCount {
	if !a.KnowsSizes() || !b.KnowsSizes() {
		return nil
	}
	all := slices.Concat(a.Sizes, b.Sizes)
	slices.SortFunc(all, SizeCount.compare)
	merged := all[:0]
	for _, s := range all {
		if n := len(merged); n > 0 && merged[n-1].compare(s) == 0 {
			merged[n-1].Events += s.Events
		} else {
			merged = append(merged, s)
		}
	}
	if len(merged) > b.maxSizes() {
		return nil
	}
	return slices.Clip(merged)
}

// KnowsSizes reports whether Sizes has all payloads that are not empty.
func (e *EventType) KnowsSizes() bool { return e.Sizes != nil || e.Events == e.Empty }
