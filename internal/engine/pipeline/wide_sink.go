package pipeline

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/widen"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Widened returns a sink for the rows of one table, which passes them on as rows of t, whose columns
// are at least as wide.
func Widened(sink Sink, t *schema.Table) Sink { return wideSink{sink, t} }

type wideSink struct {
	sink  Sink
	table *schema.Table
}

// Table implements [Sink].
func (s wideSink) Table(*schema.Table) (Writer, error) {
	w, err := s.sink.Table(s.table)
	return wideWriter{w, s.table}, err
}

type wideWriter struct {
	writer Writer
	table  *schema.Table
}

// Encode implements [Writer].
func (w wideWriter) Encode(g *Group) (Encoded, error) {
	wide := &Group{Batches: make([]*columns.Batch, len(g.Batches)), Last: g.Last, Only: g.Only, done: g.done}
	for i, b := range g.Batches {
		wide.Batches[i] = widen.Batch(b, w.table)
	}
	return w.writer.Encode(wide)
}
