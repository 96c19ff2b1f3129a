package recordbatch

import "sync/atomic"

// lease counts the users of a batch's memory, and calls done after the last. It is the allocator of
// the buffers that share that memory: Arrow frees a buffer when nothing refers to it any more.
type lease struct {
	users atomic.Int64
	done  func() // or nil
}

// newLease returns a lease with one user, its maker.
func newLease(done func()) *lease {
	l := &lease{done: done}
	l.retain()
	return l
}

// retain adds a user.
func (l *lease) retain() { l.users.Add(1) }

// release removes a user.
func (l *lease) release() {
	if l.users.Add(-1) == 0 && l.done != nil {
		l.done()
	}
}

// Free implements memory.Allocator.
func (l *lease) Free([]byte) { l.release() }

// Allocate implements memory.Allocator. Arrow never calls it: it allocates with the allocator of a
// buffer only to resize that buffer.
func (l *lease) Allocate(int) []byte { panic("recordbatch: shared memory cannot be resized") }

// Reallocate implements memory.Allocator. Arrow never resizes a buffer of an array.
func (l *lease) Reallocate(int, []byte) []byte {
	panic("recordbatch: shared memory cannot be resized")
}
