package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/schema"
)

// appendField appends a field of the event itself. frame holds the event's fields.
func (p *payloadRows) appendField(number int, f *boundField, payload []byte, s decode.Span, frame *decode.Frame) {
	switch {
	case f.columns.Value < 0:
	case f.own != nil:
		f.own.Reset()
		p.field(f.own, 0, f, payload, s, frame)
		if p.ctx.mask != nil {
			redact.EraseBytes(f.own, &p.batch.Texts) // as text they are hexadecimal digits, in which no name is found
		}
		p.wide.Append(p.columns[f.columns.Value], number, f.own, 1)
	default:
		p.field(p.columns[f.columns.Value], number, f, payload, s, frame)
	}
	if f.columns.NS >= 0 {
		p.values.nanos(p.columns[f.columns.NS], number, f.Kind, payload[s.From:s.To])
	}
	if f.columns.Text >= 0 {
		p.meaning(p.columns[f.columns.Text], number, f.values, decode.Uint(payload[s.From:s.To]))
	}
	for i, part := range f.Parts {
		if f.columns.Parts[i] < 0 {
			continue
		}
		p.meaning(p.columns[f.columns.Parts[i]], number, f.parts[i], decode.Uint(payload[s.From:s.To])>>part.Shift&part.Mask)
	}
}

// field appends the value of a field to its column. row is the row or, for a member of structures,
// the number of its structure.
func (p *payloadRows) field(c *columns.Column, row int, f *boundField, payload []byte, s decode.Span, frame *decode.Frame) {
	b := payload[s.From:s.To]
	switch {
	case f.Kind == schema.WBEMSID && !f.IsArray():
		if decode.WBEMSID(b, p.last.PointerSize) == nil {
			return
		}
	case decode.IsTime(f.Field) && !decode.AreDates(f.Kind, b), f.Kind == schema.Ticks && !areTimes(&p.values.clock, b):
		return
	}
	if c.Spec.Nullable {
		c.At(row)
	}
	switch {
	case f.Struct != nil:
		p.structs(c, f, payload, s, frame)
	case f.IsArray():
		p.elements(c, f, payload, s, frame)
	default:
		p.values.one(c, f.Field, b)
	}
	if f.IsArray() {
		c.EndList()
	}
}

// elements appends the values of an array.
func (p *payloadRows) elements(c *columns.Column, f *boundField, payload []byte, s decode.Span, frame *decode.Frame) {
	b := payload[s.From:s.To]
	if f.LengthField != "" {
		width := f.within.ValueWidth(f.index, payload, frame)
		for ; width > 0 && len(b) >= width; b = b[width:] {
			p.values.one(c, f.Field, b[:width])
		}
		return
	}
	if f.LengthPrefix == schema.NoPrefix && appendNumbers(c, f.Field, b) {
		return
	}
	for len(b) > 0 {
		var value []byte
		value, b = f.within.Value(f.Field, b)
		p.values.one(c, f.Field, value)
	}
}

// structs appends the structures of a field.
func (p *payloadRows) structs(c *columns.Column, f *boundField, payload []byte, s decode.Span, outer *decode.Frame) {
	for at := int(s.From); at < int(s.To); {
		var next int
		f.spans, next = f.structure.Element(payload, at, outer, f.spans)
		number := c.BeginStruct()
		f.frame = decode.Frame{Spans: f.spans, Outer: outer}
		for i := range f.members {
			m, s := &f.members[i], f.spans[i]
			if s.From < 0 || m.columns.Value < 0 {
				continue
			}
			p.field(&c.Members[m.columns.Value], number, m, payload, s, &f.frame)
			if m.columns.NS >= 0 {
				p.values.nanos(&c.Members[m.columns.NS], number, m.Kind, payload[s.From:s.To])
			}
			if m.columns.Text >= 0 {
				p.meaning(&c.Members[m.columns.Text], number, m.values, decode.Uint(payload[s.From:s.To]))
			}
		}
		at = next
	}
}

// meaning appends the name of a number, if it has one.
func (p *payloadRows) meaning(c *columns.Column, row int, values *schema.Values, n uint64) {
	if code := p.batch.Texts.Meaning(values, n); code != columns.None {
		c.At(row).Code(uint32(code))
	}
}
