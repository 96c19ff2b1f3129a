package fits

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Layout is a layout, prepared so that it is fast to check whether a payload fits it.
type Layout struct {
	*decode.Layout
	Compressed int           // the index of the compressed text, or -1; the field before it has its claimed length
	Fixed      []decode.Span // by field: its position in all payloads of FixedSize; see decode.Layout.Prefix
	FixedSize  int
	IsFixed    bool               // all fields are at fixed positions
	Times      []decode.TimeField // fields whose times may be invalid dates
	isBySize   bool               // the size of a payload alone decides what is read of it
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

// endsInValues reports whether every field that is not at a fixed position has values of one size
// that no other field counts: values that may be missing, and arrays up to the payload's end.
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

// Decompress appends the UTF-16 of a payload's compressed text. A damaged text is a field that does
// not fit: its bytes are left over.
func (l *Layout) Decompress(dst, payload []byte, spans []decode.Span) ([]byte, *decode.Fit) {
	dst, err := decode.DecompressField(dst, payload, l.Compressed, spans)
	if err != nil {
		return dst, &decode.Fit{Used: int(spans[l.Compressed].From), Field: &l.Event.Fields[l.Compressed], Err: err}
	}
	return dst, nil
}
