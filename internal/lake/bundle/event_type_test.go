package bundle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestTypeCounter compares a counter with a map.
func TestTypeCounter(t *testing.T) {
	t.Parallel()
	testenv.Sequential(t)
	r := rand.New(rand.NewPCG(7, 8))
	var c catalog.TypeCounter
	const most = 3000
	c.Init(most)
	want := make(map[catalog.Key]catalog.EventType)
	var order []catalog.Key
	for range 10_000 {
		k := catalog.Key{ID: r.Uint32N(2000), Version: uint16(r.IntN(2)), Family: decode.Family(r.IntN(decode.Families)), HasGUID: r.IntN(2) == 0}
		k.GUID[r.IntN(16)] = byte(r.IntN(3))
		at := decode.Ticks(r.Int64N(1e6))
		e, known := want[k]
		if !known {
			if len(order) == most {
				if place := c.Place(&k); place >= 0 {
					t.Fatalf("%+v has the place %d beyond the limit", k, place)
				}
				continue
			}
			e = catalog.EventType{Key: k, First: at, Last: at, Bits: k.Bits()}
			order = append(order, k)
		}
		e.Events++
		e.First, e.Last = min(e.First, at), max(e.Last, at)
		want[k] = e
		place := c.Place(&k)
		if place < 0 || c.List[place].Key != k {
			t.Fatalf("%+v has the place %d", k, place)
		}
		c.List[place].Count(at)
	}
	if len(c.List) != len(order) {
		t.Fatalf("%d kinds, want %d", len(c.List), len(order))
	}
	for i := range c.List {
		if diff := testenv.Diff(want[order[i]], c.List[i], cmp.AllowUnexported(catalog.EventType{}, catalog.Key{})); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestTypeMerger checks that the counts of parts add up to those of the whole.
func TestTypeMerger(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	var whole catalog.TypeCounter
	whole.Init(0)
	var merger catalog.TypeMerger
	for range 20 {
		var part catalog.TypeCounter
		part.Init(0)
		for range 3000 {
			k := catalog.Key{ID: r.Uint32N(5000)}
			at := decode.Ticks(r.Int64())
			whole.List[whole.Place(&k)].Count(at)
			part.List[part.Place(&k)].Count(at)
		}
		merger.Add(&part, []uint32{0})
	}
	if diff := testenv.Diff(whole.List, merger.List, cmp.AllowUnexported(catalog.EventType{}, catalog.Key{})); diff != "" {
		t.Error(diff)
	}
}

// typesLimit returns a limit on kinds of event, and a payload of their events with which a few more
// of them are in several chunks. The default limit is in the tier of all tests only.
func typesLimit(t *testing.T) (most, payload int) {
	t.Helper()
	return testenv.Times(t, 1000, 1000, catalog.DefaultMaxTypes, catalog.DefaultMaxTypes), testenv.Times(t, 6000, 6000, 1, 1)
}

// TestTooManyTypes converts a trace in which every event has another provider: the list
// of kinds is limited, no event is lost, and any number of workers gives the same list.
func TestTooManyTypes(t *testing.T) {
	t.Parallel()
	most, payload := typesLimit(t)
	n := most + most/10
	data := manyKinds(t, n, payload)
	f := indextest.Data(t, data).File
	var first *index.Index
	for _, workers := range workerCounts {
		x, err := index.Build(context.Background(), f, index.Options{Workers: workers, MaxTypes: most})
		if err != nil {
			t.Fatal(err)
		}
		if len(x.Types) != most || x.UnlistedEvents != int64(n+1-most) || x.Events != int64(n+1) || indextest.Chunks(x) < 2 {
			t.Errorf("%d kinds, %d of %d events are of other kinds", len(x.Types), x.UnlistedEvents, x.Events)
		}
		listed := int64(0)
		for i := range x.Types {
			listed += x.Types[i].Events
		}
		if listed+x.UnlistedEvents != x.Events {
			t.Errorf("%d events are of listed kinds, %d of other kinds, of %d", listed, x.UnlistedEvents, x.Events)
		}
		if d := x.Decoding(indextest.Count(t, x)); d.Events != x.Events || d.NotDecoded != int64(n) || len(d.Providers) != index.MaxListed {
			t.Errorf("%d of %d events are not decoded, want %d, of %d providers", d.NotDecoded, d.Events, n, len(d.Providers))
		}
		if first == nil {
			first = x
			continue
		}
		if diff := testenv.Diff(first.Types, x.Types, cmp.AllowUnexported(catalog.EventType{}, catalog.Key{})); diff != "" {
			t.Errorf("%d workers:\n%.2000s", workers, diff)
		}
	}
	for _, p := range first.Problems.All() {
		if p.Code == "event_types_limit" && p.Count == first.UnlistedEvents && strings.Contains(p.Message, fmt.Sprintf("only the first %d kinds", most)) {
			return
		}
	}
	t.Errorf("no problem has the number of events of other kinds: %+v", first.Problems.All())
}

// TestTypesMemory checks that indexing a hostile trace allocates no more than the limits
// allow, for any length of the trace.
func TestTypesMemory(t *testing.T) {
	limit := testenv.Times(t, 2000, 2000, catalog.DefaultMaxTypes, catalog.DefaultMaxTypes)
	maxPerChunk := 2<<20 + 704*limit // all growth of the lists of one chunk, with sizes of payloads and garbage
	data := manyKinds(t, max(3*limit, 50*2000), 1)
	f := indextest.Data(t, data).File
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	x, err := index.Build(context.Background(), f, index.Options{Workers: 1, MaxTypes: limit})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	most := uint64(maxPerChunk * (1 + indextest.Chunks(x)))
	t.Logf("%d KiB allocated for %d chunks, at most %d", (after.TotalAlloc-before.TotalAlloc)>>10, indextest.Chunks(x), most>>10)
	if got := after.TotalAlloc - before.TotalAlloc; got > most {
		t.Errorf("%d KiB allocated for %d chunks, want at most %d", got>>10, indextest.Chunks(x), most>>10)
	}
}

// TestProviders checks that the events and kinds of all providers add up to those of the
// trace.
func TestProviders(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, x *index.Index) {
		var events, types int64
		seen := make(map[schema.GUID]bool)
		for _, p := range x.Providers() {
			events += p.Events
			types += p.EventTypes
			if p.First > p.Last || p.First < x.First || p.Last > x.Last || p.HasID && seen[p.ID] {
				t.Errorf("%+v", p)
			}
			seen[p.ID] = p.HasID
		}
		if events != x.Events-x.UnlistedEvents || types != int64(len(x.Types)) {
			t.Errorf("%d events of %d kinds, want %d of %d", events, types, x.Events-x.UnlistedEvents, len(x.Types))
		}
	}
	for name, s := range indextest.Shapes {
		t.Run(name, func(t *testing.T) { check(t, indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded(name), s))) })
	}
	t.Run("real", func(t *testing.T) {
		for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
			t.Run(indextest.Name(path), func(t *testing.T) { check(t, indextest.File(t, path)) })
		}
	})
}
