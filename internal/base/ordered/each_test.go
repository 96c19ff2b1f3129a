package ordered

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// TestEach checks that all calls are made, some of them slow, and which error is returned.
func TestEach(t *testing.T) {
	for _, slow := range []int{-1, 0, 3, 19} {
		var now, most atomic.Int64
		var calls [20]atomic.Int64
		two := errors.New("two")
		err := Each(len(calls), 4, func(i int) error {
			for n := now.Add(1); ; {
				if before := most.Load(); before >= n || most.CompareAndSwap(before, n) {
					break
				}
			}
			defer now.Add(-1)
			calls[i].Add(1)
			if slow >= 0 && i >= slow {
				time.Sleep(2 * alone)
			}
			if i == 2 {
				return two
			}
			return nil
		})
		for i := range calls {
			if n := calls[i].Load(); n != 1 {
				t.Errorf("slow %d: %d calls with %d", slow, n, i)
			}
		}
		if m := most.Load(); !errors.Is(err, two) || m > 4 {
			t.Errorf("slow %d: error %v, %d calls at a time", slow, err, m)
		}
	}
	for n := range 2 {
		if err := Each(n, 4, func(int) error { return nil }); err != nil {
			t.Error(err)
		}
	}
}

// TestEachHelps checks that calls which wait for each other are made at the same time.
func TestEachHelps(t *testing.T) {
	met := make(chan int)
	err := Each(4, 2, func(i int) error {
		select {
		case met <- i:
		case <-met:
		case <-time.After(10 * time.Second):
			return errors.New("no other call is made")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
