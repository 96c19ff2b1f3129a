package rows

// arena holds the bytes of events. It grows by blocks, so that nothing in it is copied, and its
// memory is used again after reset. The zero value is empty.
type arena struct {
	blocks [][]byte
	last   int   // the block that is being filled
	bytes  int64 // in all blocks
}

// The first block is small, because most traces are, and each is twice the one before until it
// is 1 MiB. A longer run gets a block of its own length.
const (
	firstArenaBlock = 64 << 10
	arenaDoublings  = 4
)

// reset empties the arena.
func (a *arena) reset() {
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	a.last, a.bytes = 0, 0
}

// add copies a run of bytes into one block, and returns the block and the position in it.
func (a *arena) add(run []byte) (block, at int) {
	for a.last < len(a.blocks) && cap(a.blocks[a.last])-len(a.blocks[a.last]) < len(run) {
		a.last++
	}
	if a.last == len(a.blocks) {
		size := firstArenaBlock << min(a.last, arenaDoublings)
		a.blocks = append(a.blocks, make([]byte, 0, max(size, len(run))))
	}
	b := &a.blocks[a.last]
	at = len(*b)
	*b = append(*b, run...)
	a.bytes += int64(len(run))
	return a.last, at
}
