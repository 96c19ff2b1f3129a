package rows

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestLocatedOnce checks that a table reuses the spans that were located for a text, and that
// they give the same values.
func TestLocatedOnce(t *testing.T) {
	f := newPayloadFuzzer(t)
	f.ctx.fields = true
	payload := make([]byte, 300)
	for i := range payload {
		payload[i] = byte(i*7 + i>>3)
	}
	var d describer
	used := 0
	for n := range f.literals {
		literal := f.literals[n]
		var texts [2][][]string
		for i, described := range []bool{false, true} {
			var list []*row
			d.reset()
			var filler *payloadRows
			for _, size := range []int{300, 0, 30, 5} {
				var r *row
				r, filler = f.row(literal, literal.Event.Since, n%2 == 0, payload[:size])
				if described {
					d.describe(f.ctx, r, needsFields)
				}
				list = append(list, r)
			}
			filler.fill(&f.columns, list)
			for c := range filler.batch.Columns {
				if column := &filler.batch.Columns[c]; column.Spec.Name != "fields" {
					texts[i] = append(texts[i], columnTexts(filler.batch, column))
				}
			}
		}
		if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
			t.Fatalf("%s: -alone +described:\n%s", literal.Event.Name, diff)
		}
		r, filler := f.row(literal, literal.Event.Since, n%2 == 0, payload)
		d.describe(f.ctx, r, needsFields)
		l := filler.layout(r)
		if len(l.steps) == 0 {
			continue
		}
		if len(r.location.spans) != len(l.steps) {
			t.Fatalf("%s: %d spans for %d fields", literal.Event.Name, len(r.location.spans), len(l.steps))
		}
		if spans, _ := filler.locate(0, l, r); &spans[0] != &r.location.spans[0] {
			t.Fatalf("%s: located again", literal.Event.Name)
		}
		used++
	}
	if used < 500 {
		t.Errorf("%d events", used)
	}
}

// TestLocatedOfBlock checks that every row of a block keeps its own spans, up to a limit, and
// that spans within the limit do not allocate.
func TestLocatedOfBlock(t *testing.T) {
	f := newPayloadFuzzer(t)
	var list, fit []*row
	for i := range BlockRows {
		literal := f.literals[i%len(f.literals)]
		r, _ := f.row(literal, literal.Event.Since, true, make([]byte, i))
		r.Rendered = schema.Message{{Text: "text", Field: -1}}
		list = append(list, r)
	}
	var d describer
	describe := func(rows []*row) {
		d.reset()
		for _, r := range rows {
			r.location = location{}
			d.describe(f.ctx, r, needsMessage)
		}
	}
	describe(list)
	for _, r := range list {
		if r.location.fit.Err == nil {
			fit = append(fit, r)
		}
	}
	if n := testing.AllocsPerRun(10, func() { describe(fit) }); n != 0 || len(fit) < BlockRows/2 {
		t.Errorf("%v allocations for %d rows", n, len(fit))
	}
	describe(list)
	for i, r := range list {
		want, fit := decode.NewLayout(r.Literal.Event, r.Version, int(r.pointerSize)).Locate(r.payload, nil)
		if !slices.Equal(r.location.spans, want) || r.location.fit.Used != fit.Used || r.location.fit.Field != fit.Field {
			t.Fatalf("row %d, %s: %v, want %v", i, r.Literal.Event.Name, r.location.spans, want)
		}
	}
	d.reset()
	d.located = slices.Grow(d.located, maxLocated)[:maxLocated-1]
	for _, r := range list {
		r.location = location{}
		if d.describe(f.ctx, r, needsMessage); len(d.located) > maxLocated || len(r.location.spans) > 1 {
			t.Fatalf("%s: %d spans, %d in all", r.Literal.Event.Name, len(r.location.spans), len(d.located))
		}
	}
}
