package ordered

import "sync"

// Line delivers things in the order of their numbers, whichever is ready first.
// The zero value begins with number 0. Several goroutines may use it at once.
type Line[T any] struct {
	mu    sync.Mutex
	next  int
	ready map[int]T // whose turn has not come
}

// Deliver delivers a thing if its turn has come, and those whose turn comes then;
// else it keeps the thing until the ones before it are there. One thing is
// delivered at a time: who calls while another goroutine delivers has to wait. So
// those that make things do not run far ahead of a slow delivery.
//
// After an error, which is returned to the goroutine that was delivering, nothing
// more must be delivered.
func (l *Line[T]) Deliver(number int, thing T, deliver func(T) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ready == nil {
		l.ready = make(map[int]T)
	}
	l.ready[number] = thing
	for {
		thing, ok := l.ready[l.next]
		if !ok {
			return nil
		}
		delete(l.ready, l.next)
		l.next++
		if err := deliver(thing); err != nil {
			return err
		}
	}
}
