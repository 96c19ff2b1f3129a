package convert

import (
	"encoding/binary"
	"net/netip"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// payloadRows fills the table of one kind of event, from its payloads.
type payloadRows struct {
	common
	columns []*column // of the table
	rest    *column
	layouts map[layoutKey]*boundLayout
	last    *boundLayout // of the event before, which the next is mostly like
	spans   []decode.Span
	misfits []*misfit // of the current batch; few, as a rule none
	scratch []byte
}

// layoutKey tells the layouts of an event apart.
type layoutKey struct {
	event       *schema.Event
	version     uint8
	pointerSize int
}

// boundLayout is a layout with the columns of its fields.
type boundLayout struct {
	*decode.Layout
	fields []boundField
}

type boundField struct {
	*schema.Field
	columns schema.FieldColumns
	values  *schema.Values
	parts   []*schema.Values
	width   int
}

func newPayloadRows(t *schema.EventTable, ctx *rowContext) *payloadRows {
	c := newCommon(t.Table, ctx)
	p := &payloadRows{common: c, rest: c.batch.column("payload_rest"), layouts: make(map[layoutKey]*boundLayout)}
	for i := range c.batch.columns {
		p.columns = append(p.columns, &c.batch.columns[i])
	}
	return p
}

func (p *payloadRows) start() *common { return &p.common }

// layout returns the layout of a literal, compiled once.
func (p *payloadRows) layout(l *schema.Literal, version uint8, pointerSize int) *boundLayout {
	if b := p.last; b != nil && b.Event == l.Event && b.Version == version && b.PointerSize == pointerSize {
		return b
	}
	key := layoutKey{l.Event, version, pointerSize}
	b := p.layouts[key]
	if b == nil {
		b = &boundLayout{Layout: decode.NewLayout(l.Event, version, pointerSize)}
		for i := range l.Event.Fields {
			f := &l.Event.Fields[i]
			width, _ := f.Kind.Width(pointerSize)
			values, _ := schema.LookupValues(f.Values)
			bound := boundField{Field: f, columns: l.Columns[i], values: values, width: width}
			for _, part := range f.Parts {
				values, _ := schema.LookupValues(part.Values)
				bound.parts = append(bound.parts, values)
			}
			b.fields = append(b.fields, bound)
		}
		p.layouts[key] = b
	}
	p.last = b
	return b
}

// fill appends a row for an event whose layout is known.
func (p *payloadRows) fill(r *row) {
	p.common.start(r)
	switch r.Family {
	case decode.FamilySystem:
		h := r.System()
		p.ids(r, h.ProcessID(), h.ThreadID())
	case decode.FamilyEventTrace, decode.FamilyInstance:
		h := r.EventTrace()
		p.ids(r, h.ProcessID(), h.ThreadID())
	}
	p.provider(r, r.literal.Event.GUID)
	payload := r.Payload()
	p.finish(r, payload)
	l := p.layout(&r.literal, r.version, r.PointerSize())
	var fit decode.Fit
	p.spans, fit = l.Locate(payload, p.spans)
	for i := range l.fields {
		if s := p.spans[i]; s.From >= 0 {
			p.field(r.number, &l.fields[i], payload[s.From:s.To], l.PointerSize)
		}
	}
	if fit.Used < len(payload) {
		p.rest.at(r.number).blob(payload[fit.Used:])
	}
	r.decoded = fit.Err == nil
	if fit.Err != nil || fit.Used < len(payload) {
		p.noteMisfit(r, &fit, len(payload))
	}
}

// field appends the value of a field.
func (p *payloadRows) field(number int, f *boundField, b []byte, pointerSize int) {
	if f.Struct != nil {
		p.structs(number, f, b, pointerSize)
		return
	}
	if f.Kind == schema.WBEMSID {
		if b = wbemSID(b, pointerSize); b == nil {
			return
		}
	}
	c := p.columns[f.columns.Value].at(number)
	if !f.IsArray() {
		p.value(c, f.Kind, b)
		p.derived(number, f, b)
		return
	}
	for len(b) > 0 {
		n := f.width
		if n == 0 {
			n = decode.TextEnd(f.Kind, b)
		}
		p.value(c, f.Kind, b[:n])
		b = b[n:]
	}
	c.endList()
}

// structs appends an array of structures: a list for each of their fields.
func (p *payloadRows) structs(number int, f *boundField, b []byte, pointerSize int) {
	for i := range f.Struct {
		p.columns[f.columns.Struct[i]].at(number)
	}
	for len(b) > 0 {
		for i := range f.Struct {
			width, _ := f.Struct[i].Kind.Width(pointerSize)
			p.value(p.columns[f.columns.Struct[i]], f.Struct[i].Kind, b[:width])
			b = b[width:]
		}
	}
	for i := range f.Struct {
		p.columns[f.columns.Struct[i]].endList()
	}
}

// derived appends the columns that say the value in another way.
func (p *payloadRows) derived(number int, f *boundField, b []byte) {
	if f.columns.NS >= 0 {
		p.columns[f.columns.NS].at(number).int64(p.ctx.clock.UnixNano(int64(binary.LittleEndian.Uint64(b))))
	}
	if f.columns.Text >= 0 {
		p.meaning(number, f.columns.Text, f.values, number64(b))
	}
	for i, part := range f.Parts {
		p.meaning(number, f.columns.Parts[i], f.parts[i], number64(b)>>part.Shift&part.Mask)
	}
}

// meaning appends the name of a number, if it has one.
func (p *payloadRows) meaning(number, column int, values *schema.Values, n uint64) {
	if text := values.Text(n); text != "" {
		p.columns[column].at(number).code(p.batch.texts.text(text))
	}
}

// number64 reads an unsigned number of any size.
func number64(b []byte) uint64 {
	var n uint64
	for i := len(b) - 1; i >= 0; i-- {
		n = n<<8 | uint64(b[i])
	}
	return n
}

// value appends one value.
func (p *payloadRows) value(c *column, kind schema.Kind, b []byte) {
	le := binary.LittleEndian
	switch kind {
	case schema.U8:
		c.int32(int32(b[0]))
	case schema.I8:
		c.int32(int32(int8(b[0])))
	case schema.U16:
		c.int32(int32(le.Uint16(b)))
	case schema.I16:
		c.int32(int32(int16(le.Uint16(b))))
	case schema.Port:
		c.int32(int32(binary.BigEndian.Uint16(b)))
	case schema.U32:
		c.int64(int64(le.Uint32(b)))
	case schema.I32:
		c.int32(int32(le.Uint32(b)))
	case schema.U64, schema.I64:
		c.uint64(le.Uint64(b))
	case schema.Pointer, schema.Size:
		c.uint64(number64(b))
	case schema.GUIDs:
		c.code(p.batch.texts.guid(schema.GUID(b)))
	case schema.FileTime:
		c.int64(micros(decode.FiletimeUnixNano(int64(le.Uint64(b)))))
	case schema.Ticks:
		c.int64(micros(p.ctx.clock.UnixNano(int64(le.Uint64(b)))))
	case schema.Bytes:
		c.blob(b)
	default:
		p.scratch = appendFieldText(p.scratch[:0], kind, b)
		c.code(p.batch.texts.blob(p.scratch))
	}
}

// appendFieldText appends the text of a value.
func appendFieldText(dst []byte, kind schema.Kind, b []byte) []byte {
	switch kind {
	case schema.Text16, schema.Chars16:
		return appendUTF16(dst, b)
	case schema.Text8:
		return append(dst, decode.NarrowText(b)...)
	case schema.IPv4, schema.IPv6:
		address, _ := netip.AddrFromSlice(b)
		return address.AppendTo(dst)
	}
	return append(dst, sidText(b)...)
}

// appendUTF16 appends text up to a NUL; lone surrogates become U+FFFD.
func appendUTF16(dst, b []byte) []byte {
	for ; len(b) >= 2; b = b[2:] {
		r := rune(binary.LittleEndian.Uint16(b))
		if r == 0 {
			break
		}
		if utf16.IsSurrogate(r) {
			next := rune(0)
			if len(b) >= 4 {
				next = rune(binary.LittleEndian.Uint16(b[2:]))
			}
			if r = utf16.DecodeRune(r, next); r != utf8.RuneError {
				b = b[2:]
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// wbemSID returns the SID at the end of what WBEM writes, or nil for none.
func wbemSID(b []byte, pointerSize int) []byte {
	if tokenUser := 2 * pointerSize; len(b) > tokenUser {
		return b[tokenUser:]
	}
	return nil
}
