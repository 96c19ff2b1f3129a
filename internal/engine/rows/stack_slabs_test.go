package rows

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// crowdedTrace returns a trace of small buffers, in which several events have each time, and stacks
// of them are recorded later, on any processor.
func crowdedTrace(t *testing.T, r *rand.Rand) *index.Index {
	t.Helper()
	var text strings.Builder
	text.WriteString("trace ptr=64 buffersize=1024\nstream\n")
	frames := []uint64{0xfffff80000001000, 0x7ff01000}
	for i := range 3000 {
		at, processor, thread := i/6, r.IntN(3), 400+4*r.IntN(4)
		switch r.IntN(7) {
		case 0:
			fmt.Fprintf(&text, "perfinfo64 cpu=%d hook=0x0f2e ver=2 t=+%dus payload=u64:0xfffff80000001010,u32:%d,u16:1,u8:0,u8:0\n", processor, at, thread)
		case 1:
			fmt.Fprintf(&text, "perfinfo64 cpu=%d hook=0x0f43 ver=2 t=+%dus payload=zero:17\n", processor, at)
		case 2:
			fmt.Fprintf(&text, "system64 cpu=%d hook=0x0532 ver=2 pid=4 tid=%d t=+%dus payload=u32:77,zero:4\n", processor, thread, at)
		case 3:
			fmt.Fprintf(&text, "event64 cpu=%d provider=11111111-2222-3333-4444-555555555555 id=1 pid=4 tid=%d t=+%dus\n", processor, thread, at)
		default:
			fmt.Fprintf(&text, "perfinfo64 cpu=%d hook=0x1820 ver=2 t=+%dus payload=ticks:+%dus,u32:4,u32:%d,u64:%d\n",
				processor, at, max(at-r.IntN(3), 0), thread, frames[r.IntN(2)]+uint64(i))
		}
	}
	x := indextest.Data(t, etltest.MustParse(t, text.String()))
	if len(x.Buffers) < 100 {
		t.Fatalf("only %d buffers", len(x.Buffers))
	}
	return x
}

// stackOwners returns the event of each part of a stack, or absent, by the references of both, and
// all events of the slabs.
func stackOwners(t *testing.T, x *index.Index, f *Filter, list []slabs.Slab) (owners map[int64]int64, events map[int64]bool) {
	t.Helper()
	p := f.Plan(x)
	p.Slabs, p.Size = list, slabs.Size{Events: 1 << 30, Bytes: 1 << 40} // no slab is too large
	ctx := f.Context(x, PayloadNone, false, FieldsJSON, nil)
	owners, events = make(map[int64]int64), make(map[int64]bool)
	g := new(Gathered)
	for _, s := range list {
		if _, ok, err := g.Gather(x, p, s, f.Events()); err != nil || !ok {
			t.Fatal(ok, err)
		}
		g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) })
		for i := range g.Entries {
			events[g.refOf(&g.Entries[i])] = true
		}
		for i := range g.Stacks.parts {
			part := &g.Stacks.parts[i]
			if _, twice := owners[part.ref]; twice {
				t.Errorf("part %#x is in two slabs", part.ref)
			}
			owners[part.ref] = absent
			if part.entry == noEntry {
				continue
			}
			ev, ref, _ := g.event(ctx, int(part.entry))
			if owners[part.ref] = ref; ev.HookID()>>8 == stackWalkGroup {
				t.Errorf("part %#x belongs to the record of a stack", part.ref)
			}
		}
	}
	return owners, events
}

// TestStacksOfSlabs checks that each part of a stack belongs to the same event however the trace is
// cut, also between events of one time, and whatever is selected.
func TestStacksOfSlabs(t *testing.T) {
	r := testenv.Seeded("stacks of slabs")
	x := crowdedTrace(t, r)
	whole, _ := stackOwners(t, x, filterOf(t, x, new(selection.Selection)), []slabs.Slab{slabs.Whole()})
	matched := 0
	for _, event := range whole {
		if event != absent {
			matched++
		}
	}
	if len(whole) < 1000 || matched < 700 || matched == len(whole) {
		t.Fatalf("%d parts, %d of them with an event", len(whole), matched)
	}
	ranks := wholePlan(x).Ranks
	for _, events := range [][]string{nil, {"PerfInfo/SampleProf"}, {"Thread/ReadyThread", "PerfInfo/ISR"}} {
		f := filterOf(t, x, &selection.Selection{Selection: facts.Selection{Events: events}})
		for _, cuts := range []int{0, 1, 7, 60} {
			keys := []slabs.Key{slabs.First, slabs.Last}
			for range cuts {
				b := r.IntN(len(x.Buffers))
				keys = append(keys, slabs.Key{Time: x.Buffers[b].First, Rank: ranks[b]})
			}
			slices.SortFunc(keys, slabs.Key.Compare)
			keys = slices.Compact(keys)
			var list []slabs.Slab
			for i := range keys[1:] {
				list = append(list, slabs.Slab{From: keys[i], To: keys[i+1]})
			}
			got, selected := stackOwners(t, x, f, list)
			want := maps.Clone(whole)
			if events != nil {
				maps.DeleteFunc(want, func(_, event int64) bool { return !selected[event] })
				maps.DeleteFunc(got, func(_, event int64) bool { return event == absent }) // not shown under a selection
			}
			if len(want) == 0 {
				t.Errorf("events %q: no stacks", events)
			}
			if !maps.Equal(got, want) {
				t.Errorf("events %q, %d cuts: %d parts, want %d, or with other events", events, cuts, len(got), len(want))
			}
		}
	}
}

// TestStacksWithoutEvents checks that the parts of different threads at one time, which have no
// event, are different stacks, and that the parts of one thread are one.
func TestStacksWithoutEvents(t *testing.T) {
	text := "trace ptr=64 buffersize=1024\nstream\n"
	for _, thread := range []int{400, 404, 400} {
		text += fmt.Sprintf("perfinfo64 cpu=0 hook=0x1820 ver=2 t=+5us payload=ticks:+2us,u32:4,u32:%d,u64:0x7ff01000\n", thread)
	}
	x := indextest.Data(t, etltest.MustParse(t, text))
	ctx := newContext(x, PayloadNone)
	eachSlab(t, x, wholePlan(x), func(g *Gathered) {
		rows := g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) })
		if n := rows[stackEventTable].Batch().Rows; n != 2 || g.Stacks.unmatched != 2 {
			t.Errorf("%d stacks, %d without an event, want 2", n, g.Stacks.unmatched)
		}
	})
}
