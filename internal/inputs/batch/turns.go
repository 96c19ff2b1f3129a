package batch

import (
	"context"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// turns makes inputs report their results in the order in which they were begun.
type turns struct {
	mu       sync.Mutex
	begun    int
	reported int
	passed   chan struct{} // closed when a result was reported

	line ordered.Line[func()]
}

// maxAhead limits the results that wait for an earlier one.
const maxAhead = 1000

// newTurns returns the turns of a run.
func newTurns() *turns { return &turns{passed: make(chan struct{})} }

// take returns the number of the next turn. It waits while too many results are pending.
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

// tryTake returns the number of a turn, or a channel to wait for.
func (t *turns) tryTake() (int, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.begun-t.reported > maxAhead {
		return 0, t.passed
	}
	t.begun++
	return t.begun - 1, nil
}

// report calls f, which may be nil, after all earlier turns were reported. Every turn
// must be reported.
func (t *turns) report(turn int, f func()) {
	_ = t.line.Deliver(turn, f, func(f func()) error { // never fails
		t.pass()
		if f != nil {
			f()
		}
		return nil
	})
}

// pass counts a reported turn.
func (t *turns) pass() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reported++
	close(t.passed)
	t.passed = make(chan struct{})
}
