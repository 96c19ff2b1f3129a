package rows

// arena holds the bytes of events in few large blocks of memory. It grows by blocks, so that
// nothing in it is copied, and reset keeps its memory for reuse. The zero value is empty.
type arena struct {
	bytes  int64 // of events
	blocks [][]byte
	last   int // the block that is being filled
}

// The first block is small, because most traces are. Each block has twice the size of the one
// before, up to maxArenaBlock. A longer run gets a block of its own length.
const (
	firstArenaBlock = 64 << 10
	arenaDoublings  = 4
)

// maxArenaBlock is the size of most blocks, 1 MiB.
const maxArenaBlock = firstArenaBlock << arenaDoublings

// reset empties the arena.
func (a *arena) reset() {
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	a.last, a.bytes = 0, 0
}

// capacity returns the number of bytes allocated.
func (a *arena) capacity() (n int) {
	for _, b := range a.blocks {
		n += cap(b)
	}
	return n
}

// add copies a run of bytes into one block, and returns the block and the position in it. The run
// may be in the memory that room returned.
func (a *arena) add(run []byte) (block, at int) {
	copy(a.room(len(run)), run)
	return a.claim(len(run), len(run))
}

// room returns memory for n bytes after the block's contents. claim makes it part of the arena.
func (a *arena) room(n int) []byte {
	for a.last < len(a.blocks) && cap(a.blocks[a.last])-len(a.blocks[a.last]) < n {
		a.last++
	}
	if a.last == len(a.blocks) {
		size := firstArenaBlock << min(a.last, arenaDoublings)
		a.blocks = append(a.blocks, make([]byte, 0, max(size, n)))
	}
	b := a.blocks[a.last]
	return b[len(b) : len(b)+n]
}

// claim makes n bytes of the room part of the arena, and returns the block and the position in it.
// events is the number of these bytes that belong to events.
func (a *arena) claim(n, events int) (block, at int) {
	b := &a.blocks[a.last]
	at = len(*b)
	*b = (*b)[:at+n]
	a.bytes += int64(events)
	return a.last, at
}

// slice returns bytes of a block.
func (a *arena) slice(block int, from, to int64) []byte { return a.blocks[block][from:to:to] }
