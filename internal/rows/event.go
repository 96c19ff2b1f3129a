package rows

import "github.com/etl2parquet/etl2parquet/internal/columns"

// descriptorFills fill what is in all headers that are an EVENT_HEADER.
var descriptorFills = []columnFill{
	{name: "event_id", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Header().Descriptor().ID)
		}
	}},
	{name: "event_version", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Header().Descriptor().Version)
		}
	}},
	{name: "channel", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Header().Descriptor().Channel)
		}
	}},
	{name: "level", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Header().Descriptor().Level)
		}
	}},
	{name: "opcode", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Header().Descriptor().Opcode)
		}
	}},
	{name: "task", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Header().Descriptor().Task)
		}
	}},
	{name: "keyword", ints: func(_ *filling, v []int64, rows []*row) {
		for i, r := range rows {
			v[i] = int64(r.Header().Descriptor().Keyword) // by its bits
		}
	}},
	{name: "activity_id", fill: func(f *filling, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if id := r.Header().ActivityID(); !id.IsZero() {
				c.At(first + i).Code(f.batch.Texts.GUID(id))
			}
		}
	}},
	{name: "event_flags", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Header().Flags())
		}
	}},
	{name: "event_property", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Header().Property())
		}
	}},
}
