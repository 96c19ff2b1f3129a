package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/activity"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// descriptorFills fill the columns from an EVENT_HEADER that tables of events have.
var descriptorFills = []columnFill{
	{name: "event_id", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.id }},
	{name: "event_version", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.version }},
	{name: "level", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.level }},
	{name: "opcode", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.opcode }},
	{name: "task", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.task }},
	{name: "keyword", wide: func(b *blockColumns) *[BlockRows]int64 { return &b.keyword }},
	{name: "activity_id", fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		if f.block.activities == 0 {
			return
		}
		for i, r := range rows {
			if id := r.Header().ActivityID(); !id.IsZero() {
				c.At(first + i).Code(f.batch.Texts.GUID(id))
			}
		}
	}},
}

// headerOnlyFills fill the columns that only the table of the headers has.
var headerOnlyFills = []columnFill{
	{name: "activity_path", fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		if f.block.activities == 0 {
			return
		}
		for i, r := range rows {
			if path, ok := activity.AppendPath(f.path, r.Header().ActivityID(), r.Header().ProcessID()); ok {
				c.At(first + i).Code(f.batch.Texts.Blob(path))
			}
		}
	}},
	{name: "channel", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.channel }},
	{name: "event_flags", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.flags }},
	{name: "event_flags_text", codes: meanings(schema.EventFlagsValues, func(f *batchBuilder, i int, _ *row) uint16 { return uint16(f.block.flags[f.places[i]]) })},
	{name: "event_property", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.property }},
	{name: "event_property_text", codes: meanings(schema.EventPropertyValues, func(f *batchBuilder, i int, _ *row) uint16 { return uint16(f.block.property[f.places[i]]) })},
}

// meanings returns the fill of a column with the names of the bits of flags. The names are looked up when
// an event has flags: to do so here would make all tables of names at each start of the program.
func meanings(table string, flags func(f *batchBuilder, i int, r *row) uint16) func(f *batchBuilder, v []int64, rows []*row) {
	return func(f *batchBuilder, v []int64, rows []*row) {
		var values *schema.Values
		last, code := uint16(0), int64(columns.None) // most rows have the flags of the row before
		for i, r := range rows {
			if n := flags(f, i, r); n != last {
				if values == nil {
					values, _ = schema.LookupValues(table)
				}
				last, code = n, f.batch.Texts.Meaning(values, uint64(n))
			}
			v[i] = code
		}
	}
}

// relatedFills fill the column of the only extended item that tables of payloads have, too.
var relatedFills = []columnFill{
	{name: "related_activity_id", needs: needsItems, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.block.items.of[decode.ItemRelatedActivityID] {
			if at := f.rowAt[it.row]; at >= 0 {
				c.At(at).Code(f.batch.Texts.GUID(schema.GUID(it.data)))
			}
		}
	}},
}
