package ordered

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/base/crash"
)

// Do runs n pieces of work in parallel and merges their results in the order of the pieces. Each
// worker has its own W. The workers stay at most a few pieces ahead of the merge.
func Do[W, R any](ctx context.Context, workers, n int, work func(*W, int) (R, error), merge func(R) error) error {
	g, ctx := errgroup.WithContext(ctx)
	pieces := make(chan int)
	results := make([]chan R, n)
	for i := range results {
		results[i] = make(chan R, 1)
	}
	ahead := make(chan struct{}, 4*workers)
	g.Go(func() error {
		defer close(pieces)
		for i := range n {
			select {
			case ahead <- struct{}{}:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case pieces <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range workers {
		g.Go(func() error {
			var w W
			for i := range pieces {
				if err := ctx.Err(); err != nil {
					return err
				}
				var r R
				err := crash.Guard(func() (err error) { r, err = work(&w, i); return err })
				if err != nil {
					return err
				}
				results[i] <- r
			}
			return nil
		})
	}
	g.Go(func() error {
		for i := range results {
			select {
			case r := <-results[i]:
				if err := crash.Guard(func() error { return merge(r) }); err != nil {
					return err
				}
				<-ahead
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return g.Wait()
}
