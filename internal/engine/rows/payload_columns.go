package rows

import (
	"math"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// payloads appends the fields of rows: column by column for payloads that are long enough for the
// prefix, row by row for the others.
func (p *payloadRows) payloads(first int, l *boundLayout, rows []*row) {
	for len(rows) > 0 {
		p.bytes = p.bytes[:0]
		for _, r := range rows {
			if len(r.payload) < l.FixedSize {
				break
			}
			p.bytes = append(p.bytes, r.payload)
		}
		n := len(p.bytes)
		if n > 0 {
			p.long(first, l, rows[:n])
		}
		if n < len(rows) { // the next one is too short
			p.short(first+n, l, rows[n])
			n++
		}
		first, rows = first+n, rows[n:]
	}
}

// long appends the fields of payloads that have the whole prefix. After the prefix, it locates each
// row once, and then fills each field with a single independent value in a loop over all rows.
func (p *payloadRows) long(first int, l *boundLayout, rows []*row) {
	for _, s := range l.by[byPosition] {
		p.fixed(first, &s.boundField, rows, l.Fixed[s.index])
	}
	n, later := len(rows), l.by[byColumn]
	p.later = slices.Grow(p.later[:0], n*len(later))[:n*len(later)]
	for i, r := range rows {
		if l.IsFixed && len(r.payload) == l.FixedSize && len(l.files) == 0 && l.Times == nil { // finish would do nothing else
			r.decoded = true
			continue
		}
		p.afterPrefix(first+i, l, r, i)
	}
	for k, s := range later {
		spans := p.later[k*n:][:n]
		if slices.ContainsFunc(spans, func(s decode.Span) bool { return s.From < 0 }) {
			p.some(first, s, rows, spans)
			continue
		}
		p.all(first, &s.boundField, rows, &fieldSpans{each: spans})
	}
}

// fixed appends the values of a field that is at the same position in all rows.
func (p *payloadRows) fixed(first int, f *boundField, rows []*row, s decode.Span) {
	if !f.isPlain() {
		p.frame.Spans = p.last.Fixed
		for i, r := range rows {
			p.appendField(first+i, f, r.payload, s, &p.frame)
		}
		return
	}
	p.all(first, f, rows, &fieldSpans{same: s})
}

// isPlain reports whether a field has one value, which goes to its column as it is, does not depend on
// other fields and is null only if it is a FILETIME that is not a date.
func (f *boundField) isPlain() bool {
	return f.own == nil && f.Struct == nil && !f.IsArray() && f.Kind != schema.WBEMSID && f.Kind != schema.SystemTime
}

// some appends the values of a field that some rows lack.
func (p *payloadRows) some(first int, s *step, rows []*row, spans []decode.Span) {
	for i, r := range rows {
		p.fillRow(first+i, s, r, spans[i])
	}
}

// all appends the values of a field that all rows have.
func (p *payloadRows) all(first int, f *boundField, rows []*row, at *fieldSpans) {
	if !p.values.haveTimes(f.Field, p.bytes, at) {
		for i, r := range rows {
			p.appendField(first+i, f, r.payload, at.at(i), nil)
		}
		return
	}
	if f.columns.Value >= 0 {
		p.values.all(p.columns[f.columns.Value].Present(first, len(rows)), f.Field, p.bytes, at)
	}
	if f.columns.NS >= 0 {
		c := p.columns[f.columns.NS].Present(first, len(rows))
		clock := clockOf(f.Kind, &p.values.clock)
		for i, room := 0, columns.More(&c.Ints, len(p.bytes)); i < len(room); i++ {
			room[i] = clock.UnixNano(int64(le.Uint64(p.bytes[i][at.at(i).From:])))
		}
	}
	if f.columns.Text >= 0 {
		p.meanings(first, f.columns.Text, f.values, at, schema.Part{Mask: math.MaxUint64})
	}
	for i, part := range f.Parts {
		if f.columns.Parts[i] >= 0 {
			p.meanings(first, f.columns.Parts[i], f.parts[i], at, part)
		}
	}
	if f.columns.Code.Any() {
		for i, r := range rows {
			p.codeOf(first+i, f, r, at.at(i))
		}
	}
}

// meanings appends the names of numbers, or of a part of them.
func (p *payloadRows) meanings(first, column int, values *schema.Values, at *fieldSpans, part schema.Part) {
	codes := p.room(len(p.bytes))
	last := uint64(0)
	for i, payload := range p.bytes {
		s := at.at(i)
		n := decode.Uint(payload[s.From:s.To]) >> part.Shift & part.Mask
		if i == 0 || n != last {
			last, codes[i] = n, p.batch.Texts.Meaning(values, n)
		} else {
			codes[i] = codes[i-1]
		}
	}
	p.columns[column].CodesAt(first, codes)
}
