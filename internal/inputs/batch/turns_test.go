package batch

import (
	"context"
	"slices"
	"testing"
)

func TestTurns(t *testing.T) {
	q := newTurns()
	var told []int
	for i := range 4 {
		if turn, err := q.take(t.Context()); err != nil || turn != i {
			t.Fatalf("turn %d, %v", turn, err)
		}
	}
	q.tell(2, func() { told = append(told, 2) })
	q.tell(1, nil)
	if len(told) > 0 {
		t.Errorf("reported %v before the first", told)
	}
	q.tell(0, func() { told = append(told, 0) })
	q.tell(3, func() { told = append(told, 3) })
	if !slices.Equal(told, []int{0, 2, 3}) || q.told != 4 {
		t.Errorf("reported %v, %d turns have passed", told, q.told)
	}
}

// TestTurnsAhead checks the limit on results that wait for their turn.
func TestTurnsAhead(t *testing.T) {
	q := newTurns()
	for range mostAhead + 1 {
		if _, err := q.take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.take(stopped); err == nil {
		t.Error("there is no limit")
	}
	go q.tell(0, nil)
	if turn, err := q.take(t.Context()); err != nil || turn != mostAhead+1 {
		t.Errorf("turn %d, %v", turn, err)
	}
}
