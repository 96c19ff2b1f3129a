package rows

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// wholePlan plans the conversion of a whole trace in one slab.
func wholePlan(x *index.Index) *slabs.Plan {
	return slabs.NewPlan(x, slabs.Size{Events: 1 << 30, Bytes: 1 << 40}, everyBuffer, slabs.Whole())
}

func everyBuffer(int) bool { return true }

// gatherAll gathers one slab after another, as the pipeline does, and checks that none is too
// large.
type gatherAll struct {
	t       testing.TB
	x       *index.Index
	plan    *slabs.Plan
	g       Gathered
	got     []indextest.Located
	gathers int

	mostEvents, mostBytes int // in one buffer
}

func newGatherAll(t testing.TB, x *index.Index, p *slabs.Plan) *gatherAll {
	a := &gatherAll{t: t, x: x, plan: p}
	for i := range x.Buffers {
		a.mostEvents, a.mostBytes = max(a.mostEvents, int(x.Buffers[i].Events)), max(a.mostBytes, int(x.Buffers[i].Bytes))
	}
	return a
}

func (a *gatherAll) run() []indextest.Located {
	a.t.Helper()
	for i, s := range a.plan.Slabs {
		if i > 0 && a.plan.Slabs[i-1].To != s.From {
			a.t.Fatalf("slab %d begins at %v, the previous one ends at %v", i, s.From, a.plan.Slabs[i-1].To)
		}
		a.slab(s)
	}
	return a.got
}

func (a *gatherAll) slab(s slabs.Slab) {
	a.t.Helper()
	if s.From.Compare(s.To) >= 0 {
		a.t.Fatalf("slab from %v to %v", s.From, s.To)
	}
	a.gathers++
	cut, ok, err := a.g.Gather(a.x, a.plan, s, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	// A buffer of events at one tick cannot be cut. Gather detects this only when
	// it has added the next buffer.
	if n, most := len(a.g.Entries), max(tooLarge*a.plan.Events, a.mostEvents)+a.mostEvents; n > most {
		a.t.Fatalf("a slab of %d events, %d is the most", n, most)
	}
	if n, most := int(a.g.arena.bytes), max(tooLarge*int(a.plan.Bytes), a.mostBytes)+a.mostBytes; n > most {
		a.t.Fatalf("a slab of %d bytes, %d is the most", n, most)
	}
	if !ok {
		if cut.Compare(s.From) <= 0 || cut.Compare(s.To) >= 0 {
			a.t.Fatalf("slab from %v to %v cut at %v", s.From, s.To, cut)
		}
		a.slab(slabs.Slab{From: s.From, To: cut})
		a.slab(slabs.Slab{From: cut, To: s.To})
		return
	}
	for i := range a.g.Entries {
		e := &a.g.Entries[i]
		from := &a.g.segments[e.segment]
		a.got = append(a.got, indextest.Located{Time: e.time, Processor: uint16(from.processor), Buffer: int(from.buffer), Offset: int(e.pos),
			Sum: indextest.Sum(a.g.bytes(e))})
	}
}

// inKeyOrder sorts events in the order of the tables.
func inKeyOrder(events []indextest.Located) []indextest.Located {
	slices.SortStableFunc(events, func(a, b indextest.Located) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Processor, b.Processor), cmp.Compare(a.Buffer, b.Buffer), cmp.Compare(a.Offset, b.Offset))
	})
	return events
}

func compareEvents(t testing.TB, got, want []indextest.Located) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("event %d of %d is %+v, want %+v", i, len(want), got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d events, want %d", len(got), len(want))
	}
}

// TestSlabs compares the events of all slabs, one after another, with the sorted events of the
// whole trace.
func TestSlabs(t *testing.T) {
	testenv.Sequential(t)
	for name, s := range indextest.Shapes {
		t.Run(name, func(t *testing.T) {
			r := testenv.Seeded(name)
			x := indextest.Data(t, indextest.RandomTrace(t, r, s))
			want := inKeyOrder(indextest.Walk(t, x.File))
			if int64(len(want)) != x.Events {
				t.Fatalf("%d events in the index, want %d", x.Events, len(want))
			}
			p := wholePlan(x)
			compareEvents(t, newGatherAll(t, x, p).run(), want)
			for range testenv.Times(t, 4, 12, 12, 60) {
				events, bytes := 1+r.IntN(1000), int64(1+r.IntN(100_000))
				t.Run(fmt.Sprintf("%d events, %d bytes", events, bytes), func(t *testing.T) {
					p := slabs.NewPlan(x, slabs.Size{Events: events, Bytes: bytes}, everyBuffer, slabs.Whole())
					compareEvents(t, newGatherAll(t, x, p).run(), want)
				})
			}
		})
	}
}

// TestSlabsOfRealTraces is TestSlabs with real traces.
func TestSlabsOfRealTraces(t *testing.T) {
	testenv.Slow(t, "all real traces")
	testenv.Sequential(t)
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		t.Run(indextest.Name(path), func(t *testing.T) {
			x := indextest.File(t, path)
			p := slabs.NewPlan(x, slabs.Size{Events: 5000, Bytes: 400_000}, everyBuffer, slabs.Whole())
			compareEvents(t, newGatherAll(t, x, p).run(), inKeyOrder(indextest.Walk(t, x.File)))
		})
	}
}

// TestSlabsWithin plans part of the time, with part of the buffers.
func TestSlabsWithin(t *testing.T) {
	testenv.Sequential(t)
	for name, s := range indextest.Shapes {
		t.Run(name, func(t *testing.T) {
			r := testenv.Seeded(name)
			x := indextest.Data(t, indextest.RandomTrace(t, r, s))
			all := inKeyOrder(indextest.Walk(t, x.File))
			for range testenv.Times(t, 8, 20, 20, 60) {
				within := slabs.Whole()
				if r.IntN(4) > 0 {
					within.From = slabs.Key{Time: all[r.IntN(len(all))].Time}
				}
				if r.IntN(4) > 0 {
					within.To = slabs.Key{Time: all[r.IntN(len(all))].Time}
				}
				if within.From.Compare(within.To) >= 0 {
					continue
				}
				modulus := 1 + r.IntN(3)
				wanted := func(i int) bool { return i%modulus == 0 }
				want := slices.DeleteFunc(slices.Clone(all), func(e indextest.Located) bool {
					return !wanted(e.Buffer) || e.Time < within.From.Time || within.To != slabs.Last && e.Time >= within.To.Time
				})
				p := slabs.NewPlan(x, slabs.Size{Events: 1 + r.IntN(200), Bytes: int64(1 + r.IntN(20_000))}, wanted, within)
				compareEvents(t, newGatherAll(t, x, p).run(), want)
			}
		})
	}
}

// TestSlabOfNothing converts a range that ends before it begins.
func TestSlabOfNothing(t *testing.T) {
	x := indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded("nothing"), indextest.Shapes["in order"]))
	p := slabs.NewPlan(x, slabs.SizeFor(x), everyBuffer, slabs.Slab{From: slabs.Key{Time: 5000}, To: slabs.Key{Time: 2000}})
	var g Gathered
	for _, s := range p.Slabs {
		if _, ok, err := g.Gather(x, p, s, nil); !ok || err != nil || len(g.Entries) > 0 {
			t.Errorf("%d events, %t, %v", len(g.Entries), ok, err)
		}
	}
}

// TestSlabCount checks that slabs are rarely cut again: the number of slabs read follows from
// the size of the trace, for any times of events.
func TestSlabCount(t *testing.T) {
	for name, s := range indextest.Shapes {
		t.Run(name, func(t *testing.T) {
			s.Buffers *= 5
			x := indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded(name), s))
			bytes := int64(0)
			for i := range x.Buffers {
				bytes += int64(x.Buffers[i].Bytes)
			}
			const parts = 40
			p := slabs.NewPlan(x, slabs.Size{Events: int(x.Events) / parts, Bytes: bytes / parts}, everyBuffer, slabs.Whole())
			a := newGatherAll(t, x, p)
			a.run()
			if most := 3 * len(p.Slabs); a.gathers > most {
				t.Errorf("%d slabs planned, %d read", len(p.Slabs), a.gathers)
			}
		})
	}
}

// TestSplit checks that a slab far larger than its plan is cut: nearly all events are at one
// tick, where the plan expects almost none.
func TestSplit(t *testing.T) {
	x := indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded("split"), indextest.Shapes["one tick but two"]))
	p := slabs.NewPlan(x, slabs.Size{Events: 100, Bytes: 1 << 30}, everyBuffer, slabs.Whole())
	p.Slabs = []slabs.Slab{slabs.Whole()}
	a := newGatherAll(t, x, p)
	compareEvents(t, a.run(), inKeyOrder(indextest.Walk(t, x.File)))
	if least := int(x.Events) / (tooLarge*p.Events + a.mostEvents); a.gathers < least {
		t.Errorf("%d slabs were read, want %d or more", a.gathers, least)
	}
}

func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var g Gathered
	for round := range 500 {
		n, distinct := r.IntN(200), 1+r.Int64N(100)
		g.Entries = g.Entries[:0]
		for i := range n {
			e := entry{time: decode.Ticks(r.Int64N(distinct)), pos: uint32(i)}
			if round%3 == 0 && i > 0 && r.IntN(8) > 0 { // long runs
				e.time = g.Entries[i-1].time + decode.Ticks(r.IntN(2))
			}
			g.Entries = append(g.Entries, e)
		}
		want := slices.Clone(g.Entries)
		slices.SortStableFunc(want, func(a, b entry) int { return cmp.Compare(a.time, b.time) })
		g.sort()
		if !slices.Equal(g.Entries, want) {
			t.Fatalf("round %d:\n%v\nwant\n%v", round, g.Entries, want)
		}
	}
}

func TestMergeRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	byTime := func(a, b entry) int { return cmp.Compare(a.time, b.time) }
	for range 500 {
		var runs [2][]entry
		for i := range runs {
			for n := range r.IntN(20) {
				runs[i] = append(runs[i], entry{time: decode.Ticks(r.IntN(10)), pos: uint32(100*i + n)})
			}
			slices.SortStableFunc(runs[i], byTime)
		}
		want := slices.Concat(runs[0], runs[1])
		slices.SortStableFunc(want, byTime)
		got := make([]entry, len(want))
		mergeRuns(got, runs[0], runs[1])
		if !slices.Equal(got, want) {
			t.Fatalf("%v and %v: %v, want %v", runs[0], runs[1], got, want)
		}
	}
}
