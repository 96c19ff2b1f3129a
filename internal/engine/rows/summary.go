package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// summaryFills fill the columns of the table of all events that do not depend on the header type.
var summaryFills = []columnFill{
	{name: "event_id", small: func(_ *batchBuilder, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.key.ID)
		}
	}},
	{name: "event_version", fill: fillNumbers(versionFamilies, func(b *blockColumns) *[BlockRows]int32 { return &b.version })},
	{name: "level", fill: fillLevels},
	{name: "level_name", codes: fillNames(func(n *index.EventNames, d *decode.EventDescriptor, f decode.Family) (string, bool) {
		return n.LevelName, n.Level == d.Level || f == decode.FamilyMessage
	})},
	{name: "task", fill: fillNumbers(1<<decode.FamilyEvent, func(b *blockColumns) *[BlockRows]int32 { return &b.task })},
	{name: "task_name", codes: fillNames(func(n *index.EventNames, d *decode.EventDescriptor, f decode.Family) (string, bool) {
		return n.TaskName, n.Task == d.Task || f != decode.FamilyEvent
	})},
	{name: "opcode", fill: fillNumbers(1<<decode.FamilyEvent, func(b *blockColumns) *[BlockRows]int32 { return &b.opcode })},
	{name: "opcode_name", codes: fillNames(func(n *index.EventNames, d *decode.EventDescriptor, f decode.Family) (string, bool) {
		return n.OpcodeName, n.Opcode == d.Opcode || f != decode.FamilyEvent
	})},
	{name: "keyword", fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if r.Family == decode.FamilyEvent {
				c.At(first + i).Int64(f.block.keyword[r.place])
			}
		}
	}},
	{name: "channel", fill: fillNumbers(1<<decode.FamilyEvent, func(b *blockColumns) *[BlockRows]int32 { return &b.channel })},
	{name: "activity_id", fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		if f.block.activities == 0 {
			return
		}
		for i, r := range rows {
			if r.Family != decode.FamilyEvent {
				continue
			}
			if id := r.Header().ActivityID(); !id.IsZero() {
				c.At(first + i).Code(f.batch.Texts.GUID(id))
			}
		}
	}},
	relatedFills[0],
	// fillStacks fills it, once it has the stacks of the whole slab.
	{name: schema.StackIDColumn, needs: needsStack, fill: func(*batchBuilder, *columns.Column, int, []*row) {}},
}

// versionFamilies are the families of headers that have the version of the event, as bits.
const versionFamilies = 1<<decode.FamilySystem | 1<<decode.FamilyPerfInfo | 1<<decode.FamilyEventTrace | 1<<decode.FamilyInstance | 1<<decode.FamilyEvent

// fillNumbers fills a column with a number in the headers of some families, given as bits.
func fillNumbers(families uint, values func(b *blockColumns) *[BlockRows]int32) func(*batchBuilder, *columns.Column, int, []*row) {
	return func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		from := values(f.block)
		for i, r := range rows {
			if families>>r.Family&1 != 0 {
				c.At(first + i).Int32(from[r.place])
			}
		}
	}
}

// fillLevels fills the column of levels: from the header or, for a message, from the TMF file.
func fillLevels(f *batchBuilder, c *columns.Column, first int, rows []*row) {
	for i, r := range rows {
		switch r.Family {
		case decode.FamilyEvent, decode.FamilyEventTrace, decode.FamilyInstance:
			c.At(first + i).Int32(f.block.level[r.place])
		case decode.FamilyMessage:
			if r.Number < len(f.ctx.eventNames) && f.ctx.eventNames[r.Number].HasLevel {
				c.At(first + i).Int32(int32(f.ctx.eventNames[r.Number].Level))
			}
		}
	}
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
