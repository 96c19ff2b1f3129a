package batch

import (
	"context"
	"sync"
)

// budget is the workers, the memory and the number of traces (each has files open) that
// are left for traces converted concurrently.
type budget struct {
	mu      sync.Mutex
	workers int
	memory  int64
	traces  int
	given   chan struct{} // closed when something is returned
}

// newBudget returns the budget of a run.
func newBudget(workers int, memory int64, traces int) *budget {
	return &budget{workers: workers, memory: memory, traces: traces, given: make(chan struct{})}
}

// take takes workers and memory for a trace, at most the whole budget, and waits until
// they are available. Only one goroutine calls it, so that smaller traces cannot starve
// a large one.
func (b *budget) take(ctx context.Context, workers int, memory int64) error {
	for {
		given := b.tryTake(workers, memory)
		if given == nil {
			return nil
		}
		select {
		case <-given:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tryTake takes them, or returns a channel to wait for.
func (b *budget) tryTake(workers int, memory int64) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if workers > b.workers || memory > b.memory || b.traces == 0 {
		return b.given
	}
	b.workers -= workers
	b.memory -= memory
	b.traces--
	return nil
}

func (b *budget) give(workers int, memory int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.workers += workers
	b.memory += memory
	b.traces++
	close(b.given)
	b.given = make(chan struct{})
}
