package reading

import (
	"context"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/schema"
)

// recordReader returns the rows of a scan, which its goroutines make.
type recordReader struct {
	schema  *arrow.Schema
	stop    context.CancelFunc
	batches chan arrow.RecordBatch // closed after the last batch, when err is set
	err     error

	current arrow.RecordBatch
	ended   bool // there are no more
	users   atomic.Int64
}

var _ array.RecordReader = (*recordReader)(nil)

// newRecordReader starts a scan, whose rows of a table run gives to a sink.
func newRecordReader(ctx context.Context, t *schema.Table, workers int, m memory.Allocator, run func(context.Context, pipeline.Sink) error) *recordReader {
	ctx, stop := context.WithCancel(ctx)
	r := &recordReader{stop: stop, batches: make(chan arrow.RecordBatch, workers)}
	r.users.Store(1)
	records := formats.NewRecords(t, m, func(batch arrow.RecordBatch) error {
		select {
		case r.batches <- batch:
			return nil
		case <-ctx.Done():
			batch.Release()
			return context.Cause(ctx)
		}
	})
	r.schema = records.Schema()
	go func() {
		r.err = goroutine.Guard(func() error { return run(ctx, records) })
		records.Close()
		close(r.batches)
	}()
	return r
}

// Retain implements [array.RecordReader].
func (r *recordReader) Retain() { r.users.Add(1) }

// Release implements [array.RecordReader]. The last Release stops all work and
// returns after it has ended.
func (r *recordReader) Release() {
	if r.users.Add(-1) > 0 {
		return
	}
	r.stop()
	for batch := range r.batches {
		batch.Release()
	}
	if r.current != nil {
		r.current.Release()
		r.current = nil
	}
}

// Schema implements [array.RecordReader].
func (r *recordReader) Schema() *arrow.Schema { return r.schema }

// Next implements [array.RecordReader]. A panic of the scan goes on in its caller.
func (r *recordReader) Next() bool {
	if r.current != nil {
		r.current.Release()
	}
	r.current = <-r.batches
	if r.ended = r.current == nil; r.ended {
		_ = goroutine.Raise(r.err) // Err returns all others
	}
	return !r.ended
}

// RecordBatch implements [array.RecordReader]. The record batch is valid until
// Next; retain it to keep it longer.
func (r *recordReader) RecordBatch() arrow.RecordBatch { return r.current }

// Record is RecordBatch, by the name that it had in earlier versions of Arrow.
func (r *recordReader) Record() arrow.RecordBatch { return r.current }

// Err implements [array.RecordReader]: it returns why Next returned false, nil at
// the end of the rows.
func (r *recordReader) Err() error {
	if !r.ended {
		return nil
	}
	return r.err
}
