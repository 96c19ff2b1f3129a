package rows

import (
	"encoding/binary"
	"math"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// payloadRows fills the table of one kind of event, from its payloads.
type payloadRows struct {
	common
	columns []*columns.Column // of the table
	unknown *columns.Column   // what the layouts leave over
	files   fileNames
	layouts map[layoutKey]*boundLayout
	last    *boundLayout // of the event before, which the next is mostly like
	spans   []decode.Span
	frame   decode.Frame // of spans or a prefix; here because a new one for each row would be garbage
	scratch []byte
	Misfits // of the current batch
}

// layoutKey tells the layouts of an event apart.
type layoutKey struct {
	event       *schema.Event
	version     uint8
	pointerSize int
}

// boundLayout is a layout with the columns of its fields.
type boundLayout struct {
	fitLayout
	fields []boundField
	files  []fileField
}

type boundField struct {
	*schema.Field
	within    *decode.Layout // that has the field
	index     int            // of it there
	columns   schema.FieldColumns
	values    *schema.Values
	parts     []*schema.Values
	structure *decode.Layout // of what it holds, if that is structures
	members   []boundField   // of these
	spans     []decode.Span  // of the members of the structure at hand
	frame     decode.Frame   // of these spans
}

func newPayloadRows(t *schema.EventTable, ctx *Context) *payloadRows {
	c := newCommon(t.Table, ctx)
	p := &payloadRows{common: c, unknown: c.batch.Column("payload_rest"), layouts: make(map[layoutKey]*boundLayout)}
	for i := range c.batch.Columns {
		p.columns = append(p.columns, &c.batch.Columns[i])
	}
	if t.Table.NamesFile() {
		p.files.column = c.batch.Column(schema.FileNameColumn)
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
		b = &boundLayout{fitLayout: newFitLayout(key), files: fileFields(l.Event)}
		for i := range l.Event.Fields {
			f := &l.Event.Fields[i]
			b.fields = append(b.fields, bindField(b.Layout, i, f, l.Columns[i]))
		}
		p.layouts[key] = b
	}
	p.last = b
	return b
}

// bindField puts the field of an index in a layout together with its columns.
func bindField(within *decode.Layout, index int, f *schema.Field, columns schema.FieldColumns) boundField {
	b := boundField{Field: f, within: within, index: index, columns: columns, values: f.ValueNames()}
	for _, part := range f.Parts {
		values, _ := schema.LookupValues(part.Values)
		b.parts = append(b.parts, values)
	}
	if b.structure = within.Structure(index); b.structure != nil {
		for i := range f.Struct {
			b.members = append(b.members, bindField(b.structure, i, &f.Struct[i], columns.Members[i]))
		}
	}
	return b
}

// fill appends rows for events whose layouts are known.
func (p *payloadRows) fill(rows []*row) {
	first := p.append(rows)
	p.finish(first, rows)
	if first == 0 { // a batch begins
		p.files.begin()
	}
	for len(rows) > 0 {
		l, n := p.sameLayout(rows)
		p.providers(first, l.Event.GUID, n)
		p.payloads(first, l, rows[:n])
		first, rows = first+n, rows[n:]
	}
}

// sameLayout returns the layout of the first row, and how many rows in all
// have it one after another.
func (p *payloadRows) sameLayout(rows []*row) (l *boundLayout, n int) {
	r := rows[0]
	l = p.layout(&r.Literal, r.Version, int(r.pointerSize))
	for n = 1; n < len(rows); n++ {
		if s := rows[n]; s.Literal.Event != r.Literal.Event || s.Version != r.Version || s.pointerSize != r.pointerSize {
			break
		}
	}
	return l, n
}

// payloads appends the fields of rows: those of the prefix field by field, in
// payloads that are long enough for it, and all others row by row.
func (p *payloadRows) payloads(first int, l *boundLayout, rows []*row) {
	for len(rows) > 0 {
		long := 0
		for long < len(rows) && len(rows[long].payload) >= l.prefixSize {
			long++
		}
		if long > 0 {
			for i := range l.fields {
				if s := l.prefix[i]; s.From >= 0 && l.fields[i].columns.Value >= 0 {
					p.fixed(first, &l.fields[i], rows[:long], s, l.PointerSize)
				}
			}
		}
		n := long
		if long < len(rows) {
			n++ // the one that is too short
		}
		for i, r := range rows[:n] {
			p.rest(first+i, l, r, i < long)
		}
		first, rows = first+n, rows[n:]
	}
}

// fixed appends the values of a field that has the same place in all rows.
func (p *payloadRows) fixed(first int, f *boundField, rows []*row, s decode.Span, pointerSize int) {
	if f.Struct != nil || f.IsArray() || f.Kind == schema.WBEMSID || f.Kind == schema.SystemTime {
		p.frame.Spans = p.last.prefix
		for i, r := range rows {
			p.place(first+i, f, r.payload, s, &p.frame)
		}
		return
	}
	p.values(p.columns[f.columns.Value].Present(first, len(rows)), f.Field, rows, s)
	if f.columns.NS >= 0 {
		c := p.columns[f.columns.NS].Present(first, len(rows))
		for _, r := range rows {
			c.Int64(p.ctx.clock.UnixNano(int64(binary.LittleEndian.Uint64(r.payload[s.From:]))))
		}
	}
	if f.columns.Text >= 0 {
		p.meanings(first, f.columns.Text, f.values, rows, s, schema.Part{Mask: math.MaxUint64})
	}
	for i, part := range f.Parts {
		p.meanings(first, f.columns.Parts[i], f.parts[i], rows, s, part)
	}
}

// meanings appends the names of numbers, or of a part of them.
func (p *payloadRows) meanings(first, column int, values *schema.Values, rows []*row, s decode.Span, part schema.Part) {
	codes := p.room(len(rows))
	for i, r := range rows {
		codes[i] = p.batch.Texts.Meaning(values, decode.Uint(r.payload[s.From:s.To])>>part.Shift&part.Mask)
	}
	p.columns[column].CodesAt(first, codes)
}

// values appends the values of one kind that lie at the same place of all rows.
func (p *payloadRows) values(c *columns.Column, f *schema.Field, rows []*row, s decode.Span) {
	kind := f.Kind
	le, at, n := binary.LittleEndian, s.From, len(rows)
	switch {
	case kind == schema.U8:
		for i, room := 0, columns.More(&c.Small, n); i < n; i++ {
			room[i] = int32(rows[i].payload[at])
		}
	case kind == schema.U16:
		for i, room := 0, columns.More(&c.Small, n); i < n; i++ {
			room[i] = int32(le.Uint16(rows[i].payload[at:]))
		}
	case kind == schema.I32:
		for i, room := 0, columns.More(&c.Small, n); i < n; i++ {
			room[i] = int32(le.Uint32(rows[i].payload[at:]))
		}
	case kind == schema.U32, isWord(kind) && s.To-s.From == 4:
		for i, room := 0, columns.More(&c.Ints, n); i < n; i++ {
			room[i] = int64(le.Uint32(rows[i].payload[at:]))
		}
	case kind == schema.U64, kind == schema.I64, isWord(kind) && s.To-s.From == 8:
		for i, room := 0, columns.More(&c.Ints, n); i < n; i++ {
			room[i] = int64(le.Uint64(rows[i].payload[at:]))
		}
	default:
		for _, r := range rows {
			p.value(c, f, r.payload[s.From:s.To])
		}
	}
}

// isWord reports whether a number is as wide as a pointer.
func isWord(kind schema.Kind) bool { return kind == schema.Pointer || kind == schema.Size }

// rest appends the fields of a row that are not in the prefix, or all of them
// if the prefix was not appended, and what is left of the payload.
func (p *payloadRows) rest(number int, l *boundLayout, r *row, hasPrefix bool) {
	spans, fit := l.prefix, decode.Fit{Used: l.prefixSize}
	if !hasPrefix || !l.isPrefix {
		spans, fit = p.locate(l, r)
		if l.compressed >= 0 {
			p.compressedText(number, l, r.payload, spans, &fit)
		}
		p.frame.Spans = spans
		for i := range l.fields {
			if s := spans[i]; s.From >= 0 && l.fields[i].columns.Value >= 0 && !(hasPrefix && l.prefix[i].From >= 0) {
				p.place(number, &l.fields[i], r.payload, s, &p.frame)
			}
		}
	}
	if len(l.files) > 0 {
		p.fileName(number, l, r, spans)
	}
	if fit.Used < len(r.payload) {
		p.unknown.At(number).Blob(r.payload[fit.Used:])
	}
	r.decoded = fit.Err == nil
	if fit.Err != nil || fit.Used < len(r.payload) {
		p.note(r, &fit)
	}
}

// locate finds the fields of a row, which a text may have needed before.
func (p *payloadRows) locate(l *boundLayout, r *row) ([]decode.Span, decode.Fit) {
	if r.location.spans != nil {
		return r.location.spans, r.location.fit
	}
	var fit decode.Fit
	p.spans, fit = l.Locate(r.payload, p.spans)
	return p.spans, fit
}

// place appends a field of the event itself. frame is that of its fields.
func (p *payloadRows) place(number int, f *boundField, payload []byte, s decode.Span, frame *decode.Frame) {
	p.field(p.columns[f.columns.Value], number, f, payload, s, frame)
	if f.columns.NS >= 0 {
		p.columns[f.columns.NS].At(number).Int64(p.ctx.clock.UnixNano(int64(binary.LittleEndian.Uint64(payload[s.From:]))))
	}
	if f.columns.Text >= 0 {
		p.meaning(p.columns[f.columns.Text], number, f.values, decode.Uint(payload[s.From:s.To]))
	}
	for i, part := range f.Parts {
		p.meaning(p.columns[f.columns.Parts[i]], number, f.parts[i], decode.Uint(payload[s.From:s.To])>>part.Shift&part.Mask)
	}
}

// field appends the value of a field to its column, at a row or, of a member of
// structures, the number of its structure.
func (p *payloadRows) field(c *columns.Column, row int, f *boundField, payload []byte, s decode.Span, frame *decode.Frame) {
	b := payload[s.From:s.To]
	switch {
	case f.Kind == schema.WBEMSID && !f.IsArray():
		if decode.WBEMSID(b, p.last.PointerSize) == nil {
			return
		}
	case f.Kind == schema.SystemTime && !f.IsArray():
		if _, ok := decode.SystemTimeUnixNano(b); !ok {
			return
		}
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
		p.value(c, f.Field, b)
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
			p.value(c, f.Field, b[:width])
		}
		return
	}
	for len(b) > 0 {
		var value []byte
		value, b = f.within.Value(f.Field, b)
		p.value(c, f.Field, value)
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

// value appends one value.
func (p *payloadRows) value(c *columns.Column, f *schema.Field, b []byte) {
	le := binary.LittleEndian
	switch f.Kind {
	case schema.U8:
		c.Int32(int32(b[0]))
	case schema.I8:
		c.Int32(int32(int8(b[0])))
	case schema.U16:
		c.Int32(int32(le.Uint16(b)))
	case schema.I16:
		c.Int32(int32(int16(le.Uint16(b))))
	case schema.Port:
		c.Int32(int32(binary.BigEndian.Uint16(b)))
	case schema.U32:
		c.Int64(int64(le.Uint32(b)))
	case schema.I32:
		c.Int32(int32(le.Uint32(b)))
	case schema.U64, schema.I64:
		c.Uint64(le.Uint64(b))
	case schema.Pointer, schema.Size:
		c.Uint64(decode.Uint(b))
	case schema.GUIDs:
		c.Code(p.batch.Texts.GUID(schema.GUID(b)))
	case schema.FileTime:
		c.Int64(decode.FileTimeUnixMicro(le.Uint64(b)))
	case schema.Ticks:
		c.Int64(columns.Micros(p.ctx.clock.UnixNano(int64(le.Uint64(b)))))
	case schema.SystemTime:
		ns, _ := decode.SystemTimeUnixNano(b)
		c.Int64(columns.Micros(ns))
	case schema.F32:
		c.Float32(math.Float32frombits(le.Uint32(b)))
	case schema.F64:
		c.Float64(math.Float64frombits(le.Uint64(b)))
	case schema.Bool8, schema.Bool32:
		c.Bool(decode.Uint(b) != 0)
	case schema.Bytes:
		c.Blob(b)
	case schema.Text16, schema.Chars16:
		p.scratch = decode.AppendUTF16(p.scratch[:0], b)
		c.Code(p.batch.Texts.Blob(p.scratch))
	default:
		p.scratch = decode.AppendText(p.scratch[:0], f, b, p.last.PointerSize)
		c.Code(p.batch.Texts.Blob(p.scratch))
	}
}
