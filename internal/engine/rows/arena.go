package rows

// arena holds the bytes of events in few large blocks of memory. It grows by blocks, so that nothing
// in it is copied, and its memory is used again after reset. The zero value is empty.
type arena struct {
	bytes  int64 // of events
	blocks [][]byte
	last   int // the block that is being filled
}

// The first block is small, because most traces are, and each is twice the one before until it
// is maxArenaBlock. A longer run gets a block of its own length.
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

// capacity returns the bytes that there is room for.
func (a *arena) capacity() (n int) {
	for _, b := range a.blocks {
		n += cap(b)
	}
	return n
}

// add copies a run of bytes into one block, and returns the block and the position in it. The
// run may be in the room behind the block's bytes.
func (a *arena) add(run []byte) (block, at int) {
	copy(a.room(len(run)), run)
	return a.take(len(run), len(run))
}

// room returns memory for n bytes, which becomes part of the arena if it is taken.
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

// take makes n bytes of the room part of the arena, and returns the block and the position in
// it. Of these bytes some are events.
func (a *arena) take(n, events int) (block, at int) {
	b := &a.blocks[a.last]
	at = len(*b)
	*b = (*b)[:at+n]
	a.bytes += int64(events)
	return a.last, at
}

// slice returns bytes of a block.
func (a *arena) slice(block int, from, to int64) []byte { return a.blocks[block][from:to:to] }
