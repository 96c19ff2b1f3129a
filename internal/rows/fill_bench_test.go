package rows

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/internal/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/testenv"
)

// BenchmarkFillRows makes the rows of all tables from events that are gathered, for
// each kind of trace:
//
//	go test -run '^$' -bench FillRows -count 10 ./internal/rows
func BenchmarkFillRows(b *testing.B) {
	for _, trace := range []struct{ kind, name string }{
		{"kernel", "diaghub"}, {"clr", "net.4.5.2.x86"}, {"manifest", "diaghub.user_paged.1"}, {"tracelogging", "ebpforwindows"},
	} {
		b.Run("trace="+trace.kind, func(b *testing.B) {
			x := indextest.Of(b, indextest.Open(b, testenv.Shared(b, "traces/"+trace.name+".etl")), nil)
			ctx := newContext(x, PayloadUndecoded)
			p := newPlan(x, index.DefaultMemory, everyBuffer, Slab{FirstKey, LastKey})
			slabs := make([]Gathered, len(p.Slabs))
			events := 0
			for i, s := range p.Slabs {
				if _, ok, err := slabs[i].Gather(x, p, s, nil); err != nil || !ok {
					b.Fatal(ok, err)
				}
				events += len(slabs[i].Entries)
			}
			idle := make(SlabRows, len(x.Catalog.EventTables()))
			b.ReportAllocs()
			for b.Loop() {
				for i := range slabs {
					slabs[i].FillRows(ctx, func(id TableID) Filler {
						if idle[id] == nil {
							idle[id] = NewFiller(id, ctx)
						}
						return idle[id]
					})
				}
			}
			b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
