package rows

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/widen"
	"github.com/etl2parquet/etl2parquet/internal/engine/fits"
	"github.com/etl2parquet/etl2parquet/schema"
)

// payloadRows fills the table of one kind of event, from its payloads.
type payloadRows struct {
	batchBuilder
	columns         []*columns.Column // by index in the table with all columns; nil if not wanted
	unknown         *columns.Column   // the undecoded rest of payloads; nil if not wanted
	files           fileNames
	code            *frameCodes // of code addresses; nil if not wanted
	layouts         fits.Layouts[boundLayout]
	last            *boundLayout // of the current rows
	spans           []decode.Span
	frame           decode.Frame // of spans or a prefix; kept here because allocating one per row would be garbage
	scratch         []byte
	values          valueWriter
	wide            widen.Writer
	bytes           [][]byte      // payloads of the current rows
	later           []decode.Span // of the steps by column, each for all current rows
	PayloadProblems               // of the current batch
}

// boundLayout is a layout with the columns of its fields.
type boundLayout struct {
	fits.Layout
	steps      []step        // one per field with a wanted column, in the order of the fields
	by         [ways][]*step // the same steps, by their way
	files      []schema.FileField
	compressed *columns.Column // of the compressed text; nil if not wanted
	isEnough   bool            // no column needs what is after the prefix
	spans      []decode.Span   // for decode.Layout.LocateExact
}

// step fills the columns of a field. Its way applies to rows whose payload has the whole prefix;
// in a row with a shorter payload, each step fills its columns by row.
type step struct {
	boundField
	way way
}

// way is how a step goes through the rows.
type way uint8

const (
	byPosition way = iota // in one loop over the rows, because all have the field at the same position
	byColumn              // in one loop over the rows, after all rows are located
	byRow                 // as each row is located, because the value depends on other fields
	never                 // not at all, because the version lacks the field
	ways
)

type boundField struct {
	*schema.Field
	within    *decode.Layout // the layout that has the field
	index     int            // of the field in it
	columns   schema.FieldColumns
	values    *schema.Values
	parts     []*schema.Values
	structure *decode.Layout  // of its elements, if they are structures
	members   []boundField    // of the structure
	spans     []decode.Span   // of the members of the current structure
	frame     decode.Frame    // of these spans
	own       *columns.Column // for one value, if the column of the table is wider; else nil
}

// payloadFills fill the columns of tables of payloads that come from the events' descriptions,
// which all rows of a block mostly share.
var payloadFills = []columnFill{
	{name: "provider_id", needs: needsRuns, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, r := range f.runs {
			columns.Repeat(&c.Present(r.first, r.rows).Codes, f.batch.Texts.GUID(r.event.GUID), r.rows)
		}
	}},
	{name: "provider_name", needs: needsRuns, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, r := range f.runs {
			if name := f.nameOf(r.event.GUID, f.batch.Texts.GUID(r.event.GUID)); name != columns.None {
				columns.Repeat(&c.Present(r.first, r.rows).Codes, uint32(name), r.rows)
			}
		}
	}},
	{name: "event_name", needs: needsRuns, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, r := range f.runs {
			if f.lastName.event != r.event {
				f.lastName = eventName{r.event, int64(f.batch.Texts.Text(r.event.Name))}
			}
			columns.Repeat(&c.Present(r.first, r.rows).Codes, uint32(f.lastName.code), r.rows)
		}
	}},
}

// eventRun is a run of rows that have the same provider and name.
type eventRun struct {
	event       *schema.Event
	first, rows int
}

// isNamed reports whether an event has the provider and name of another.
func isNamed(e, other *schema.Event) bool {
	return e == other || e.GUID == other.GUID && e.Name == other.Name
}

// findRuns finds the runs of a block's rows.
func (f *batchBuilder) findRuns(first int, rows []*row) {
	f.runs = f.runs[:0]
	for at := 0; at < len(rows); {
		kind, n := rows[at].Kind, 1
		for at+n < len(rows) && (rows[at+n].Kind == kind || isNamed(rows[at+n].Literal.Event, kind.Literal.Event)) {
			n++
		}
		f.runs = append(f.runs, eventRun{kind.Literal.Event, first + at, n})
		at += n
	}
}

// payloadFill returns how a table of payloads fills a column that is not a field, or nil if it is
// one.
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
	p := &payloadRows{batchBuilder: newBatchBuilder(wanted, ctx)}
	p.columns = make([]*columns.Column, len(t.Table.Columns))
	place := func(i int) int { return i }
	if wanted != t.Table {
		places := make(map[string]int) // a table may have thousands of columns
		for i := range t.Table.Columns {
			places[t.Table.Columns[i].Name] = i
		}
		place = func(i int) int { return places[wanted.Columns[i].Name] }
	}
	p.values = valueWriter{texts: &p.batch.Texts, clock: ctx.clock}
	p.wide.Texts = &p.batch.Texts
	for i := range p.batch.Columns {
		c := &p.batch.Columns[i]
		p.columns[place(i)] = c
		if fill := payloadFill(wanted, c.Spec.Name); fill != nil {
			p.bind(fill, c)
		}
	}
	// A table without messages may have a field of that name; then its rows have no message.
	if c := p.batch.OptionalColumn(schema.MessageColumn); c != nil {
		p.bind(&messageFills[0], c)
	}
	if wanted.NamesFile() {
		p.files.column = p.batch.Column(schema.FileNameColumn)
	}
	p.unknown = p.batch.OptionalColumn(schema.RestColumn)
	if locatesCode(wanted) {
		p.code = new(frameCodes)
	}
	return p
}

// layout returns the layout of a row, compiled once.
func (p *payloadRows) layout(r *row) *boundLayout {
	if l := p.layouts.Find(r.Kind, r.pointerSize); l != nil {
		return l
	}
	key := fits.KeyOf(r.Kind, r.pointerSize)
	return p.layouts.Add(key, p.bindLayout(&r.Literal, fits.NewLayout(key)))
}

// bindLayout combines a layout with the wanted columns.
func (p *payloadRows) bindLayout(l *schema.Literal, fit fits.Layout) *boundLayout {
	b := &boundLayout{Layout: fit, isEnough: p.unknown == nil, spans: slices.Clone(fit.Fixed)}
	if p.files.column != nil {
		b.files = l.Event.FileFields()
		b.isEnough = b.isEnough && len(b.files) == 0
	}
	for i := range l.Event.Fields {
		places, wanted := p.wanted(l.Columns[i])
		if !wanted {
			continue
		}
		b.steps = append(b.steps, b.step(bindField(b.Layout.Layout, i, &l.Event.Fields[i], places)))
		b.isEnough = b.isEnough && b.Fixed[i].From >= 0
		if i == b.Compressed {
			b.compressed = p.columns[places.Value]
		}
	}
	for i := range b.steps {
		s := &b.steps[i]
		b.by[s.way] = append(b.by[s.way], s)
	}
	return b
}

// step returns the step of a field.
func (l *boundLayout) step(f boundField) step {
	switch {
	case l.Fixed[f.index].From >= 0:
		return step{f, byPosition}
	case !f.In(l.Version):
		return step{f, never}
	case f.isPlain():
		return step{f, byColumn}
	}
	return step{f, byRow}
}

// wanted returns the wanted columns of a field, and whether there are any.
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

// bindField combines the field at an index of a layout with its columns.
func bindField(within *decode.Layout, index int, f *schema.Field, places schema.FieldColumns) boundField {
	b := boundField{Field: f, within: within, index: index, columns: places, values: f.ValueNames()}
	if places.Own != nil {
		b.own = columns.New(places.Own)
	}
	for _, part := range f.Parts {
		values, _ := schema.LookupValues(part.Values)
		b.parts = append(b.parts, values)
	}
	if b.structure = within.Structure(index); b.structure != nil {
		for i := range f.Struct {
			b.members = append(b.members, bindField(b.structure, i, &f.Struct[i], places.Members[i]))
		}
	}
	return b
}

// fill appends rows for events whose layouts are known.
func (p *payloadRows) fill(b *blockColumns, rows []*row) {
	first := p.append(b, rows)
	if p.ctx.needs[payloadTable(rows[0].Literal.Table)]&needsPayload == 0 {
		return
	}
	if first == 0 { // a new batch
		p.files.reset()
		p.wide.Reset()
	}
	for len(rows) > 0 {
		l, n := p.sameLayout(rows)
		if rows[0].IsOther {
			p.noteOther(rows[0], n)
		}
		if rows[0].isResized {
			p.noteResized(rows[0], n)
		}
		p.payloads(first, l, rows[:n])
		first, rows = first+n, rows[n:]
	}
}

// sameLayout returns the layout of the first row, and the number of rows from there on that have
// it.
func (p *payloadRows) sameLayout(rows []*row) (l *boundLayout, n int) {
	r := rows[0]
	l = p.layout(r)
	p.last, p.values.pointerSize = l, l.PointerSize
	for n = 1; n < len(rows); n++ {
		if s := rows[n]; s.Literal.Event != r.Literal.Event || s.Version != r.Version || s.pointerSize != r.pointerSize || s.isResized != r.isResized {
			break
		}
	}
	return l, n
}

// short appends the fields of a row whose payload ends within the prefix.
func (p *payloadRows) short(number int, l *boundLayout, r *row) {
	spans, fit := p.locate(number, l, r)
	for i := range l.steps {
		p.fillRow(number, &l.steps[i], r, spans[l.steps[i].index])
	}
	p.finish(number, l, r, spans, &fit)
}

// afterPrefix appends the fields of a row that are after the prefix, and stores where the fields
// of the steps by column are. at is the row's index among the current rows.
func (p *payloadRows) afterPrefix(number int, l *boundLayout, r *row, at int) {
	if l.IsFixed {
		p.finish(number, l, r, l.Fixed, &decode.Fit{Used: l.FixedSize})
		return
	}
	if l.isEnough && !p.ctx.wantsFit(&r.key) {
		return
	}
	if r.location.spans == nil && l.Compressed < 0 && l.LocateExact(r.payload, l.spans) {
		p.fillLater(number, l, r, at, l.spans)
		if r.decoded = true; len(l.files) > 0 || l.Times != nil {
			p.finish(number, l, r, l.spans, &decode.Fit{Used: len(r.payload)})
		}
		return
	}
	spans, fit := p.locate(number, l, r)
	p.fillLater(number, l, r, at, spans)
	p.finish(number, l, r, spans, &fit)
}

// fillLater fills the columns of the steps by row, and stores where the fields of the steps by
// column are.
func (p *payloadRows) fillLater(number int, l *boundLayout, r *row, at int, spans []decode.Span) {
	for k, s := range l.by[byColumn] {
		p.later[k*len(p.bytes)+at] = spans[s.index]
	}
	if steps := l.by[byRow]; len(steps) > 0 {
		p.frame.Spans = spans
		for _, s := range steps {
			p.fillRow(number, s, r, spans[s.index])
		}
	}
}

// fillRow fills the columns of a field in one row, unless the row lacks the field.
func (p *payloadRows) fillRow(number int, s *step, r *row, span decode.Span) {
	if span.From < 0 {
		return
	}
	p.appendField(number, &s.boundField, r.payload, span, &p.frame)
	if s.columns.Code.Any() {
		p.codeOf(number, &s.boundField, r, span)
	}
}

// finish appends what does not depend on a single field: the name of the file, and the rest of the
// payload. It also records how the payload fits.
func (p *payloadRows) finish(number int, l *boundLayout, r *row, spans []decode.Span, fit *decode.Fit) {
	if len(l.files) > 0 {
		p.fileName(number, l, r, spans)
	}
	if fit.Used < len(r.payload) && p.unknown != nil {
		p.unknown.At(number).Blob(r.payload[fit.Used:])
	}
	p.judge(r, fit)
	if l.Times != nil {
		p.noteTime(r, decode.NoDate(l.Times, r.payload, &decode.Frame{Spans: spans}))
	}
}

// locate returns where the fields of a row are, and appends the compressed text.
func (p *payloadRows) locate(number int, l *boundLayout, r *row) (spans []decode.Span, fit decode.Fit) {
	if r.location.spans != nil {
		spans, fit = r.location.spans, r.location.fit
	} else {
		p.spans, fit = l.Locate(r.payload, p.spans)
		if spans = p.spans; fit.Used < len(r.payload) {
			fit = fits.Checked(r.Kind, l.Layout.Layout, r.payload, spans, fit)
		}
	}
	if l.Compressed >= 0 {
		p.compressedText(number, l, r.payload, spans, &fit)
	}
	p.frame.Spans = spans
	return spans, fit
}

// compressedText appends the compressed text of a payload.
func (p *payloadRows) compressedText(number int, l *boundLayout, payload []byte, spans []decode.Span, fit *decode.Fit) {
	span := &spans[l.Compressed]
	if span.From < 0 {
		return
	}
	var damage *decode.Fit
	if p.scratch, damage = l.Decompress(p.scratch[:0], payload, spans); damage != nil {
		*fit = *damage
	} else if c := l.compressed; c != nil {
		c.At(number)
		c.Bytes = decode.AppendUTF16(c.Bytes, p.scratch)
		c.Blob(nil)
	}
	*span = decode.Span{From: -1, To: -1}
}
