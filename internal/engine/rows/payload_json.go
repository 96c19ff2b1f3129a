package rows

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/valuetext"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/schema"
)

// jsonWriter writes decoded payloads for the column fields, in any [FieldsForm]. As JSON, a payload is
// an object whose members are the columns that the payload fills in the event's table, in their order,
// with the keys of [schema.Table.FieldKey]. The view of all events makes the same object from these
// columns; see package views. It belongs to one worker.
type jsonWriter struct {
	clock  decode.Clock
	form   FieldsForm
	mask   *redact.Mask // replaces names; nil keeps them
	class  redact.Class // of the member being written
	masked []byte       // of one value
	exact  bool         // a second column has the times being written in ns
	cut    bool         // their column is text, which has us
	text   []byte       // of one value
	number []byte       // for a column of text
	times  valuetext.Times
}

// jsonLayout is a layout with the JSON members of its fields.
type jsonLayout struct {
	*decode.Layout
	fields  []jsonField
	members []jsonMember // in the order of the columns
}

// jsonField is a field with the column that its value goes to.
type jsonField struct {
	*schema.Field
	structure *jsonLayout
	isList    bool // the column is a list, and the field one value
	isText    bool // the column is text, and the value something else
	hasNS     bool // a second column has the time in ns
	class     redact.Class
}

// jsonMember is a member of an object.
type jsonMember struct {
	name   []byte // what comes before the value; see FieldsForm.member
	field  int
	form   memberForm
	values *schema.Values // of memberText
	part   schema.Part    // of memberText
	column int
	isList bool // the column in ns is a list

	isPlain bool // one value of a kind that is never NULL and needs nothing else
}

// memberForm says what a member has of a field.
type memberForm uint8

const (
	memberValue memberForm = iota
	memberNS               // the time in ns
	memberText             // the name of the number, or of a part of it
)

// newJSONLayout compiles the layout of an event. places are the columns of its fields in a table.
func newJSONLayout(l *decode.Layout, fields []schema.Field, places []schema.FieldColumns, table *schema.Table, form FieldsForm) *jsonLayout {
	j := newJSONMembers(l, fields, places, table.Columns, form)
	j.name(form, table.Columns, table.FieldKey)
	return j
}

// newJSONMembers compiles a layout of fields, without names: those of an event, or of a structure in it.
// places are the columns of the fields among columns.
func newJSONMembers(l *decode.Layout, fields []schema.Field, places []schema.FieldColumns, columns []schema.Column, form FieldsForm) *jsonLayout {
	j := &jsonLayout{Layout: l, fields: make([]jsonField, len(fields))}
	add := func(column, field int, m memberForm, values *schema.Values, part schema.Part) {
		isShown := m != memberNS || form == FieldsJSON || form != FieldsText && fields[field].Kind == schema.Ticks // a FILETIME's text has all of it
		if column >= 0 && isShown {
			j.members = append(j.members, jsonMember{field: field, form: m, values: values, part: part, column: column, isList: columns[column].List})
		}
	}
	structures := l.Structures()
	for i := range fields {
		f, place := &j.fields[i], &places[i]
		f.Field, f.hasNS = &fields[i], place.NS >= 0
		if place.Value >= 0 {
			f.class = redact.ClassOfName(columns[place.Value].Name)
		}
		add(place.Value, i, memberValue, nil, schema.Part{})
		add(place.NS, i, memberNS, nil, schema.Part{})
		add(place.Text, i, memberText, f.ValueNames(), schema.Part{Mask: math.MaxUint64})
		for k, part := range f.Parts {
			values, _ := schema.LookupValues(part.Values)
			add(place.Parts[k], i, memberText, values, part)
		}
		if place.Value < 0 {
			continue
		}
		to, own := &columns[place.Value], &columns[place.Value]
		if place.Own != nil {
			own = place.Own
		}
		f.isList, f.isText = to.List && !f.IsArray(), to.Type == schema.String && ownType(f.Field) != schema.String
		if structure := structures[i]; structure != nil {
			f.structure = newJSONMembers(structure, fields[i].Struct, place.Members, own.Fields, form)
			f.structure.name(form, own.Fields, func(column string) string { return column })
		}
	}
	for i := range j.members {
		m := &j.members[i]
		f := &j.fields[m.field]
		m.isPlain = m.form == memberValue && f.structure == nil && !f.IsArray() && !f.isList && !f.isText &&
			f.Kind != schema.WBEMSID && f.Kind != schema.LZNT1Text16 && f.Kind != schema.Ticks && !decode.IsTime(f.Field)
	}
	slices.SortStableFunc(j.members, func(a, b jsonMember) int { return cmp.Compare(a.column, b.column) })
	return j
}

// ownType returns the type of the column that a field would have alone.
func ownType(f *schema.Field) schema.Type {
	if f.Struct != nil {
		return schema.Struct
	}
	return f.Kind.ColumnType()
}

// append appends a payload as an object. The frame's spans, up to used, are its fields.
func (j *jsonWriter) append(dst, payload []byte, l *jsonLayout, frame *decode.Frame, used int) []byte {
	if j.form == FieldsText && used == len(payload) && l.isSingleText() && frame.Spans[l.members[0].field].From >= 0 {
		f, s := l.fields[l.members[0].field].Field, frame.Spans[l.members[0].field]
		if j.mask == nil {
			return decode.AppendText(dst, f, payload[s.From:s.To], l.PointerSize)
		}
		j.text = decode.AppendText(j.text[:0], f, payload[s.From:s.To], l.PointerSize)
		return j.mask.Append(dst, l.fields[l.members[0].field].class, string(j.text))
	}
	form := &fieldsForms[j.form]
	start := len(dst)
	dst = j.members(append(dst, form.open), payload, l, frame)
	if used < len(payload) && j.mask == nil { // any name can be in bytes
		dst = append(j.bytes(j.begin(dst, form.rest), payload[used:]), form.end...)
	}
	if dst = append(dst, form.close); j.form == FieldsText {
		dst = slices.Delete(dst, start, start+1)
		dst = dst[:len(dst)-1]
	}
	return dst
}

// object appends a structure.
func (j *jsonWriter) object(dst, payload []byte, l *jsonLayout, frame *decode.Frame) []byte {
	form := &fieldsForms[j.form]
	return append(j.members(append(dst, form.openStruct...), payload, l, frame), form.closeStruct...)
}

// members appends the fields at the frame's spans, without those that are NULL in their columns.
func (j *jsonWriter) members(dst, payload []byte, l *jsonLayout, frame *decode.Frame) []byte {
	end := fieldsForms[j.form].end
	for i := range l.members {
		m := &l.members[i]
		f, s := &l.fields[m.field], frame.Spans[m.field]
		if s.From < 0 || j.mask != nil && f.Kind == schema.Bytes {
			continue
		}
		j.class = f.class
		b := payload[s.From:s.To]
		switch {
		case m.isPlain:
			dst = append(j.plain(j.begin(dst, m.name), f.Field, b, l.PointerSize), end...)
		case m.form == memberNS:
			if clock := clockOf(f.Kind, &j.clock); areTimes(clock, b) {
				dst = append(j.nanos(j.begin(dst, m.name), clock, b, m.isList), end...)
			}
		case m.form == memberText:
			j.class = redact.Text
			if j.text = m.values.AppendText(j.text[:0], decode.Uint(b)>>m.part.Shift&m.part.Mask); len(j.text) > 0 {
				dst = append(j.string(j.begin(dst, m.name), j.text), end...)
			}
		default:
			dst = j.member(dst, payload, l, m, f, frame)
		}
	}
	return dst
}

// member appends the value of a field, unless it is NULL.
func (j *jsonWriter) member(dst, payload []byte, l *jsonLayout, m *jsonMember, f *jsonField, frame *decode.Frame) []byte {
	s := frame.Spans[m.field]
	b := payload[s.From:s.To]
	switch {
	case f.Kind == schema.WBEMSID && !f.IsArray() && decode.WBEMSID(b, l.PointerSize) == nil:
		return dst
	case decode.IsTime(f.Field) && !decode.AreDates(f.Kind, b), f.Kind == schema.Ticks && !areTimes(&j.clock, b):
		return dst
	case f.Kind == schema.LZNT1Text16:
		return j.compressed(dst, payload, m, frame.Spans)
	}
	form := &fieldsForms[j.form]
	dst = j.begin(dst, m.name)
	j.exact = f.hasNS && areTimes(clockOf(f.Kind, &j.clock), b)
	isCut := j.cut
	j.cut = isCut || f.isText
	if f.isList {
		dst = append(dst, form.openList...)
	}
	switch {
	case f.structure != nil:
		dst = j.structures(dst, payload, f, s, frame)
	case f.IsArray():
		dst = j.array(dst, payload, l.Layout, m.field, f, s, frame)
	default:
		dst = j.value(dst, f, b, l.PointerSize)
	}
	if f.isList {
		dst = append(dst, form.closeList...)
	}
	j.cut = isCut
	return append(dst, form.end...)
}

// begin begins a member of an object. No value ends like the beginning of an object.
func (j *jsonWriter) begin(dst, name []byte) []byte {
	if last := dst[len(dst)-1]; last != '{' && last != '[' {
		dst = append(dst, fieldsForms[j.form].separator)
	}
	return append(dst, name...)
}

// compressed appends a compressed text; it omits a damaged one.
func (j *jsonWriter) compressed(dst, payload []byte, m *jsonMember, spans []decode.Span) []byte {
	units, err := decode.DecompressField(nil, payload, m.field, spans)
	if err != nil {
		return dst
	}
	return append(j.string(j.begin(dst, m.name), decode.AppendUTF16(nil, units)), fieldsForms[j.form].end...)
}

func (j *jsonWriter) structures(dst, payload []byte, f *jsonField, s decode.Span, outer *decode.Frame) []byte {
	form := &fieldsForms[j.form]
	if f.IsArray() {
		dst = append(dst, form.openList...)
	}
	frame := decode.Frame{Outer: outer}
	for at := int(s.From); at < int(s.To); {
		if at > int(s.From) {
			dst = append(dst, form.separator)
		}
		var next int
		frame.Spans, next = f.structure.Element(payload, at, outer, frame.Spans)
		if start := len(dst); f.isText {
			j.text = j.object(nil, payload, f.structure, &frame)
			j.class = redact.Kept // names in it are replaced
			dst = j.string(dst[:start], j.text)
		} else {
			dst = j.object(dst, payload, f.structure, &frame)
		}
		at = next
	}
	if f.IsArray() {
		dst = append(dst, form.closeList...)
	}
	return dst
}

// array appends the values of an array, as payloadRows.elements does.
func (j *jsonWriter) array(dst, payload []byte, l *decode.Layout, index int, f *jsonField, s decode.Span, frame *decode.Frame) []byte {
	form := &fieldsForms[j.form]
	b, width := payload[s.From:s.To], 0 // of values whose length is in another field
	dst = append(dst, form.openList...)
	if f.LengthField != "" {
		if width = l.ValueWidth(index, payload, frame); width == 0 {
			return append(dst, form.closeList...)
		}
	}
	for first := true; len(b) > 0 && len(b) >= width; first = false {
		if !first {
			dst = append(dst, form.separator)
		}
		var value []byte
		if width > 0 {
			value, b = b[:width], b[width:]
		} else {
			value, b = l.Value(f.Field, b)
		}
		if f.isText {
			dst = j.value(dst, f, value, l.PointerSize)
		} else {
			dst = j.plain(dst, f.Field, value, l.PointerSize)
		}
	}
	return append(dst, form.closeList...)
}

// value appends one value: numbers and booleans as such unless the column is text, all others as
// text.
func (j *jsonWriter) value(dst []byte, f *jsonField, b []byte, pointerSize int) []byte {
	if f.isText && ownType(f.Field) < schema.String {
		form := j.form
		j.form = FieldsJSON
		j.number = j.plain(j.number[:0], f.Field, b, pointerSize)
		j.form = form
		text := j.number
		if text[0] == '"' { // a time, bytes, or what is no number: nothing in it is escaped
			text = text[1 : len(text)-1]
		}
		return j.string(dst, text)
	}
	return j.plain(dst, f.Field, b, pointerSize)
}

func (j *jsonWriter) plain(dst []byte, f *schema.Field, b []byte, pointerSize int) []byte {
	switch f.Kind {
	case schema.U8, schema.U16, schema.U32, schema.U64, schema.Pointer, schema.Size, schema.WideU32:
		return j.unsigned(dst, decode.Uint(b))
	case schema.Port:
		return j.unsigned(dst, uint64(binary.BigEndian.Uint16(b)))
	case schema.I8:
		return j.signed(dst, int64(int8(b[0])))
	case schema.I16:
		return j.signed(dst, int64(int16(le.Uint16(b))))
	case schema.I32:
		return j.signed(dst, int64(int32(le.Uint32(b))))
	case schema.I64:
		return j.signed(dst, int64(le.Uint64(b)))
	case schema.F32:
		return j.float(dst, float64(math.Float32frombits(le.Uint32(b))), 32)
	case schema.F64:
		return j.float(dst, math.Float64frombits(le.Uint64(b)), 64)
	case schema.Bool8, schema.Bool32:
		return j.bool(dst, decode.Uint(b) != 0)
	case schema.Ticks, schema.FileTime, schema.SystemTime:
		return j.time(dst, f.Kind, b)
	case schema.Bytes:
		return j.bytes(dst, b)
	}
	j.text = decode.AppendText(j.text[:0], f, b, pointerSize)
	return j.string(dst, j.text)
}

// time appends a time with seven digits after the second. If its ns are in no column, the seventh is
// not either: then it has six, but for a whole number of ms, which a SYSTEMTIME is.
func (j *jsonWriter) time(dst []byte, k schema.Kind, b []byte) []byte {
	form := &fieldsForms[j.form]
	dst = append(dst, form.openTime...)
	if j.exact && !j.cut {
		dst = j.times.Nanos(dst, clockOf(k, &j.clock).UnixNano(int64(le.Uint64(b))))
		dst = append(dst[:len(dst)-len("00Z")], 'Z')
	} else {
		us := micros(k, b, &j.clock)
		if dst = j.times.Micros(dst, us); us%1000 == 0 && !j.cut {
			dst = append(dst[:len(dst)-len("Z")], "0Z"...)
		}
	}
	return append(dst, form.closeTime...)
}

// nanos appends adjacent times in ns since 1970: a list, or the only one.
func (j *jsonWriter) nanos(dst []byte, clock *decode.Clock, b []byte, isList bool) []byte {
	form := &fieldsForms[j.form]
	if isList {
		dst = append(dst, form.openList...)
	}
	for i := 0; i+8 <= len(b); i += 8 {
		if i > 0 {
			dst = append(dst, form.separator)
		}
		dst = j.signed(dst, clock.UnixNano(int64(le.Uint64(b[i:]))))
	}
	if isList {
		dst = append(dst, form.closeList...)
	}
	return dst
}
