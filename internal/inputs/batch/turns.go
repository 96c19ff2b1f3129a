package batch

import (
	"context"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// turns has what came of inputs told in the order in which they were begun.
type turns struct {
	mu     sync.Mutex
	begun  int
	told   int
	passed chan struct{} // closed when something is told

	line ordered.Line[func()]
}

// mostAhead is how much may be waiting for its turn.
const mostAhead = 1000

// newTurns returns the turns of a run.
func newTurns() *turns { return &turns{passed: make(chan struct{})} }

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
	_ = t.line.Deliver(turn, f, func(f func()) error { // never fails
		t.pass()
		if f != nil {
			f()
		}
		return nil
	})
}

// pass counts a turn.
func (t *turns) pass() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.told++
	close(t.passed)
	t.passed = make(chan struct{})
}
