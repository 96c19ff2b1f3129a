package ordered

import (
	"time"

	"golang.org/x/sync/errgroup"
)

// alone is how long the caller of Each works alone. Several short calls take less than the start of a
// goroutine, and of the thread that runs it; a call that waits for a disk or a server takes longer.
const alone = 500 * time.Microsecond

// Each calls do with 0 to n-1, also after errors, and returns the first error. The caller makes the first
// calls. If they take long, goroutines make the others, up to most at a time.
func Each(n, most int, do func(i int) error) error {
	var failed error
	i := 0
	for begun := time.Now(); i < n; {
		err := do(i)
		if failed == nil {
			failed = err
		}
		if i++; time.Since(begun) > alone {
			break
		}
	}
	if i == n {
		return failed
	}
	var g errgroup.Group
	g.SetLimit(most)
	for ; i < n; i++ {
		next := i
		g.Go(func() error { return do(next) })
	}
	if err := g.Wait(); failed == nil {
		failed = err
	}
	return failed
}
