package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// summaryFills fill the columns of the table of all events that do not depend on the header type.
var summaryFills = []columnFill{
	{name: "event_id", small: func(_ *batchBuilder, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.key.ID)
		}
	}},
	{name: "level_name", codes: fillNames(func(n *index.EventNames, d *decode.EventDescriptor, f decode.Family) (string, bool) {
		return n.LevelName, n.Level == d.Level || f == decode.FamilyMessage
	})},
	{name: "opcode_name", codes: fillNames(func(n *index.EventNames, d *decode.EventDescriptor, f decode.Family) (string, bool) {
		return n.OpcodeName, n.Opcode == d.Opcode || f != decode.FamilyEvent
	})},
	{name: "task_name", codes: fillNames(func(n *index.EventNames, d *decode.EventDescriptor, f decode.Family) (string, bool) {
		return n.TaskName, n.Task == d.Task || f != decode.FamilyEvent
	})},
	{name: "seconds", fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		c.Present(first, len(rows))
		for _, place := range f.places {
			c.Float64(float64(f.block.ns[place]-f.ctx.start) / 1e9)
		}
	}},
}

// fillNames fills a column with names of numbers in events' headers, if the kind of the events has
// names for the same numbers.
func fillNames(name func(*index.EventNames, *decode.EventDescriptor, decode.Family) (name string, isOwn bool)) func(*batchBuilder, []int64, []*row) {
	return func(f *batchBuilder, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = columns.None
			if r.Number < len(f.ctx.eventNames) {
				descriptor := catalog.DescriptorOf(&r.Event)
				if text, isOwn := name(&f.ctx.eventNames[r.Number], &descriptor, r.Family); isOwn {
					v[i] = f.optionalCode(text)
				}
			}
		}
	}
}
