package ordered

import (
	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
)

// Together runs independent pieces of work, with some workers. A panic in one of them goes on in the
// caller.
func Together(workers int, work ...func()) {
	if workers <= 1 || len(work) == 1 {
		for _, do := range work {
			do()
		}
		return
	}
	var g errgroup.Group
	g.SetLimit(workers)
	for _, do := range work {
		g.Go(func() error { return goroutine.Guard(func() error { do(); return nil }) })
	}
	_ = goroutine.Raise(g.Wait()) // there are no other errors
}
