package rows

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// compressedFieldOf returns the index of an event's compressed text, or -1. The
// field before it is the length that it claims.
func compressedFieldOf(e *schema.Event) int {
	return slices.IndexFunc(e.Fields, func(f schema.Field) bool { return f.Kind == schema.LZNT1Text16 })
}

// decompress appends the UTF-16 of the compressed text that a payload has. One
// that is damaged is a field that does not fit: its bytes are left over.
func (l *fitLayout) decompress(dst, payload []byte, spans []decode.Span) ([]byte, *decode.Fit) {
	dst, err := decode.DecompressField(dst, payload, l.compressedField, spans)
	if err != nil {
		return dst, &decode.Fit{Used: int(spans[l.compressedField].From), Field: &l.Event.Fields[l.compressedField], Err: err}
	}
	return dst, nil
}

// compressedText appends the compressed text of a payload.
func (p *payloadRows) compressedText(number int, l *boundLayout, payload []byte, spans []decode.Span, fit *decode.Fit) {
	span := &spans[l.compressedField]
	if span.From < 0 {
		return
	}
	var misfit *decode.Fit
	if p.scratch, misfit = l.decompress(p.scratch[:0], payload, spans); misfit != nil {
		*fit = *misfit
	} else if c := l.compressed; c != nil {
		c.At(number)
		c.Bytes = decode.AppendUTF16(c.Bytes, p.scratch)
		c.Blob(nil)
	}
	*span = decode.Span{From: -1, To: -1}
}
