package ordered

import "sync"

// Line delivers things in the order of their numbers, whichever is ready first.
// The zero value begins with number 0. Several goroutines may use it at once.
type Line[T any] struct {
	mu         sync.Mutex
	room       *sync.Cond // for those who wait until fewer things are ready
	next       int
	ready      map[int]T // not yet delivered
	delivering bool      // by some goroutine
	broken     bool      // a delivery has failed
}

// maxReady is how many things may be ready behind one that is being delivered.
const maxReady = 4

// Deliver delivers a thing if its turn has come, and those whose turn comes then;
// else it keeps the thing until the ones before it are there. One thing is
// delivered at a time: while another goroutine delivers, the thing is left to it. If
// it has many already, Deliver waits: so those that make things do not run far ahead
// of a slow delivery.
//
// After an error, which is returned to the goroutine that was delivering, nothing
// more is delivered.
func (l *Line[T]) Deliver(number int, thing T, deliver func(T) error) error {
	if !l.begin(number, thing) {
		return nil
	}
	isDone := false
	defer func() {
		if !isDone { // an error, or a panic
			l.fail()
		}
	}()
	for {
		thing, ok := l.take()
		if !ok {
			isDone = true
			return nil
		}
		if err := deliver(thing); err != nil {
			return err
		}
	}
}

// begin adds a thing, and reports whether the caller is to deliver.
func (l *Line[T]) begin(number int, thing T) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ready == nil {
		l.ready, l.room = make(map[int]T), sync.NewCond(&l.mu)
	}
	l.ready[number] = thing
	for l.delivering && len(l.ready) > maxReady {
		l.room.Wait()
	}
	if l.delivering || l.broken {
		return false
	}
	l.delivering = true
	return true
}

// take returns the next thing if it is ready, and else ends the delivery.
func (l *Line[T]) take() (T, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	thing, ok := l.ready[l.next]
	if !ok {
		l.delivering = false
	} else {
		delete(l.ready, l.next)
		l.next++
	}
	l.room.Broadcast()
	return thing, ok
}

// fail ends all deliveries.
func (l *Line[T]) fail() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.delivering, l.broken = false, true
	l.room.Broadcast()
}
