package formats

import (
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Records is a sink that passes record batches to a function, in order. The record batches share
// memory with the batches of rows until they are released.
type Records struct {
	maker *recordbatch.Maker
	to    func(arrow.RecordBatch) error

	mu      sync.Mutex
	waiting map[*recordGroup]bool // not yet passed on
}

// NewRecords returns a sink for the rows of a table. The function to owns the record batches that
// it is called with. An error of to ends the pass.
func NewRecords(t *schema.Table, m memory.Allocator, to func(arrow.RecordBatch) error) *Records {
	return &Records{maker: recordbatch.NewMaker(t, m), to: to, waiting: make(map[*recordGroup]bool)}
}

// Schema returns the schema of all record batches.
func (r *Records) Schema() *arrow.Schema { return r.maker.Schema() }

// Close releases record batches that were not passed on because of an error. It must be called
// after the pass has ended.
func (r *Records) Close() {
	for g := range r.waiting {
		g.release()
	}
}

// Table implements [pipeline.Sink].
func (r *Records) Table(*schema.Table) (pipeline.Writer, error) { return r, nil }

// Encode implements [pipeline.Writer].
func (r *Records) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	e := &recordGroup{of: r}
	var left atomic.Int64 // batches whose memory is in use
	left.Store(int64(len(g.Batches)))
	done := func() {
		if left.Add(-1) == 0 {
			g.Done()
		}
	}
	for _, b := range g.Batches {
		batch, err := r.maker.RecordBatch(b, done)
		if err != nil {
			e.release()
			return nil, err
		}
		e.batches = append(e.batches, batch)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[e] = true
	return e, nil
}

// recordGroup is record batches that wait for their turn.
type recordGroup struct {
	of      *Records
	batches []arrow.RecordBatch
}

// Commit implements [pipeline.Encoded].
func (g *recordGroup) Commit() error {
	for len(g.batches) > 0 {
		next := g.batches[0]
		g.batches = g.batches[1:]
		if err := g.of.to(next); err != nil {
			return err
		}
	}
	g.of.mu.Lock()
	defer g.of.mu.Unlock()
	delete(g.of.waiting, g)
	return nil
}

func (g *recordGroup) release() {
	for _, batch := range g.batches {
		batch.Release()
	}
	g.batches = nil
}
