package pipeline

import (
	"sync"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Counter is a sink that counts rows and keeps none.
type Counter struct {
	mu   sync.Mutex
	rows map[string]int64
}

// Rows returns the number of rows of a table, by the table's name.
func (c *Counter) Rows(table string) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rows[table]
}

// Table implements [Sink].
func (c *Counter) Table(t *schema.Table) (Writer, error) { return &tableCounter{c, t.Name}, nil }

// tableCounter counts the rows of a table.
type tableCounter struct {
	of    *Counter
	table string
}

// Encode implements [Writer].
func (t *tableCounter) Encode(g *Group) (Encoded, error) {
	defer g.Done()
	return &rowCount{t, int64(g.Rows())}, nil
}

// rowCount is a row group that was counted.
type rowCount struct {
	*tableCounter
	rows int64
}

// Commit implements [Encoded].
func (n *rowCount) Commit() error {
	n.of.mu.Lock()
	defer n.of.mu.Unlock()
	if n.of.rows == nil {
		n.of.rows = make(map[string]int64)
	}
	n.of.rows[n.table] += n.rows
	return nil
}
