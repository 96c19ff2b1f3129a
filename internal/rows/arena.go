package rows

// arena holds the bytes of events. It grows by blocks, so that nothing in it is copied, and its
// memory is used again after reset. The zero value is empty.
type arena struct {
	blocks [][]byte
	last   int   // the block that is being filled
	bytes  int64 // of events
}

// The first block is small, because most traces are, and each is twice the one before until it
// is 1 MiB. A longer run gets a block of its own length.
const (
	firstArenaBlock = 64 << 10
	arenaDoublings  = 4
	arenaBlock      = firstArenaBlock << arenaDoublings
)

// reset empties the arena.
func (a *arena) reset() {
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	a.last, a.bytes = 0, 0
}

// add copies a run of bytes into one block, and returns the block and the position in it. The
// run may be in the room behind the block's bytes.
func (a *arena) add(run []byte) (block, at int) {
	room := a.room(len(run))
	at = len(a.blocks[a.last])
	copy(room, run)
	a.take(len(run), len(run))
	return a.last, at
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
