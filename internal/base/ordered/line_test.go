package ordered

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

func TestLine(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 0, 3, 2}, {2, 0, 3, 1}} {
		var line Line[int]
		var got []int
		for _, n := range order {
			if err := line.Deliver(n, 10*n, func(v int) error { got = append(got, v); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, []int{0, 10, 20, 30}) {
			t.Errorf("put in the order %v, delivered in the order %v", order, got)
		}
	}
}

func TestLineError(t *testing.T) {
	var line Line[int]
	broken := errors.New("broken")
	delivered := 0
	deliver := func(int) error { delivered++; return broken }
	if err := line.Deliver(1, 1, deliver); err != nil {
		t.Errorf("what is kept: %v", err)
	}
	if err := line.Deliver(0, 0, deliver); err != broken {
		t.Errorf("got error %v, want %v", err, broken)
	}
	if delivered != 1 {
		t.Errorf("%d items were delivered, want 1: none after an error", delivered)
	}
}

// TestLineTogether checks the order of delivery when goroutines race.
func TestLineTogether(t *testing.T) {
	var line Line[int]
	var got []int
	var wait sync.WaitGroup
	for n := range 1000 {
		wait.Go(func() {
			if err := line.Deliver(n, n, func(v int) error { got = append(got, v); return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if len(got) != 1000 || !slices.IsSorted(got) {
		t.Errorf("%d items were delivered, want 1000 in order", len(got))
	}
}

// TestLineSlow checks that, during a slow delivery, goroutines leave a few items and then wait.
func TestLineSlow(t *testing.T) {
	var line Line[int]
	var got []int
	begun, goOn := make(chan struct{}), make(chan struct{})
	var isOver atomic.Bool
	deliver := func(v int) error {
		if v == 0 {
			close(begun)
			<-goOn
		}
		got = append(got, v)
		return nil
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		if err := line.Deliver(0, 0, deliver); err != nil {
			t.Error(err)
		}
	})
	<-begun
	for n := 1; n <= maxReady; n++ {
		if err := line.Deliver(n, n, deliver); err != nil { // it does not wait
			t.Error(err)
		}
	}
	var left sync.WaitGroup
	left.Go(func() {
		if err := line.Deliver(maxReady+1, maxReady+1, deliver); err != nil {
			t.Error(err)
		}
		if !isOver.Load() {
			t.Error("one thing too many did not wait")
		}
	})
	isOver.Store(true)
	close(goOn)
	wait.Wait()
	left.Wait()
	if len(got) != maxReady+2 || !slices.IsSorted(got) {
		t.Errorf("delivered %v", got)
	}
}

// TestFlush checks that items after a missing one are delivered in order.
func TestFlush(t *testing.T) {
	var line Line[int]
	var got []int
	deliver := func(v int) error { got = append(got, v); return nil }
	for _, n := range []int{4, 0, 2} {
		if err := line.Deliver(n, n, deliver); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := line.Flush(deliver); err != nil || !slices.Equal(got, []int{0, 2, 4}) {
			t.Errorf("delivered %v, %v", got, err)
		}
	}
}

// TestLinePanic checks that no goroutine waits for a delivery that has ended in a panic.
func TestLinePanic(t *testing.T) {
	var line Line[int]
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_ = line.Deliver(0, 0, func(int) error { panic("broken") })
	}()
	for n := range 2 * maxReady {
		if err := line.Deliver(n+1, n, func(int) error { t.Error("something is delivered"); return nil }); err != nil {
			t.Error(err)
		}
	}
}
