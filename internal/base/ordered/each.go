package ordered

import (
	"sync"
	"sync/atomic"
	"time"
)

// alone is how long the caller of Each works alone. Several short calls take less than the start of a
// goroutine, and of the thread that runs it; a call that waits for a disk or a server takes longer.
const alone = 500 * time.Microsecond

// Each calls do with 0 to n-1, also after errors, and returns the first error. The caller makes the calls. If
// they take long, goroutines help it, so that up to most calls are made at a time.
func Each(n, most int, do func(i int) error) error {
	if n == 1 {
		return do(0)
	}
	e := each{n: int64(n), do: do}
	var helpers sync.WaitGroup
	helpers.Add(1)
	timer := time.AfterFunc(alone, func() { // also while a call waits
		defer helpers.Done()
		for range min(e.left(), int64(most)-1) {
			helpers.Go(e.work)
		}
	})
	e.work()
	if timer.Stop() {
		helpers.Done()
	}
	helpers.Wait()
	return e.failed
}

// each is a run of Each.
type each struct {
	n     int64
	do    func(i int) error
	begun atomic.Int64

	lock   sync.Mutex
	failed error
}

// left returns the number of calls that are not begun.
func (e *each) left() int64 { return max(e.n-e.begun.Load(), 0) }

// work makes calls as long as there are some.
func (e *each) work() {
	for {
		i := e.begun.Add(1) - 1
		if i >= e.n {
			return
		}
		if err := e.do(int(i)); err != nil {
			e.lock.Lock()
			if e.failed == nil {
				e.failed = err
			}
			e.lock.Unlock()
		}
	}
}
