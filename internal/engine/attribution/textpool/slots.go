package textpool

import "hash/maphash"

// Number is the number of a text in a pool, or of a worker, from 1. Equal texts have the same
// number, and 0 is no text.
type Number uint32

// NoRoom is the number of texts for which a pool has no room.
const NoRoom = ^Number(0)

// Slot is a slot of a hash table of numbers, with the hash: growing the table reads nothing else.
// Number 0 is free.
type Slot struct {
	Number Number
	Hash   uint32
}

const firstSlots = 1 << 8

// Grown returns a hash table of twice the size, or the first one.
func Grown(old []Slot) []Slot {
	slots := make([]Slot, max(firstSlots, 2*len(old)))
	mask := uint32(len(slots) - 1)
	for _, s := range old {
		if s.Number == 0 {
			continue
		}
		at := s.Hash & mask
		for slots[at].Number != 0 {
			at = (at + 1) & mask
		}
		slots[at] = s
	}
	return slots
}

// seed is the same for all pools. No result depends on it.
var seed = maphash.MakeSeed()

func hashOf(text []byte) uint32 { return uint32(maphash.Bytes(seed, text)) }

// warm reads the slots of texts. Each by itself would wait for memory; here the processor asks for
// many at once. The sum is there to have the compiler keep the reads.
//
//go:noinline
func warm(slots []Slot, hashes []uint32, texts []Number) (sum uint32) {
	if len(slots) == 0 {
		return 0
	}
	mask := uint32(len(slots) - 1)
	for _, n := range texts {
		sum += slots[hashes[n-1]&mask].Hash
	}
	return sum
}
