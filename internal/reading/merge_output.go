package reading

import (
	"context"
	"math"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/schema"
)

// rowOutput gives batches of merged rows to a writer, in groups that several goroutines encode.
type rowOutput struct {
	writer    pipeline.Writer
	large     bool
	remaining int64 // most rows that may follow
	given     int
	waiting   []*columns.Batch
	rows      int // that wait
	bytes     int64
	groups    int

	encoders *errgroup.Group
	line     ordered.Line[pipeline.Encoded]
	failed   func() error // returns the first error of an encoder
}

func newRowOutput(w pipeline.Writer, workers int, limit int64, large bool) *rowOutput {
	encoders, ctx := errgroup.WithContext(context.Background())
	out := &rowOutput{writer: w, large: large, remaining: math.MaxInt64, encoders: encoders, failed: func() error { return context.Cause(ctx) }}
	if limit != 0 {
		out.remaining = max(limit, 0)
	}
	out.encoders.SetLimit(workers)
	return out
}

// add gives the next rows, which belong to the output from now on. It returns errEnough when the limit
// is reached.
func (o *rowOutput) add(b *columns.Batch) error {
	if int64(b.Rows) > o.remaining {
		b.Truncate(int(o.remaining))
	}
	if b.Rows > 0 {
		o.remaining -= int64(b.Rows)
		o.rows += b.Rows
		o.bytes += b.Memory()
		o.waiting = append(o.waiting, b)
	}
	if pipeline.IsGroup(o.rows, o.bytes, o.given, o.large) {
		o.flush(false)
	}
	if err := o.failed(); err != nil {
		return err
	}
	if o.remaining == 0 {
		return errEnough
	}
	return nil
}

// flush encodes the rows that wait.
func (o *rowOutput) flush(last bool) {
	if o.rows == 0 {
		return
	}
	group, number := &pipeline.Group{Batches: o.waiting, Last: last}, o.groups
	o.given += o.rows
	o.groups++
	o.waiting, o.rows, o.bytes = nil, 0, 0
	o.encoders.Go(func() error {
		return goroutine.Guard(func() error {
			encoded, err := o.writer.Encode(group)
			if err != nil {
				return err
			}
			return o.line.Deliver(number, encoded, pipeline.Encoded.Commit)
		})
	})
}

// close waits until all rows are written.
func (o *rowOutput) close() error {
	if o.failed() == nil {
		o.flush(true)
	}
	return goroutine.Raise(o.encoders.Wait())
}

// copiedRows is a sink that copies batches, so that the memory for making rows is free again, and passes the
// copies on in order.
type copiedRows struct {
	copy func(*columns.Batch) *columns.Batch
	to   func(*columns.Batch) error
}

// Table implements [pipeline.Sink].
func (c *copiedRows) Table(*schema.Table) (pipeline.Writer, error) { return c, nil }

// Encode implements [pipeline.Writer].
func (c *copiedRows) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	defer g.Done()
	copied := &copiedGroup{to: c.to}
	for _, b := range g.Batches {
		copied.batches = append(copied.batches, c.copy(b))
	}
	return copied, nil
}

// copiedGroup is rows that wait for their turn.
type copiedGroup struct {
	to      func(*columns.Batch) error
	batches []*columns.Batch
}

// Commit implements [pipeline.Encoded].
func (g *copiedGroup) Commit() error {
	for _, b := range g.batches {
		if err := g.to(b); err != nil {
			return err
		}
	}
	return nil
}
