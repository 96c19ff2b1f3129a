package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// counterNames are the names of the values in pmc_counters.
type counterNames struct {
	configs []index.CounterConfig // by time
	current int                   // the configuration whose names codes refers to, or -1
	codes   []uint32              // of its names, in the current batch
}

// newCounterNames returns the names of counters; configs are by time.
func newCounterNames(configs []index.CounterConfig) counterNames {
	return counterNames{configs: configs, current: -1}
}

// reset starts a batch.
func (n *counterNames) reset() { n.current = -1 }

// append appends the names of an event's values to a batch, if that many names are known.
func (n *counterNames) append(b *columns.Batch, c *columns.Column, row int, t decode.Ticks, values int) {
	if len(n.configs) == 0 {
		return
	}
	if at := index.ConfigAt(n.configs, n.current, t); at != n.current {
		n.current, n.codes = at, n.codes[:0]
		for _, name := range n.configs[at].Names {
			n.codes = append(n.codes, b.Texts.Text(name))
		}
	}
	if len(n.codes) != values {
		return
	}
	c.At(row)
	for _, code := range n.codes {
		c.Code(code)
	}
	c.EndList()
}
