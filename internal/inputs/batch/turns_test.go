package batch

import (
	"context"
	"slices"
	"testing"
)

func TestTurns(t *testing.T) {
	q := newTurns()
	var reported []int
	for i := range 4 {
		if turn, err := q.take(t.Context()); err != nil || turn != i {
			t.Fatalf("turn %d, %v", turn, err)
		}
	}
	q.report(2, func() { reported = append(reported, 2) })
	q.report(1, nil)
	if len(reported) > 0 {
		t.Errorf("reported %v before the first", reported)
	}
	q.report(0, func() { reported = append(reported, 0) })
	q.report(3, func() { reported = append(reported, 3) })
	if !slices.Equal(reported, []int{0, 2, 3}) || len(q.ahead) != 0 {
		t.Errorf("reported %v, %d turns are left", reported, len(q.ahead))
	}
}

// TestTurnsAhead checks the limit on results that wait for their turn.
func TestTurnsAhead(t *testing.T) {
	q := newTurns()
	for range maxAhead {
		if _, err := q.take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.take(stopped); err == nil {
		t.Error("there is no limit")
	}
	go q.report(0, nil)
	if turn, err := q.take(t.Context()); err != nil || turn != maxAhead {
		t.Errorf("turn %d, %v", turn, err)
	}
}
