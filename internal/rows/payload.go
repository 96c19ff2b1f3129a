package rows

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/internal/rows/frames"
	"github.com/etl2parquet/etl2parquet/schema"
)

// payloadRows fills the table of one kind of event, from its payloads.
type payloadRows struct {
	filling
	columns []*columns.Column // by place in the table with all columns; nil: not wanted
	unknown *columns.Column   // what the layouts leave over; nil: not wanted
	files   fileNames
	code    *frames.Codes // of addresses of code; nil: not wanted
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
	fields     []boundField // those with a column that is wanted
	files      []fileField
	compressed *columns.Column // of the compressed text; nil: not wanted
	isEnough   bool            // no column needs what is behind the prefix
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

// payloadFills fill the columns that tables of payloads have from what describes
// the events, mostly one event for all rows of a block.
var payloadFills = []columnFill{
	{name: "provider_id", needs: needsRuns, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, r := range f.runs {
			columns.Repeat(&c.Present(r.first, r.rows).Codes, f.batch.Texts.GUID(r.event.GUID), r.rows)
		}
	}},
	{name: "provider_name", needs: needsRuns, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, r := range f.runs {
			if name := f.nameOf(r.event.GUID, f.batch.Texts.GUID(r.event.GUID)); name != columns.None {
				columns.Repeat(&c.Present(r.first, r.rows).Codes, uint32(name), r.rows)
			}
		}
	}},
	{name: "event_name", needs: needsRuns, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, r := range f.runs {
			if f.lastName.event != r.event {
				f.lastName = eventName{r.event, int64(f.batch.Texts.Text(r.event.Name))}
			}
			columns.Repeat(&c.Present(r.first, r.rows).Codes, uint32(f.lastName.code), r.rows)
		}
	}},
}

// eventRun is rows one after another that are described alike.
type eventRun struct {
	event       *schema.Event
	first, rows int
}

// findRuns finds the runs of a block's rows.
func (f *filling) findRuns(first int, rows []*row) {
	f.runs = f.runs[:0]
	for at := 0; at < len(rows); {
		kind, n := rows[at].Kind, 1
		for at+n < len(rows) && (rows[at+n].Kind == kind || rows[at+n].Literal.Event == kind.Literal.Event) {
			n++
		}
		f.runs = append(f.runs, eventRun{kind.Literal.Event, first + at, n})
		at += n
	}
}

// payloadFill returns how a table of payloads fills a column that is not of a
// field, nil if it is of one.
func payloadFill(t *schema.Table, name string) *columnFill {
	lists := [][]columnFill{payloadFills, eventFills}
	if t.HasHeaderIDs() {
		lists = append(lists, headerIDFills)
	}
	if t.HasDescriptor() {
		lists = append(lists, descriptorFills, relatedFills)
	}
	return findFill(lists, name)
}

func newPayloadRows(t *schema.EventTable, ctx *Context) *payloadRows {
	wanted := ctx.Tables[payloadTable(t)]
	p := &payloadRows{filling: newFilling(wanted, ctx), layouts: make(map[layoutKey]*boundLayout)}
	p.columns = make([]*columns.Column, len(t.Table.Columns))
	place := func(i int) int { return i }
	if wanted != t.Table {
		places := make(map[string]int) // a table may have thousands of columns
		for i := range t.Table.Columns {
			places[t.Table.Columns[i].Name] = i
		}
		place = func(i int) int { return places[wanted.Columns[i].Name] }
	}
	for i := range p.batch.Columns {
		c := &p.batch.Columns[i]
		p.columns[place(i)] = c
		if fill := payloadFill(wanted, c.Spec.Name); fill != nil {
			p.bind(fill, c)
		}
	}
	// A table without messages may have a field of that name; its rows have no
	// message then.
	if c := p.batch.OptionalColumn(schema.MessageColumn); c != nil {
		p.bind(&messageFills[0], c)
	}
	if wanted.NamesFile() {
		p.files.column = p.batch.Column(schema.FileNameColumn)
	}
	p.unknown = p.batch.OptionalColumn(schema.RestColumn)
	if locatesCode(wanted) {
		p.code = new(frames.Codes)
	}
	return p
}

// layout returns the layout of a literal, compiled once.
func (p *payloadRows) layout(l *schema.Literal, version uint8, pointerSize int) *boundLayout {
	if b := p.last; b != nil && b.Event == l.Event && b.Version == version && b.PointerSize == pointerSize {
		return b
	}
	key := layoutKey{l.Event, version, pointerSize}
	b := p.layouts[key]
	if b == nil {
		b = p.bindLayout(l, newFitLayout(key))
		p.layouts[key] = b
	}
	p.last = b
	return b
}

// bindLayout puts a layout together with the columns that are wanted.
func (p *payloadRows) bindLayout(l *schema.Literal, fit fitLayout) *boundLayout {
	b := &boundLayout{fitLayout: fit, isEnough: p.unknown == nil}
	if p.files.column != nil {
		b.files = fileFields(l.Event)
		b.isEnough = b.isEnough && len(b.files) == 0
	}
	for i := range l.Event.Fields {
		places, wanted := p.wanted(l.Columns[i])
		if !wanted {
			continue
		}
		b.fields = append(b.fields, bindField(b.Layout, i, &l.Event.Fields[i], places))
		b.isEnough = b.isEnough && b.prefix[i].From >= 0
		if i == b.compressedField {
			b.compressed = p.columns[places.Value]
		}
	}
	return b
}

// wanted returns the columns of a field without those that are not wanted, and
// whether any is left.
func (p *payloadRows) wanted(places schema.FieldColumns) (_ schema.FieldColumns, any bool) {
	keep := func(place int) int {
		if place < 0 || p.columns[place] == nil {
			return -1
		}
		any = true
		return place
	}
	places.Value, places.NS, places.Text = keep(places.Value), keep(places.NS), keep(places.Text)
	code := &places.Code
	code.Module, code.Function, code.Symbol, code.Offset = keep(code.Module), keep(code.Function), keep(code.Symbol), keep(code.Offset)
	places.Parts = slices.Clone(places.Parts)
	for i := range places.Parts {
		places.Parts[i] = keep(places.Parts[i])
	}
	return places, any
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
	if p.ctx.needs[payloadTable(rows[0].Literal.Table)]&needsPayload == 0 {
		return
	}
	if first == 0 { // a batch begins
		p.files.begin()
	}
	for len(rows) > 0 {
		l, n := p.sameLayout(rows)
		if rows[0].IsOther {
			p.noteOther(rows[0], n)
		}
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
				if s := l.prefix[l.fields[i].index]; s.From >= 0 {
					p.fixed(first, &l.fields[i], rows[:long], s)
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
func (p *payloadRows) fixed(first int, f *boundField, rows []*row, s decode.Span) {
	if f.Struct != nil || f.IsArray() || f.Kind == schema.WBEMSID || f.Kind == schema.SystemTime {
		p.frame.Spans = p.last.prefix
		for i, r := range rows {
			p.place(first+i, f, r.payload, s, &p.frame)
		}
		return
	}
	if f.columns.Value >= 0 {
		p.values(p.columns[f.columns.Value].Present(first, len(rows)), f.Field, rows, s)
	}
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
		if f.columns.Parts[i] >= 0 {
			p.meanings(first, f.columns.Parts[i], f.parts[i], rows, s, part)
		}
	}
	if f.columns.Code.Any() {
		for i, r := range rows {
			p.codeOf(first+i, f, r, s)
		}
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
	case kind == schema.U32, kind.IsWord() && s.To-s.From == 4:
		for i, room := 0, columns.More(&c.Ints, n); i < n; i++ {
			room[i] = int64(le.Uint32(rows[i].payload[at:]))
		}
	case kind == schema.U64, kind == schema.I64, kind.IsWord() && s.To-s.From == 8:
		for i, room := 0, columns.More(&c.Ints, n); i < n; i++ {
			room[i] = int64(le.Uint64(rows[i].payload[at:]))
		}
	default:
		for _, r := range rows {
			p.value(c, f, r.payload[s.From:s.To])
		}
	}
}

// rest appends the fields of a row that are not in the prefix, or all of them
// if the prefix was not appended, and what is left of the payload.
func (p *payloadRows) rest(number int, l *boundLayout, r *row, hasPrefix bool) {
	spans, fit := l.prefix, decode.Fit{Used: l.prefixSize}
	if hasPrefix && !l.isPrefix && l.isEnough && !p.ctx.wantsFit(&r.key) {
		return
	}
	if !hasPrefix || !l.isPrefix {
		spans, fit = p.locate(l, r)
		if l.compressedField >= 0 {
			p.compressedText(number, l, r.payload, spans, &fit)
		}
		p.frame.Spans = spans
		for i := range l.fields {
			f := &l.fields[i]
			if s := spans[f.index]; s.From >= 0 && !(hasPrefix && l.prefix[f.index].From >= 0) {
				p.place(number, f, r.payload, s, &p.frame)
				if f.columns.Code.Any() {
					p.codeOf(number, f, r, s)
				}
			}
		}
	}
	if len(l.files) > 0 {
		p.fileName(number, l, r, spans)
	}
	if fit.Used < len(r.payload) && p.unknown != nil {
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
