package slabs_test

import (
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestCut checks that parts follow one another without a gap, that they have times, and that the
// time of every event is within its part.
func TestCut(t *testing.T) {
	for name, shape := range indextest.Shapes {
		t.Run(name, func(t *testing.T) {
			r := testenv.Seeded(name)
			x := indextest.Data(t, indextest.RandomTrace(t, r, shape))
			events := indextest.Walk(t, x.File)
			plan := slabs.NewPlan(x, slabs.Size{Events: 100, Bytes: 1000}, func(int) bool { return true }, slabs.Whole())
			for range 20 {
				n, wholeTimes := 1+r.IntN(40), r.IntN(2) == 0
				within := slabs.Whole()
				if r.IntN(2) == 0 {
					from, to := events[r.IntN(len(events))].Time, events[r.IntN(len(events))].Time
					within = slabs.Between(min(from, to), max(from, to))
				}
				parts := slabs.Cut(x, func(int) bool { return true }, within, n, wholeTimes)
				if len(parts) == 0 || len(parts) > n {
					t.Fatalf("%d parts, at most %d are wanted", len(parts), n)
				}
				next := within.From
				for _, p := range parts {
					if p.From != next || p.To.Compare(p.From) <= 0 || wholeTimes && p.From.Rank+p.To.Rank > 0 && p.To != within.To {
						t.Fatalf("part from %v to %v follows %v", p.From, p.To, next)
					}
					next = p.To
					for _, e := range events {
						key := slabs.Key{Time: e.Time, Rank: plan.Ranks[e.Buffer]}
						if key.Compare(p.From) >= 0 && key.Compare(p.To) < 0 && !(p.HasEvents && p.First <= e.Time && e.Time <= p.Last) {
							t.Fatalf("an event at %d in the part %+v", e.Time, p)
						}
					}
				}
				if next != within.To {
					t.Fatalf("the last part ends at %v, not %v", next, within.To)
				}
			}
		})
	}
}

// TestCutsAreEven checks that parts have about equally many events, even if all events of many
// buffers have the same time.
func TestCutsAreEven(t *testing.T) {
	for name, step := range map[string]int{"one time": 0, "many times": 5} {
		t.Run(name, func(t *testing.T) {
			trace := etltest.MustParse(t, fmt.Sprintf("trace processors=8\nstream\nrepeat 8 as=cpu {\nrepeat 4000 dt=%dus t=+1s { event64 id=1 cpu=$cpu }\n}\n", step))
			x := indextest.Data(t, trace)
			events := indextest.Walk(t, x.File)
			plan := slabs.NewPlan(x, slabs.Size{Events: 100, Bytes: 1000}, func(int) bool { return true }, slabs.Whole())
			const n = 10
			parts := slabs.Cut(x, func(int) bool { return true }, slabs.Whole(), n, false)
			if len(parts) != n {
				t.Fatalf("%d parts, want %d", len(parts), n)
			}
			for _, p := range parts {
				count := 0
				for _, e := range events {
					if key := (slabs.Key{Time: e.Time, Rank: plan.Ranks[e.Buffer]}); key.Compare(p.From) >= 0 && key.Compare(p.To) < 0 {
						count++
					}
				}
				if share := float64(count) / float64(len(events)); share < 0.5/n || share > 2.0/n {
					t.Errorf("part %+v has %d of %d events", p, count, len(events))
				}
			}
			if wholeTimes := slabs.Cut(x, func(int) bool { return true }, slabs.Whole(), n, true); step == 0 && len(wholeTimes) > 2 {
				t.Errorf("%d parts of events of one time", len(wholeTimes))
			}
		})
	}
}
