package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/fits"
	"github.com/etl2parquet/etl2parquet/schema"
)

// describer writes texts for whole payloads: the decoded fields as JSON, and the messages of
// events. It belongs to one worker.
type describer struct {
	json    jsonWriter
	layouts fits.Layouts[jsonLayout]
	spans   []decode.Span // of one row
	frame   decode.Frame  // of spans; kept here because allocating one per row would be garbage
	located []decode.Span // of the block's rows
	text    []byte        // of these
}

// maxLocated bounds the spans that are kept for a block's rows. The table locates the fields of
// further rows again.
const maxLocated = 64 << 10

// location says where the fields of a payload are, by the layout of its event, version and pointer
// size.
type location struct {
	spans []decode.Span // nil if not located yet
	fit   decode.Fit
}

// describe sets the texts of a row that are wanted. It also sets the location, if a text needed it
// and it was unknown. Both are valid until reset. For an event without a table it sets whether the
// event is decoded.
func (d *describer) describe(ctx *Context, r *row, needs needs) {
	r.fields, r.message = nil, nil
	event, hasTable := r.Literal.Event, r.Literal.Table != nil
	if event == nil {
		return
	}
	wantsMessage := needs&needsMessage != 0 && r.Rendered != nil
	wantsFields := ctx.allFields || needs&needsFields != 0 && (ctx.fields || !hasTable)
	if !wantsMessage && !wantsFields && (hasTable || !ctx.wantsFit(&r.key)) {
		return
	}
	l := d.layout(r, ctx.form)
	var fit decode.Fit
	if r.location.spans != nil {
		d.spans, fit = append(d.spans[:0], r.location.spans...), r.location.fit
	} else {
		d.spans, fit = l.Locate(r.payload, d.spans)
		fit = fits.Checked(r.Kind, l.Layout, r.payload, d.spans, fit)
	}
	switch {
	case !hasTable: // otherwise its table decides
		r.judge(&fit)
	case r.location.spans == nil:
		r.location = d.keep(d.spans, fit)
	}
	if wantsMessage {
		start := len(d.text)
		d.text = l.AppendMessage(d.text, r.Rendered, r.payload, d.spans)
		r.message = d.text[start:len(d.text):len(d.text)]
	}
	if wantsFields {
		start := len(d.text)
		d.json.clock, d.json.form, d.json.mask = ctx.clock, ctx.form, ctx.mask
		d.frame.Spans = d.spans
		d.text = d.json.append(d.text, r.payload, l, &d.frame, fit.Used)
		r.fields = d.text[start:len(d.text):len(d.text)]
	}
}

// keep stores the spans of a row's fields for later use.
func (d *describer) keep(spans []decode.Span, fit decode.Fit) location {
	start := len(d.located)
	if start+len(spans) > maxLocated {
		return location{}
	}
	d.located = append(d.located, spans...)
	return location{d.located[start:len(d.located):len(d.located)], fit}
}

// reset removes the texts and spans of the block before.
func (d *describer) reset() { d.text, d.located = d.text[:0], d.located[:0] }

func (d *describer) layout(r *row, form FieldsForm) *jsonLayout {
	if l := d.layouts.Find(r.Kind, r.pointerSize); l != nil {
		return l
	}
	key := fits.KeyOf(r.Kind, r.pointerSize)
	places, table := columnsOf(r.Kind)
	return d.layouts.Add(key, newJSONLayout(decode.NewLayout(key.Event, key.Version, key.PointerSize), key.Event.Fields, places, table, form))
}

// columnsOf returns the columns of the fields of a kind of event, and its table or, if it has none
// because there are too many, the one that it would have.
func columnsOf(k *catalog.Kind) ([]schema.FieldColumns, *schema.Table) {
	if t := k.Literal.Table; t != nil {
		return k.Literal.Columns, t.Table
	}
	return schema.ColumnsAlone(k.Schema)
}
