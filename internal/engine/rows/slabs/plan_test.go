package slabs_test

import (
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestPlan checks that the slabs of a plan follow one another without a gap, and that the
// buffers of each slab include every buffer with an event in it, by rank.
func TestPlan(t *testing.T) {
	for name, shape := range indextest.Shapes {
		t.Run(name, func(t *testing.T) {
			r := testenv.Seeded(name)
			x := indextest.Data(t, indextest.RandomTrace(t, r, shape))
			events := indextest.Walk(t, x.File)
			for range 10 {
				modulus := 1 + r.IntN(3)
				wanted := func(i int) bool { return i%modulus == 0 }
				p := slabs.NewPlan(x, slabs.Size{Events: 1 + r.IntN(500), Bytes: int64(1 + r.IntN(50_000))}, wanted, slabs.Whole())
				if r.IntN(2) == 0 {
					p.Refine(x, slabs.Whole())
				}
				next := slabs.First
				for _, s := range p.Slabs {
					if s.From != next || s.To.Compare(s.From) <= 0 {
						t.Fatalf("slab from %v to %v follows %v", s.From, s.To, next)
					}
					next = s.To
					checkBuffers(t, p, s, events, wanted)
				}
				if next != slabs.Last {
					t.Fatalf("the last slab ends at %v", next)
				}
			}
		})
	}
}

// checkBuffers checks the buffers of a slab against all events of the trace.
func checkBuffers(t *testing.T, p *slabs.Plan, s slabs.Slab, events []indextest.Located, wanted func(i int) bool) {
	t.Helper()
	list := p.BuffersOf(s, nil)
	if !slices.IsSortedFunc(list, func(a, b slabs.Buffer) int { return int(a.Rank - b.Rank) }) {
		t.Fatalf("buffers are not sorted by rank: %+v", list)
	}
	has := make(map[int]bool)
	for _, b := range list {
		if b.Rank != p.Ranks[b.Index] || !wanted(int(b.Index)) {
			t.Fatalf("%+v is in the slab, its rank is %d", b, p.Ranks[b.Index])
		}
		has[int(b.Index)] = true
	}
	for _, e := range events {
		key := slabs.Key{Time: e.Time, Rank: p.Ranks[e.Buffer]}
		if wanted(e.Buffer) && key.Compare(s.From) >= 0 && key.Compare(s.To) < 0 && !has[e.Buffer] {
			t.Fatalf("the slab from %v to %v does not have buffer %d with an event at %v", s.From, s.To, e.Buffer, key)
		}
	}
}

// TestPlanOfNoBuffers checks that a plan without wanted buffers has no slabs.
func TestPlanOfNoBuffers(t *testing.T) {
	x := indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded("nothing"), indextest.Shapes["in order"]))
	p := slabs.NewPlan(x, slabs.SizeFor(x), func(int) bool { return false }, slabs.Whole())
	if len(p.Slabs) != 0 {
		t.Errorf("%d slabs of no buffers", len(p.Slabs))
	}
}

// TestBetween checks which keys a slab of times has.
func TestBetween(t *testing.T) {
	s := slabs.Between(10, 20)
	for key, want := range map[slabs.Key]bool{
		{Time: 9, Rank: 1000}: false, {Time: 10}: true, {Time: 15, Rank: 7}: true, {Time: 20, Rank: 1000}: true, {Time: 21}: false,
	} {
		if got := key.Compare(s.From) >= 0 && key.Compare(s.To) < 0; got != want {
			t.Errorf("%+v: %t, want %t", key, got, want)
		}
	}
}

// TestRefine checks the sizes of the slabs of a refined plan: a fraction of the original size, but
// not so small that most of a slab is read again for the next.
func TestRefine(t *testing.T) {
	x := indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded("refine"), indextest.Shapes["in order"]))
	for _, test := range []struct{ before, want slabs.Size }{
		{slabs.Size{Events: 256 << 10, Bytes: 12 << 20}, slabs.Size{Events: 64 << 10, Bytes: 3 << 20}},
		{slabs.Size{Events: 20 << 10, Bytes: 2 << 20}, slabs.Size{Events: 16 << 10, Bytes: 1 << 20}},
		{slabs.Size{Events: 100, Bytes: 1000}, slabs.Size{Events: 100, Bytes: 1000}},
	} {
		p := slabs.NewPlan(x, test.before, func(int) bool { return true }, slabs.Whole())
		if p.Refine(x, slabs.Whole()); p.Size != test.want {
			t.Errorf("%+v is refined to %+v, want %+v", test.before, p.Size, test.want)
		}
	}
}
