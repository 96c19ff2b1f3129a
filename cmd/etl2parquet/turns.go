package main

import (
	"context"
	"sync"
)

// turns has what came of inputs told in the order in which they were begun.
type turns struct {
	mu     sync.Mutex
	begun  int
	told   int
	ahead  map[int]func() // what cannot be told yet
	passed chan struct{}  // closed when something is told
}

// mostAhead is how much may be waiting for its turn.
const mostAhead = 1000

func newTurns() *turns { return &turns{ahead: make(map[int]func()), passed: make(chan struct{})} }

// take returns the number of the next turn. It waits while too much is ahead.
func (t *turns) take(ctx context.Context) (int, error) {
	for {
		turn, passed := t.tryTake()
		if passed == nil {
			return turn, nil
		}
		select {
		case <-passed:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// tryTake returns a number, or what to wait for.
func (t *turns) tryTake() (int, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.begun-t.told > mostAhead {
		return 0, t.passed
	}
	t.begun++
	return t.begun - 1, nil
}

// tell calls f when all turns before have been told. Every turn must be told;
// f may be nil.
func (t *turns) tell(turn int, f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ahead[turn] = f
	for {
		f, ok := t.ahead[t.told]
		if !ok {
			return
		}
		delete(t.ahead, t.told)
		t.told++
		close(t.passed)
		t.passed = make(chan struct{})
		if f != nil {
			f()
		}
	}
}
