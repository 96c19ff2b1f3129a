package ordered

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
)

// piecesAhead is how many pieces per worker may be in work, or wait for their turn to be merged.
const piecesAhead = 4

// Do runs n pieces of work in parallel and merges their results in the order of the pieces. Each
// worker has its own W. The workers stay at most a few pieces ahead of the merge. A panic of a worker
// goes on in the caller.
func Do[W, R any](ctx context.Context, workers, n int, work func(*W, int) (R, error), merge func(R) error) error {
	g, ctx := errgroup.WithContext(ctx)
	ahead := make(chan struct{}, piecesAhead*workers)
	line := Line[R]{most: piecesAhead * workers}
	var begun atomic.Int64
	deliver := func(r R) error {
		<-ahead
		return merge(r)
	}
	worker := func() error {
		var w W
		for {
			select {
			case ahead <- struct{}{}: // before the number: the worker of the next piece to merge never waits here
			case <-ctx.Done():
				return ctx.Err()
			}
			i := int(begun.Add(1)) - 1
			if err := ctx.Err(); i >= n || err != nil {
				<-ahead
				return err
			}
			r, err := work(&w, i)
			if err != nil {
				return err
			}
			if err := line.Deliver(i, r, deliver); err != nil {
				return err
			}
		}
	}
	for range workers {
		g.Go(func() error { return goroutine.Guard(worker) })
	}
	return goroutine.Raise(g.Wait())
}
