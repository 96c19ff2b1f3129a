package batch

import (
	"context"
	"sync"
)

// Budget is the workers and the memory that traces share which are converted
// side by side, and how many more there may be: each has files open.
type Budget struct {
	mu      sync.Mutex
	workers int
	memory  int64
	traces  int
	given   chan struct{} // closed when something is given back
}

// NewBudget returns the budget of a run.
func NewBudget(workers int, memory int64, traces int) *Budget {
	return &Budget{workers: workers, memory: memory, traces: traces, given: make(chan struct{})}
}

// Take takes some workers and memory for a trace, no more than the budget had
// at first, and waits until they are there. It is called by one goroutine only,
// so that a trace that needs much is not overtaken for ever.
func (b *Budget) Take(ctx context.Context, workers int, memory int64) error {
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

// tryTake takes them, or returns what to wait for.
func (b *Budget) tryTake(workers int, memory int64) <-chan struct{} {
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

func (b *Budget) Give(workers int, memory int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.workers += workers
	b.memory += memory
	b.traces++
	close(b.given)
	b.given = make(chan struct{})
}
