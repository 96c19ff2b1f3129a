package ordered

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// Line delivers items in the order of their numbers, whichever is ready first. The zero value
// begins with number 0. Several goroutines may use it at once.
type Line[T any] struct {
	mu         sync.Mutex
	room       *sync.Cond // for goroutines that wait until fewer items are ready
	next       int
	ready      map[int]T // not yet delivered
	delivering bool      // by some goroutine
	broken     bool      // a delivery has failed
	most       int       // items that may be ready while an earlier one is being delivered; 0 means maxReady
}

// maxReady is the default of Line.most.
const maxReady = 4

// Deliver accepts item n and delivers every item that is now next in order. If earlier items are
// missing, it keeps the item for later. Only one goroutine delivers at a time: another one leaves
// its items to that goroutine. If too many items are pending, Deliver blocks, so that producers do
// not run far ahead of a slow delivery.
//
// An error is returned to the goroutine that was delivering. After it, no more items are delivered.
func (l *Line[T]) Deliver(number int, item T, deliver func(T) error) error {
	if !l.enqueue(number, item) {
		return nil
	}
	isDone := false
	defer func() {
		if !isDone { // an error, or a panic
			l.fail()
		}
	}()
	for {
		item, ok := l.pop()
		if !ok {
			isDone = true
			return nil
		}
		if err := deliver(item); err != nil {
			return err
		}
	}
}

// Flush delivers all items that are ready, in order, although items before them are missing. No other
// goroutine may use the line during the call or after it.
func (l *Line[T]) Flush(deliver func(T) error) error {
	for _, number := range slices.Sorted(maps.Keys(l.ready)) {
		if err := deliver(l.ready[number]); err != nil {
			return err
		}
	}
	l.ready = nil
	return nil
}

// enqueue adds an item, and reports whether the caller must deliver.
func (l *Line[T]) enqueue(number int, item T) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ready == nil {
		l.ready, l.room = make(map[int]T), sync.NewCond(&l.mu)
	}
	l.ready[number] = item
	for l.delivering && len(l.ready) > cmp.Or(l.most, maxReady) {
		l.room.Wait()
	}
	if l.delivering || l.broken {
		return false
	}
	l.delivering = true
	return true
}

// pop returns the next item if it is ready; otherwise it ends the delivery.
func (l *Line[T]) pop() (T, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	item, ok := l.ready[l.next]
	if !ok {
		l.delivering = false
	} else {
		delete(l.ready, l.next)
		l.next++
	}
	l.room.Broadcast()
	return item, ok
}

// fail ends all deliveries.
func (l *Line[T]) fail() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.delivering, l.broken = false, true
	l.room.Broadcast()
}
