package recordbatch

import "sync/atomic"

// lease counts who uses the memory of a batch, and calls done after the last.
// It is the allocator of the buffers that share that memory: Arrow frees a
// buffer when nothing refers to it any more.
type lease struct {
	users atomic.Int64
	done  func() // or nil
}

// newLease returns a lease with one user, its maker.
func newLease(done func()) *lease {
	l := &lease{done: done}
	l.begin()
	return l
}

// begin adds a user.
func (l *lease) begin() { l.users.Add(1) }

// end takes a user away.
func (l *lease) end() {
	if l.users.Add(-1) == 0 && l.done != nil {
		l.done()
	}
}

// Free implements memory.Allocator.
func (l *lease) Free([]byte) { l.end() }

// Allocate implements memory.Allocator. Arrow does not ask: it allocates with
// the allocator of a buffer only to resize that buffer.
func (l *lease) Allocate(int) []byte { panic("recordbatch: shared memory cannot be resized") }

// Reallocate implements memory.Allocator. Arrow resizes no buffer of an array.
func (l *lease) Reallocate(int, []byte) []byte {
	panic("recordbatch: shared memory cannot be resized")
}
