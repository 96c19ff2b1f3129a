// Package arena holds the bytes of events in few large pieces of memory, which are used again.
package arena

// Arena holds the bytes of events. It grows by blocks, so that nothing in it is copied, and its
// memory is used again after Reset. The zero value is empty.
type Arena struct {
	Bytes  int64 // of events
	blocks [][]byte
	last   int // the block that is being filled
}

// The first block is small, because most traces are, and each is twice the one before until it
// is MaxBlock. A longer run gets a block of its own length.
const (
	firstBlock = 64 << 10
	doublings  = 4
)

// MaxBlock is the size of most blocks, 1 MiB.
const MaxBlock = firstBlock << doublings

// Reset empties the arena.
func (a *Arena) Reset() {
	for i := range a.blocks {
		a.blocks[i] = a.blocks[i][:0]
	}
	a.last, a.Bytes = 0, 0
}

// Capacity returns the bytes that there is room for.
func (a *Arena) Capacity() (n int) {
	for _, b := range a.blocks {
		n += cap(b)
	}
	return n
}

// Add copies a run of bytes into one block, and returns the block and the position in it. The
// run may be in the room behind the block's bytes.
func (a *Arena) Add(run []byte) (block, at int) {
	copy(a.Room(len(run)), run)
	return a.Take(len(run), len(run))
}

// Room returns memory for n bytes, which becomes part of the arena if it is taken.
func (a *Arena) Room(n int) []byte {
	for a.last < len(a.blocks) && cap(a.blocks[a.last])-len(a.blocks[a.last]) < n {
		a.last++
	}
	if a.last == len(a.blocks) {
		size := firstBlock << min(a.last, doublings)
		a.blocks = append(a.blocks, make([]byte, 0, max(size, n)))
	}
	b := a.blocks[a.last]
	return b[len(b) : len(b)+n]
}

// Take makes n bytes of the room part of the arena, and returns the block and the position in
// it. Of these bytes some are events.
func (a *Arena) Take(n, events int) (block, at int) {
	b := &a.blocks[a.last]
	at = len(*b)
	*b = (*b)[:at+n]
	a.Bytes += int64(events)
	return a.last, at
}

// Slice returns bytes of a block.
func (a *Arena) Slice(block int, from, to int64) []byte { return a.blocks[block][from:to:to] }
