package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/internal/index"
)

// counterNames is the names of the values in pmc_counters.
type counterNames struct {
	configs []index.CounterConfig // by time
	current int                   // the one that codes are of, or -1
	codes   []uint32              // of its names, in the current batch
}

// counterNames appends the names of an event's values, if as many are known.
func (f *filling) counterNames(c *columns.Column, row int, t decode.Ticks, values int) {
	n := &f.names
	if len(n.configs) == 0 {
		return
	}
	if at := index.ConfigAt(n.configs, n.current, t); at != n.current {
		n.current, n.codes = at, n.codes[:0]
		for _, name := range n.configs[at].Names {
			n.codes = append(n.codes, f.batch.Texts.Text(name))
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
