package pipeline

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Sink takes the rows of a trace, table by table.
type Sink interface {
	// Table returns what takes the rows of a table. It is called once for each
	// table that has rows, by any worker, before the first of its rows.
	Table(t *schema.Table) (Writer, error)
}

// Writer takes the rows of one table, in two steps: what can be done for several
// row groups at the same time, and what has to be done for one after another.
type Writer interface {
	// Encode makes ready what is to be written of a row group. Workers call it for
	// several row groups at the same time, in any order.
	Encode(g *Group) (Encoded, error)
}

// Encoded is a row group that is ready to be written.
type Encoded interface {
	// Commit writes it. It is called for the row groups of a table in the order of
	// their rows, one after another.
	Commit() error
}

// Group is the rows of a row group, in their order.
type Group struct {
	Batches []*columns.Batch
	Last    bool // they are what was left when all rows were made
	done    func()
}

// Rows returns how many there are.
func (g *Group) Rows() (n int) {
	for _, b := range g.Batches {
		n += b.Rows
	}
	return n
}

// Done gives the batches back to their maker, who fills them with other rows. The
// writer calls it once, when it needs them no more. Until then they are the
// writer's; the memory they take is missing for rows that follow.
func (g *Group) Done() {
	if g.done != nil {
		g.done()
	}
}
