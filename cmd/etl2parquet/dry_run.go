package main

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// list prints what would be converted, and under which names.
func (c *conversion) list() error {
	found := 0
	err := c.batch.Preview(c.ctx, c.out, func(p *batch.Preview) error {
		if p.Err != nil {
			return outputError(c.flags.output, p.Err)
		}
		size := "-"
		if p.Size >= 0 {
			size = texts.RoundSize(p.Size)
		}
		if p.Action != batch.Refuse {
			found++
		}
		again := ""
		if p.Again != "" {
			again = "  again: " + printable(p.Again)
		}
		fmt.Fprintf(c.app.out, "%-7s  %10s  %s  %s%s\n", p.Action, size, p.Trace, printable(p.Name), again)
		return nil
	})
	if err != nil {
		return c.outputError(err)
	}
	return resultOf(c.ctx, found, c.report.Counts().Failed)
}
