package reading

import (
	"math"
	"sync"

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
	any       bool // rows were added
	rows      int  // that wait
	bytes     int64
	groups    int

	encoders errgroup.Group
	line     ordered.Line[pipeline.Encoded]
	mu       sync.Mutex
	err      error // the first one
}

func newRowOutput(w pipeline.Writer, workers int, limit int64, large bool) *rowOutput {
	out := &rowOutput{writer: w, large: large, remaining: math.MaxInt64}
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
		o.any = true
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
		err := goroutine.Guard(func() error {
			encoded, err := o.writer.Encode(group)
			if err != nil {
				return err
			}
			return o.line.Deliver(number, encoded, pipeline.Encoded.Commit)
		})
		if err != nil {
			o.fail(err)
		}
		return err
	})
}

func (o *rowOutput) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
}

func (o *rowOutput) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// close waits until all rows are written.
func (o *rowOutput) close() error {
	if o.failed() == nil {
		o.flush(true)
	}
	return goroutine.Raise(o.encoders.Wait())
}

// tracedRows is a sink for the rows of a trace. It adds the trace, and passes them on in order.
type tracedRows struct {
	merge *merge
	trace string
	to    func(*columns.Batch) error
}

// Table implements [pipeline.Sink].
func (t *tracedRows) Table(*schema.Table) (pipeline.Writer, error) { return t, nil }

// Encode implements [pipeline.Writer].
func (t *tracedRows) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	defer g.Done()
	rows := &tracedGroup{to: t.to}
	for _, b := range g.Batches {
		traced := columns.NewBatch(t.merge.table)
		t.merge.cursor(b).Copy(traced, b.Rows, t.trace)
		rows.batches = append(rows.batches, traced)
	}
	return rows, nil
}

// cursor returns a cursor for the columns that the merged rows have.
func (m *merge) cursor(b *columns.Batch) *columns.Cursor {
	return columns.NewCursor(b, len(m.table.Columns)-1)
}

// tracedGroup is rows that wait for their turn.
type tracedGroup struct {
	to      func(*columns.Batch) error
	batches []*columns.Batch
}

// Commit implements [pipeline.Encoded].
func (g *tracedGroup) Commit() error {
	for _, b := range g.batches {
		if err := g.to(b); err != nil {
			return err
		}
	}
	return nil
}
