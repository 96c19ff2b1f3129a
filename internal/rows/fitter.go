package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/rows/values"
)

// fitLayout is a layout with what tells quickly whether a payload fits it.
type fitLayout struct {
	*decode.Layout
	compressedField int           // see compressedFieldOf
	prefix          []decode.Span // by field: where it is in all payloads of prefixSize; see decode.Layout.Prefix
	prefixSize      int
	isPrefix        bool // all fields are in the prefix
	times           []values.TimeField
}

func newFitLayout(key layoutKey) fitLayout {
	l := fitLayout{Layout: decode.NewLayout(key.event, key.version, key.pointerSize), compressedField: compressedFieldOf(key.event)}
	l.prefix, l.prefixSize, l.isPrefix = l.Prefix()
	l.times = values.TimeFields(l.Layout, key.event.Fields)
	return l
}

// fitter finds out whether payloads fit their layouts, where nobody makes rows
// of them: the tables of headers have those that do not, and so has the table
// of problems. It belongs to one worker.
type fitter struct {
	misfits []Misfits // by TableID
	layouts layouts[fitLayout]
	spans   []decode.Span
	scratch []byte
}

// fill does what payloadRows does for a table, without rows.
func (f *fitter) fill(ctx *Context, id TableID, rows []*row) {
	for _, r := range rows {
		if !ctx.wantsFit(&r.key) {
			continue
		}
		fit, spans := f.fit(r)
		r.decoded = fit.Err == nil
		fits := fit.Err == nil && fit.Used == len(r.payload)
		times := f.layout(r).times
		if fits && !r.IsOther && times == nil {
			continue
		}
		if f.misfits == nil {
			f.misfits = make([]Misfits, len(ctx.Tables))
		}
		if r.IsOther {
			f.misfits[id].noteOther(r, 1)
		}
		if !fits {
			f.misfits[id].note(r, &fit)
		}
		f.misfits[id].noteTimes(r, times, spans)
	}
}

// choose finds the layout of a payload whose event has others in other builds of Windows:
// the first that it fits exactly, or else that of the trace's build.
func (f *fitter) choose(r *row) {
	first := r.Kind
	for next := 0; !f.isExact(r); next++ {
		if next == len(first.Others) {
			r.Kind = first
			return
		}
		r.Kind = first.Others[next]
	}
}

// isExact reports whether a payload has the fields of its layout and nothing else.
func (f *fitter) isExact(r *row) bool {
	r.location = location{} // that of another event
	fit, _ := f.fit(r)
	return fit.Err == nil && fit.Used == len(r.payload)
}

// fit returns how a payload fits its layout, and its fields.
func (f *fitter) fit(r *row) (decode.Fit, []decode.Span) {
	l := f.layout(r)
	if l.isPrefix && len(r.payload) >= l.prefixSize {
		return decode.Fit{Used: l.prefixSize}, l.prefix
	}
	spans, fit := r.location.spans, r.location.fit
	if spans == nil {
		f.spans, fit = l.Locate(r.payload, f.spans)
		spans = f.spans
	}
	if l.compressedField >= 0 && spans[l.compressedField].From >= 0 {
		var misfit *decode.Fit
		if f.scratch, misfit = l.decompress(f.scratch[:0], r.payload, spans); misfit != nil {
			return *misfit, spans
		}
	}
	return fit, spans
}

func (f *fitter) layout(r *row) *fitLayout {
	if l := f.layouts.find(r); l != nil {
		return l
	}
	l := newFitLayout(layoutKeyOf(r))
	return f.layouts.add(r, &l)
}
