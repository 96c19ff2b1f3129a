package batch

import (
	"context"
	"sync/atomic"
	"testing"
)

func TestBudget(t *testing.T) {
	b := newBudget(4, 100, 3)
	take := func(workers int, memory int64) {
		t.Helper()
		if err := b.take(t.Context(), workers, memory); err != nil {
			t.Fatal(err)
		}
	}
	take(1, 50)
	take(1, 50)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if b.take(stopped, 1, 1) == nil || b.take(stopped, 3, 0) == nil {
		t.Error("the budget gave out more than it has")
	}
	take(2, 0)
	b.give(2, 0)
	var given atomic.Bool
	go func() {
		given.Store(true)
		b.give(1, 50)
		b.give(1, 50)
	}()
	take(4, 100)
	if !given.Load() {
		t.Error("it did not wait")
	}
	take(0, 0)
	take(0, 0)
	if b.take(stopped, 0, 0) == nil {
		t.Error("more traces than allowed")
	}
}
