package rows

import (
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// BenchmarkFillRows makes rows from gathered events, for each kind of trace and some
// selections:
//
//	go test -run '^$' -bench FillRows -count 10 ./internal/engine/rows
//	benchstat -col /select
func BenchmarkFillRows(b *testing.B) {
	for _, trace := range []struct{ kind, name string }{
		{"kernel", "diaghub"}, {"clr", "net.4.5.2.x86"}, {"manifest", "diaghub.user_paged.1"}, {"tracelogging", "ebpforwindows"},
	} {
		for _, s := range []struct {
			name string
			selection.Selection
		}{
			{"all", selection.Selection{}},
			{"headers", selection.Selection{Tables: []string{"*_header"}}},
			{"times", selection.Selection{Tables: []string{"*_header"}, Columns: []string{"time_ns"}}},
			{"events", selection.Selection{Tables: []string{schema.EventsName}}},
			{"names", selection.Selection{Tables: []string{schema.EventsName}, Columns: []string{"time_ns", "event_name"}}},
		} {
			b.Run("trace="+trace.kind+"/select="+s.name, func(b *testing.B) {
				benchmarkFill(b, testenv.Shared(b, "traces/"+trace.name+".etl"), &s.Selection)
			})
		}
	}
}

func benchmarkFill(b *testing.B, path string, s *selection.Selection) {
	x := indextest.Of(b, decodetest.OpenFile(b, path), nil)
	f := filterOf(b, x, s)
	ctx, p := f.Context(x, PayloadUndecoded, false, FieldsJSON, nil), f.Plan(x)
	var list []*Gathered
	events := 0
	for waiting := slices.Clone(p.Slabs); len(waiting) > 0; {
		g, s := new(Gathered), waiting[0]
		cut, ok, err := g.Gather(x, p, s, f.Events())
		if err != nil {
			b.Fatal(err)
		}
		if waiting = waiting[1:]; !ok {
			waiting = append(waiting, slabs.Slab{From: s.From, To: cut}, slabs.Slab{From: cut, To: s.To})
			continue
		}
		list, events = append(list, g), events+len(g.Entries)
	}
	idle := make(SlabRows, len(ctx.Tables))
	b.ReportAllocs()
	for b.Loop() {
		for _, g := range list {
			g.FillRows(ctx, func(id TableID) Filler {
				if idle[id] == nil {
					idle[id] = NewFiller(id, ctx)
				}
				return idle[id]
			})
		}
	}
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
