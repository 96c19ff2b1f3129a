package batch

import (
	"context"
	"sync/atomic"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// turns make inputs report their results in the order in which they were begun.
type turns struct {
	begun atomic.Int64
	ahead chan struct{} // a place for each turn that is not reported
	line  ordered.Line[func()]
}

// maxAhead limits the results that wait for an earlier one.
const maxAhead = 1000

// newTurns returns the turns of a run.
func newTurns() *turns { return &turns{ahead: make(chan struct{}, maxAhead)} }

// take returns the number of the next turn. It waits while too many results are pending.
func (t *turns) take(ctx context.Context) (int, error) {
	select {
	case t.ahead <- struct{}{}: // even if the run is interrupted
	default:
		select {
		case t.ahead <- struct{}{}:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return int(t.begun.Add(1)) - 1, nil
}

// report calls f, which may be nil, after all earlier turns were reported. Every turn
// must be reported.
func (t *turns) report(turn int, f func()) {
	_ = t.line.Deliver(turn, f, func(f func()) error { // never fails
		<-t.ahead
		if f != nil {
			f()
		}
		return nil
	})
}
