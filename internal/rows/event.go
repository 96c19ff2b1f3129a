package rows

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// descriptorFills fill what tables of events have of an EVENT_HEADER.
var descriptorFills = []columnFill{
	{name: "event_id", needs: needsDescriptor, small: func(f *filling, v []int32, _ []*row) {
		for i := range v {
			v[i] = int32(f.descriptors[i].ID)
		}
	}},
	{name: "event_version", needs: needsDescriptor, small: func(f *filling, v []int32, _ []*row) {
		for i := range v {
			v[i] = int32(f.descriptors[i].Version)
		}
	}},
	{name: "level", needs: needsDescriptor, small: func(f *filling, v []int32, _ []*row) {
		for i := range v {
			v[i] = int32(f.descriptors[i].Level)
		}
	}},
	{name: "opcode", needs: needsDescriptor, small: func(f *filling, v []int32, _ []*row) {
		for i := range v {
			v[i] = int32(f.descriptors[i].Opcode)
		}
	}},
	{name: "task", needs: needsDescriptor, small: func(f *filling, v []int32, _ []*row) {
		for i := range v {
			v[i] = int32(f.descriptors[i].Task)
		}
	}},
	{name: "keyword", needs: needsDescriptor, ints: func(f *filling, v []int64, _ []*row) {
		for i := range v {
			v[i] = int64(f.descriptors[i].Keyword) // by its bits
		}
	}},
	{name: "activity_id", fill: func(f *filling, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if id := r.Header().ActivityID(); !id.IsZero() {
				c.At(first + i).Code(f.batch.Texts.GUID(id))
			}
		}
	}},
}

// headerOnlyFills fill what only the table of the headers has of them.
var headerOnlyFills = []columnFill{
	{name: "activity_path", fill: func(f *filling, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if path, ok := r.Header().ActivityPath(f.path); ok {
				c.At(first + i).Code(f.batch.Texts.Blob(path))
			}
		}
	}},
	{name: "channel", needs: needsDescriptor, small: func(f *filling, v []int32, _ []*row) {
		for i := range v {
			v[i] = int32(f.descriptors[i].Channel)
		}
	}},
	{name: "event_flags", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Header().Flags())
		}
	}},
	{name: "event_flags_text", codes: meanings(schema.EventFlagsValues, func(r *row) uint16 { return r.Header().Flags() })},
	{name: "event_property", small: func(_ *filling, v []int32, rows []*row) {
		for i, r := range rows {
			v[i] = int32(r.Header().Property())
		}
	}},
	{name: "event_property_text", codes: meanings(schema.EventPropertyValues, func(r *row) uint16 { return r.Header().Property() })},
}

// meanings returns the fill of a column with the names of the bits of flags.
func meanings(table string, flags func(r *row) uint16) func(f *filling, v []int64, rows []*row) {
	values, _ := schema.LookupValues(table)
	return func(f *filling, v []int64, rows []*row) {
		last, code := uint16(0), int64(columns.None) // most rows have the flags of the row before
		for i, r := range rows {
			if n := flags(r); n != last {
				last, code = n, f.batch.Texts.Meaning(values, uint64(n))
			}
			v[i] = code
		}
	}
}

// relatedFills fill the column of the one extended item that tables of events have. They
// look for it, and not at all items.
var relatedFills = []columnFill{
	{name: "related_activity_id", fill: func(f *filling, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			for items := r.Header().Items(); items.Next(); {
				if items.Type == decode.ItemRelatedActivityID && items.Type.Fits(items.Data) {
					c.At(first + i).Code(f.batch.Texts.GUID(schema.GUID(items.Data)))
					break
				}
			}
		}
	}},
}

// describeHeaders reads the descriptors of a block's rows.
func (f *filling) describeHeaders(rows []*row) {
	f.descriptors = slices.Grow(f.descriptors[:0], len(rows))[:len(rows)]
	for i, r := range rows {
		f.descriptors[i] = r.Header().Descriptor()
	}
}
