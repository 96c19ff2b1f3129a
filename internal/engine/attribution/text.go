package attribution

import "hash/maphash"

// Text is the number of a text in a pool, from 1. Equal texts have the same number, and 0 means no
// text. [Tables.Text] returns the text.
//
// The pools of a trace, [stringPool] and [packedPool], adopt the texts of workers, one worker after
// another. A trace can have millions of methods, and each refers to its texts by number because the
// garbage collector need not scan numbers.
type Text uint32

// workerText is the number of a text among those that a worker finds, see [foundTexts]: from 1, and
// 0 means no text.
type workerText uint32

// noRoom is the number of texts that did not fit in a pool.
const noRoom = ^Text(0)

// hashSlot is a slot of a hash table of numbers. It stores the hash as well, so that growing the
// table reads nothing else. A slot with number 0 is free.
type hashSlot[N Text | workerText | workerFact] struct {
	number N
	hash   uint32
}

const firstHashSlots = 1 << 8

// grownSlots returns a hash table of twice the size, or the first one if old is empty.
func grownSlots[N Text | workerText | workerFact](old []hashSlot[N]) []hashSlot[N] {
	slots := make([]hashSlot[N], max(firstHashSlots, 2*len(old)))
	mask := uint32(len(slots) - 1)
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		at := s.hash & mask
		for slots[at].number != 0 {
			at = (at + 1) & mask
		}
		slots[at] = s
	}
	return slots
}

// poolSeed is the same for all pools. No result depends on it.
var poolSeed = maphash.MakeSeed()

// hashOfText returns the hash that all pools and workers use.
func hashOfText(text []byte) uint32 { return uint32(maphash.Bytes(poolSeed, text)) }

// readSlots reads the slots of texts, so that they are in the cache when the pool needs them.
// Dependent reads would each wait for memory; these are independent, so the processor overlaps
// them. The sum keeps the compiler from removing the reads.
//
//go:noinline
func readSlots(slots []hashSlot[Text], hashes []uint32, texts []workerText) (sum uint32) {
	if len(slots) == 0 {
		return 0
	}
	mask := uint32(len(slots) - 1)
	for _, n := range texts {
		sum += slots[hashes[n-1]&mask].hash
	}
	return sum
}
