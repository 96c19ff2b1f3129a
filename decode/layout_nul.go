package decode

import "github.com/etl2parquet/etl2parquet/schema"

// reread finds the fields of a payload whose texts may contain NULs. first is the fit if each text
// ends at its first NUL, which leaves bytes over.
//
// EventSource writes a text with a terminating NUL, and does not mark the NULs inside it. So any
// NUL may be the end of a text. A reading is exact if its fields take the payload to the last byte:
//
//  1. If there is no exact reading, NULs do not explain the bytes left over: spans and first are
//     returned.
//  2. If there is exactly one, its spans are returned if an EventSource logs the event.
//  3. Otherwise the fields before the first text are returned: they are the same in all
//     readings. If it is unknown who logs the event, one of the readings is first: a payload
//     with more fields than described.
func (l *Layout) reread(payload []byte, spans []Span, first Fit) ([]Span, Fit) {
	text := -1
	for i := range l.fields {
		if l.fields[i].step == wideStep {
			text = i
			break
		}
	}
	if text < 0 || spans[l.fields[text].index].From < 0 {
		return spans, first
	}
	r := readings{locator: l.locator(payload, nil), layout: l, steps: stepsFor(payload)}
	r.frame.Spans = r.stack.push(spans)
	at := int(spans[l.fields[text].index].From)
	r.from(text, at)
	switch {
	case r.exact == 0:
		return spans, first
	case r.exact == 1 && l.Event.NULs == schema.HoldsNULs:
		return append(spans[:0], r.found...), Fit{Used: len(payload)}
	}
	for i := text; i < len(l.fields); i++ {
		spans[l.fields[i].index] = missing
	}
	return spans, Fit{Used: at, Field: l.fields[text].field,
		Err: causef(ErrCorrupt, "texts with NULs inside: the payload of %d bytes has more than one reading", len(payload))}
}

// stepsFor bounds the fields that are tried in a payload: n texts with m NULs have up to m to the
// power of n readings.
func stepsFor(payload []byte) int { return 2*len(payload) + 4096 }

// readings are the ways to read a payload whose texts may contain NULs.
type readings struct {
	locator
	layout *Layout
	frame  Frame  // the current reading
	found  []Span // of the first exact reading
	exact  int    // exact readings so far; the search ends at two, or when steps are used up
	steps  int    // fields that may still be tried
}

// from tries the fields from index i on, starting at an offset of the payload.
func (r *readings) from(i, at int) {
	for ; i < len(r.layout.fields); i++ {
		if r.steps--; r.steps < 0 {
			r.exact = 2 // a second reading may exist
			return
		}
		f := &r.layout.fields[i]
		if f.step == wideStep {
			r.texts(i, at)
			return
		}
		from := align(at, f.align)
		if f.field.Optional && from >= len(r.payload) || f.field.Count == schema.Rest && from > len(r.payload) {
			return // an EventSource has no such field
		}
		s, err := r.field(f, from, &r.frame)
		if err != nil {
			return
		}
		r.frame.Spans[f.index] = s
		at = int(s.To)
	}
	if at == len(r.payload) {
		if r.exact++; r.exact == 1 {
			r.found = append(r.found, r.frame.Spans...)
		}
	}
}

// texts tries each NUL after an offset as the end of a text, and the fields after it.
func (r *readings) texts(i, at int) {
	for end := at; r.exact < 2; {
		size := wideEnd(r.payload[end:])
		if end += size; size < 2 || r.payload[end-1] != 0 || r.payload[end-2] != 0 {
			return
		}
		r.frame.Spans[r.layout.fields[i].index] = Span{int32(at), int32(end)}
		r.from(i+1, end)
	}
}
