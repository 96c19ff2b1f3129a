package ordered

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// TestEach checks that all calls are made, some of them slow, and which error is returned.
func TestEach(t *testing.T) {
	for _, slow := range []int{-1, 0, 3} {
		var now, most atomic.Int64
		var calls [20]atomic.Int64
		err := Each(len(calls), 4, func(i int) error {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			calls[i].Add(1)
			if i == slow || slow >= 0 && i > slow {
				time.Sleep(2 * alone)
			}
			if i == 2 || i == 19 {
				return errors.New([]string{2: "two", 19: "nineteen"}[i])
			}
			return nil
		})
		for i := range calls {
			if n := calls[i].Load(); n != 1 {
				t.Errorf("slow %d: %d calls with %d", slow, n, i)
			}
		}
		if err == nil || slow != 0 && err.Error() != "two" {
			t.Errorf("slow %d: error %v", slow, err)
		}
		if m := most.Load(); m > 4 {
			t.Errorf("slow %d: %d calls at a time", slow, m)
		}
	}
	if err := Each(0, 4, nil); err != nil {
		t.Error(err)
	}
}
