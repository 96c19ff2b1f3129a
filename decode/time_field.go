package decode

import "github.com/etl2parquet/etl2parquet/schema"

// TimeField is a field of a layout that holds times, or structures with such fields.
type TimeField struct {
	*schema.Field
	index     int
	structure *Layout // nil if the field holds times
	members   []TimeField
}

// TimeFields returns the fields of a layout that hold times; nil if there are none.
func TimeFields(l *Layout, fields []schema.Field) (list []TimeField) {
	for i := range fields {
		f := TimeField{Field: &fields[i], index: i}
		if f.Struct != nil {
			if f.structure = l.Structure(i); f.structure != nil {
				f.members = TimeFields(f.structure, f.Struct)
			}
			if f.members == nil {
				continue
			}
		} else if !IsTime(f.Field) {
			continue
		}
		list = append(list, f)
	}
	return list
}

// IsTime reports whether a field holds times that may be invalid dates.
func IsTime(f *schema.Field) bool {
	return f.Struct == nil && (f.Kind == schema.FileTime || f.Kind == schema.SystemTime)
}

// AreDates reports whether all adjacent times in b are dates; see [IsDate].
func AreDates(k schema.Kind, b []byte) bool {
	width, _ := k.Width(8)
	for ; len(b) >= width; b = b[width:] {
		if !IsDate(k, b[:width]) {
			return false
		}
	}
	return true
}

// NoDate returns the first of the fields with a time that is not a date, or nil.
func NoDate(list []TimeField, payload []byte, frame *Frame) *schema.Field {
	for i := range list {
		f := &list[i]
		s := frame.Spans[f.index]
		switch {
		case s.From < 0:
		case f.structure == nil:
			if !AreDates(f.Kind, payload[s.From:s.To]) {
				return f.Field
			}
		default:
			inner := Frame{Outer: frame}
			for at := int(s.From); at < int(s.To); {
				var next int
				inner.Spans, next = f.structure.Element(payload, at, frame, inner.Spans)
				if found := NoDate(f.members, payload, &inner); found != nil {
					return found
				}
				at = next
			}
		}
	}
	return nil
}
