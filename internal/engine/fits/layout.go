package fits

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Layout is a layout with what tells quickly whether a payload fits it.
type Layout struct {
	*decode.Layout
	Compressed int           // the index of the compressed text, or -1; the field before it is the length that it claims
	Fixed      []decode.Span // by field: where it is in all payloads of FixedSize; see decode.Layout.Prefix
	FixedSize  int
	IsFixed    bool               // all fields are at fixed positions
	Times      []decode.TimeField // fields that may have times that are no dates
	isBySize   bool               // what it reads of a payload depends on the payload's size alone
}

// NewLayout compiles a layout.
func NewLayout(key Key) Layout {
	l := Layout{Layout: decode.NewLayout(key.Event, key.Version, key.PointerSize)}
	l.Compressed = slices.IndexFunc(key.Event.Fields, func(f schema.Field) bool { return f.Kind == schema.LZNT1Text16 })
	l.Fixed, l.FixedSize, l.IsFixed = l.Prefix()
	l.Times = decode.TimeFields(l.Layout, key.Event.Fields)
	l.isBySize = l.IsFixed || l.endsInValues()
	return l
}

// endsInValues reports whether all fields that are not at fixed positions have values of one size,
// which no other field counts: those that may be missing, and as many as there are at the end.
func (l *Layout) endsInValues() bool {
	for i := range l.Event.Fields {
		f := &l.Event.Fields[i]
		if !f.In(l.Version) || l.Fixed[i].From >= 0 {
			continue
		}
		_, isOneSize := f.Kind.Width(l.PointerSize)
		if !isOneSize || f.Unstated != 0 || f.Kind.HasLength() || f.Struct != nil || f.CountPrefix || f.CountField != "" || f.LengthPrefix != schema.NoPrefix || f.LengthField != "" {
			return false
		}
	}
	return true
}

// Decompress appends the UTF-16 of the compressed text that a payload has. One
// that is damaged is a field that does not fit: its bytes are left over.
func (l *Layout) Decompress(dst, payload []byte, spans []decode.Span) ([]byte, *decode.Fit) {
	dst, err := decode.DecompressField(dst, payload, l.Compressed, spans)
	if err != nil {
		return dst, &decode.Fit{Used: int(spans[l.Compressed].From), Field: &l.Event.Fields[l.Compressed], Err: err}
	}
	return dst, nil
}
