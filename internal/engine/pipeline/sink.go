package pipeline

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Sink receives the rows of a trace, table by table.
type Sink interface {
	// Table returns the writer of a table. It is called once for each table that has rows, by any
	// worker, before the first of its rows.
	Table(t *schema.Table) (Writer, error)
}

// Writer receives the rows of one table in two steps: the first can run for several row groups
// concurrently, the second runs for one after another.
type Writer interface {
	// Encode prepares a row group for writing. Workers call it for several row groups concurrently,
	// in any order.
	Encode(g *Group) (Encoded, error)
}

// Encoded is a row group that is ready to be written.
type Encoded interface {
	// Commit writes it. It is called for the row groups of a table in the order of
	// their rows, one after another.
	Commit() error
}

// Group is the rows of a row group, in order.
type Group struct {
	Batches []*columns.Batch
	Last    bool // no rows follow
	Only    bool // the group has all rows of its table, from this trace
	done    func()
}

// Rows returns the number of rows.
func (g *Group) Rows() (n int) {
	for _, b := range g.Batches {
		n += b.Rows
	}
	return n
}

// Done returns the batches to their maker, who fills them with other rows. The writer calls it
// once, when it no longer needs them. Until then the writer owns them, and the memory they take is
// not available for later rows.
func (g *Group) Done() {
	if g.done != nil {
		g.done()
	}
}
