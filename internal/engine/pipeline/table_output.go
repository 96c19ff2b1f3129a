package pipeline

import (
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/schema"
)

// tableOutput is a table that is being written to the sink.
type tableOutput struct {
	id    rows.TableID
	table *schema.Table

	// Owned by the worker that sequences:
	pending      []rows.Filler
	pendingRows  int
	pendingBytes int64
	pendingWork  int64 // see slabWork
	jobs         int   // made so far
	given        int   // rows in them

	mu      sync.Mutex // guards the writer until it is created
	writer  Writer
	encoded ordered.Line[Encoded]
}

// groupJob is a row group to be encoded.
type groupJob struct {
	table   *tableOutput
	number  int
	fillers []rows.Filler
	make    func() (*columns.Batch, error) // the rows of a table without events; nil if fillers have the rows
	batches []*columns.Batch               // that make returned
	last    bool
	only    bool // no other row group of the table
	bytes   int64
	work    int64 // see slabWork
}

// writerOf returns the writer of the table. The first call creates it.
func (t *tableOutput) writerOf(sink Sink) (Writer, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.writer == nil {
		w, err := sink.Table(t.table)
		if err != nil {
			return nil, err
		}
		t.writer = w
	}
	return t.writer, nil
}
