package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// wppFills fill the columns that only headers of messages have, and where TMF files say that a
// message is logged.
var wppFills = []columnFill{
	{name: "message_number", small: func(_ *batchBuilder, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Message().Number())
		}
	}},
	{name: "message_flags", small: func(_ *batchBuilder, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Message().Flags())
		}
	}},
	{name: "message_flags_text", codes: meanings(schema.MessageFlagsValues, func(_ *batchBuilder, _ int, r *row) uint16 { return uint16(r.Message().Flags()) })},
	{name: "sequence_number", fill: func(_ *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if n, ok := r.Message().Sequence(); ok {
				c.At(first + i).Int64(int64(n))
			}
		}
	}},
	{name: "message_guid", needs: needsKindTexts, codes: fillProviders},
	{name: "component_id", fill: func(_ *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if id, ok := r.Message().ComponentID(); ok {
				c.At(first + i).Int64(int64(id))
			}
		}
	}},
	{name: "performance_timestamp", fill: func(_ *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if t, qpc, ok := r.Message().Time(); ok && qpc {
				c.At(first + i).Int64(t)
			}
		}
	}},
	{name: "level_name", codes: func(f *batchBuilder, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = f.logSiteOf(r.Schema).level
		}
	}},
	{name: "function_name", codes: func(f *batchBuilder, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = f.logSiteOf(r.Schema).function
		}
	}},
	{name: "source", codes: func(f *batchBuilder, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = f.logSiteOf(r.Schema).source
		}
	}},
}

// hasTimeFills fill the column of events that may lack a time.
var hasTimeFills = []columnFill{
	{name: "has_time", fill: func(_ *batchBuilder, c *columns.Column, _ int, rows []*row) {
		for _, r := range rows {
			c.Bool(r.Timed)
		}
	}},
}

// otherFills fill the columns for events with unknown headers.
var otherFills = []columnFill{
	{name: "marker", ints: func(_ *batchBuilder, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = int64(decode.Marker(r.Raw))
		}
	}},
	{name: "raw", fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		if f.ctx.payload == PayloadNone {
			return
		}
		for i, r := range rows {
			c.At(first + i).Blob(r.Raw)
		}
	}},
}

// logSite has the codes of the place where a program logs a message, or None.
type logSite struct{ level, function, source int64 }

// logSiteOf returns the place where the program logs a message, from its TMF file; s is nil if there
// is none.
func (f *batchBuilder) logSiteOf(s *schema.Schema) logSite {
	p, known := f.logged[s]
	if known {
		return p
	}
	p = logSite{columns.None, columns.None, columns.None}
	if s != nil {
		p = logSite{f.optionalCode(s.LevelName), f.optionalCode(s.Function), f.optionalCode(index.SourceOf(s))}
	}
	if f.logged == nil {
		f.logged = make(map[*schema.Schema]logSite)
	}
	f.logged[s] = p
	return p
}

// optionalCode returns the code of a text, or None if it is empty.
func (f *batchBuilder) optionalCode(text string) int64 {
	if text == "" {
		return columns.None
	}
	return int64(f.batch.Texts.Text(text))
}
