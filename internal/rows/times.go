package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// timeField is a field of a layout that holds times, or structures that have such fields.
type timeField struct {
	*schema.Field
	index     int
	structure *decode.Layout // nil: the field holds times
	members   []timeField
}

// timeFields returns the fields of a layout that hold times; nil if there are none.
func timeFields(l *decode.Layout, fields []schema.Field) (list []timeField) {
	for i := range fields {
		f := timeField{Field: &fields[i], index: i}
		if f.Struct != nil {
			if f.structure = l.Structure(i); f.structure != nil {
				f.members = timeFields(f.structure, f.Struct)
			}
			if f.members == nil {
				continue
			}
		} else if f.Kind != schema.FileTime && f.Kind != schema.SystemTime {
			continue
		}
		list = append(list, f)
	}
	return list
}

// isTime reports whether a field holds times that need not be dates.
func (f *boundField) isTime() bool {
	return f.Struct == nil && (f.Kind == schema.FileTime || f.Kind == schema.SystemTime)
}

// areDates reports whether all times one after another in b are dates.
func areDates(k schema.Kind, b []byte) bool {
	width, _ := k.Width(8)
	for ; len(b) >= width; b = b[width:] {
		if !decode.IsDate(k, b[:width]) {
			return false
		}
	}
	return true
}

// noDate returns the first of the fields with a time that is no date, or nil.
func noDate(list []timeField, payload []byte, frame *decode.Frame) *schema.Field {
	for i := range list {
		f := &list[i]
		s := frame.Spans[f.index]
		switch {
		case s.From < 0:
		case f.structure == nil:
			if !areDates(f.Kind, payload[s.From:s.To]) {
				return f.Field
			}
		default:
			inner := decode.Frame{Outer: frame}
			for at := int(s.From); at < int(s.To); {
				var next int
				inner.Spans, next = f.structure.Element(payload, at, frame, inner.Spans)
				if found := noDate(f.members, payload, &inner); found != nil {
					return found
				}
				at = next
			}
		}
	}
	return nil
}
