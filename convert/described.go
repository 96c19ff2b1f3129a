package convert

import (
	"encoding/hex"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// describer writes texts of whole payloads: the decoded fields as JSON, and the
// messages of events. It belongs to one worker.
type describer struct {
	json    fieldsJSON
	layouts map[layoutKey]*jsonLayout
	last    *jsonLayout // of the event before
	spans   []decode.Span
	text    []byte // of the block's rows
}

// describe sets the texts of a row that are wanted; they are valid until begin.
func (d *describer) describe(ctx *rowContext, r *row) {
	r.fields, r.message = nil, nil
	hasMessage := r.schema != nil && r.schema.Message != nil
	wantsFields := r.literal.Event != nil && (ctx.fields || r.literal.Table == nil)
	if !hasMessage && !wantsFields {
		return
	}
	l := d.layout(r.literal.Event, r.version, int(r.pointerSize))
	var fit decode.Fit
	d.spans, fit = l.Locate(r.payload, d.spans)
	if hasMessage {
		start := len(d.text)
		d.text = l.AppendMessage(d.text, r.schema.Message, r.payload, d.spans)
		r.message = d.text[start:len(d.text):len(d.text)]
	}
	if wantsFields {
		start := len(d.text)
		d.json.clock = ctx.clock
		d.text = d.json.object(d.text, r.payload, l, &decode.Frame{Spans: d.spans})
		d.text = d.appendRest(d.text, r.payload[fit.Used:])
		r.fields = d.text[start:len(d.text):len(d.text)]
		r.decoded = r.literal.Table == nil && fit.Err == nil // else its table says
	}
}

// appendRest adds what a payload has beyond its fields to the object that ends
// dst.
func (d *describer) appendRest(dst, rest []byte) []byte {
	if len(rest) == 0 {
		return dst
	}
	dst = appendName(dst[:len(dst)-1], restMember)
	return append(hex.AppendEncode(append(dst, '"'), rest), `"}`...)
}

var restMember = jsonName(restName)

// begin forgets the texts of the block before.
func (d *describer) begin() { d.text = d.text[:0] }

func (d *describer) layout(e *schema.Event, version uint8, pointerSize int) *jsonLayout {
	if l := d.last; l != nil && l.Event == e && l.Version == version && l.PointerSize == pointerSize {
		return l
	}
	key := layoutKey{e, version, pointerSize}
	l := d.layouts[key]
	if l == nil {
		if d.layouts == nil {
			d.layouts = make(map[layoutKey]*jsonLayout)
		}
		l = newJSONLayout(decode.NewLayout(e, version, pointerSize), e.Fields)
		d.layouts[key] = l
	}
	d.last = l
	return l
}
