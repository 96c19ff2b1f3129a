package goroutine

import (
	"runtime"
	"sync"
	"testing"
)

// TestGrow checks that goroutines have larger stacks after Grow.
func TestGrow(t *testing.T) {
	const goroutines, least = 64, 24 << 10
	stacks := func(grow bool) uint64 {
		var ready, end sync.WaitGroup
		ready.Add(goroutines)
		stop := make(chan struct{})
		for range goroutines {
			end.Go(func() {
				if grow {
					Grow()
				}
				ready.Done()
				<-stop
			})
		}
		ready.Wait()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		close(stop)
		end.Wait()
		return m.StackInuse
	}
	if without, with := stacks(false), stacks(true); with < without+goroutines*least {
		t.Errorf("stacks of %d bytes without, and %d with", without, with)
	}
}
