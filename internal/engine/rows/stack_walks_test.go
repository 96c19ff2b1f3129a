package rows

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// walkIDs are the ids of the stack walks of the CLR, by provider.
var walkIDs = map[string]uint16{
	"e13c0d23-ccbc-4e12-931b-d9cc2eee27e4": 82, "a669021c-c450-4609-a035-5af59af4df18": 0, "763fd754-7086-4dfe-95eb-c01a46faf4ca": 151,
}

// clrEvent is an event of one of the providers.
type clrEvent struct {
	time            decode.Ticks
	rank            int32
	ref             int64
	process, thread uint32
	provider        schema.GUID
	walk            bool
}

// eventsOfWalks returns the event of each stack walk by their definition: the last one before it of
// the provider and thread, in the order of all events.
func eventsOfWalks(t *testing.T, f *decode.File, rank []int32) map[int64]int64 {
	t.Helper()
	var list []clrEvent
	indextest.Each(t, f, func(i int, _ *decode.Buffer, ev *decode.Event) {
		if ev.Family != decode.FamilyEvent {
			return
		}
		h := ev.Header()
		if id, ok := walkIDs[h.ProviderID().String()]; ok {
			list = append(list, clrEvent{ev.Time, rank[i], int64(i)<<32 | int64(ev.Offset), h.ProcessID(), h.ThreadID(), h.ProviderID(), h.Descriptor().ID == id})
		}
	})
	slices.SortFunc(list, func(a, b clrEvent) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.rank, b.rank), cmp.Compare(a.ref, b.ref))
	})
	type key struct {
		process, thread uint32
		provider        schema.GUID
	}
	last, of := make(map[key]int64), make(map[int64]int64)
	for i := range list {
		e := &list[i]
		k := key{e.process, e.thread, e.provider}
		if !e.walk {
			last[k] = e.ref
			continue
		}
		of[e.ref] = noEntry
		if ref, ok := last[k]; ok {
			of[e.ref] = ref
		}
	}
	return of
}

// matchedWalks returns the event of each stack walk according to the rows, or noEntry.
func matchedWalks(t *testing.T, x *index.Index, p *slabs.Plan) map[int64]int64 {
	t.Helper()
	ctx, got := newContext(x, PayloadNone), make(map[int64]int64)
	eachSlab(t, x, p, func(g *Gathered) {
		g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) })
		for i := range g.Stacks.parts {
			part := &g.Stacks.parts[i]
			if part.source != fromCLRWalk {
				continue
			}
			if _, twice := got[part.ref]; twice {
				t.Errorf("walk %#x is in two slabs", part.ref)
			}
			got[part.ref] = noEntry
			if part.entry != noEntry {
				_, ref, _ := g.event(ctx, int(part.entry))
				got[part.ref] = ref
			}
		}
	})
	return got
}

// compareWalks checks that the rows have the event of each stack walk, however the trace is cut.
func compareWalks(t *testing.T, x *index.Index) {
	t.Helper()
	whole := wholePlan(x)
	want := eventsOfWalks(t, x.File, whole.Ranks)
	found := 0
	for _, ref := range want {
		if ref != noEntry {
			found++
		}
	}
	fine := *whole
	fine.Slabs = nil
	from := slabs.First
	for i := range int64(40) {
		to := slabs.Key{Time: x.First + (x.Last-x.First)/40*decode.Ticks(i)}
		if i > 0 && to != from {
			fine.Slabs = append(fine.Slabs, slabs.Slab{From: from, To: to})
			from = to
		}
	}
	fine.Slabs = append(fine.Slabs, slabs.Slab{From: from, To: slabs.Last})
	for name, p := range map[string]*slabs.Plan{"planned": whole, "fine": &fine} {
		got := matchedWalks(t, x, p)
		equal, wrong := 0, 0
		for walk, event := range want {
			if got[walk] == event {
				equal++
			} else if wrong++; wrong < 10 {
				t.Errorf("%s: walk %#x: event %#x, want %#x", name, walk, got[walk], event)
			}
		}
		if len(got) != len(want) || equal != len(want) {
			t.Errorf("%s: %d walks, %d of them right; want %d", name, len(got), equal, len(want))
		}
	}
	t.Logf("SCORE stack walks that have their event %d/%d", found, len(want))
}

// TestStackWalksOfRealTraces compares the events of stack walks with a search by plain code over all
// events.
func TestStackWalksOfRealTraces(t *testing.T) {
	testenv.Slow(t, "all real traces")
	paths, err := filepath.Glob(filepath.Join(filepath.Dir(testenv.Shared(t, "traces/net.4.5.2.x86.etl")), "*.etl"))
	if err != nil || len(paths) == 0 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { compareWalks(t, indextest.Of(t, decodetest.OpenFile(t, path), nil)) })
	}
}

// TestStackWalks is the same check for walks in other buffers than their events: threads change the
// processor after any event, and buffers are small.
func TestStackWalks(t *testing.T) {
	var text strings.Builder
	text.WriteString("trace ptr=64 buffersize=1024\nstream\n")
	r, providers := testenv.Seeded("walks"), slices.Sorted(maps.Keys(walkIDs))
	var processor, pending [6]int // by thread; a provider plus one, if its event waits for a walk
	for i := range 4000 {
		thread := r.IntN(len(processor))
		if r.IntN(4) == 0 {
			processor[thread] = r.IntN(3)
		}
		provider, id, payload := r.IntN(len(providers)), 200, ""
		if pending[thread] > 0 {
			provider = pending[thread] - 1
			id, payload = int(walkIDs[providers[provider]]), fmt.Sprintf(" payload=u16:1,u8:0,u8:0,u32:1,u64:%d", r.IntN(9))
			pending[thread] = 0
		} else if r.IntN(3) > 0 {
			pending[thread] = provider + 1
		}
		fmt.Fprintf(&text, "event64 cpu=%d provider=%s id=%d pid=%d tid=%d t=+%dus%s\n", processor[thread], providers[provider], id, 100+thread/2, 400+thread, 10*i, payload)
	}
	x := indextest.Data(t, etltest.MustParse(t, text.String()))
	if len(x.Buffers) < 100 {
		t.Fatalf("only %d buffers", len(x.Buffers))
	}
	compareWalks(t, x)
}
