package attribution_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/schema"
)

const imageIDClass = "b3e675d7-2554-4f18-830b-2762732560de"

func imageOf(process uint32, base uint64) wire {
	return wire{}.u64(base).u64(0x1000).u32(process).u32(0).u32(0).u32(0).u64(base).u64(0).u64(0).text("")
}

func debugOf(process uint32, base uint64, pdb string) wire {
	return append(wire{}.u64(base).u32(process).u64(base).u64(7).u32(1), pdb+"\x00"...)
}

// listed prints the facts of tables, for comparisons.
func listed(t *attribution.Tables) (lines []string) {
	for i := range t.Methods {
		m := &t.Methods[i]
		id, known := t.ReJIT(m)
		lines = append(lines, fmt.Sprint(show(t, m), t.Text(m.Signature), *t.Origin(m), id, known))
	}
	for i := range t.Images {
		if m := &t.Images[i]; m.Debug >= 0 {
			lines = append(lines, fmt.Sprint(m.Base, t.Debug[m.Debug]))
		} else {
			lines = append(lines, fmt.Sprint(m.Base))
		}
	}
	return append(lines, fmt.Sprint(t.Unlisted, " unlisted, ", t.NoText, " without a text"))
}

// TestGathered checks that the result does not depend on how many workers gather facts, nor on how
// much they gather at a time, also if a limit is reached in between.
func TestGathered(t *testing.T) {
	var methods, again, images, reJITs []codeEvent
	for i := range uint64(300) {
		methods = append(methods, codeEvent{at: int64(i), provider: clrProvider, id: 143, version: 1, process: 4,
			payload: clrMethod(i, 0x10*(i/7), 0x1000*i, 1, 8, fmt.Sprint("Space", i/11), fmt.Sprint("method", i/2))})
		again = append(again, methods[i/3], methods[i/90])
		reJITs = append(reJITs, codeEvent{at: int64(i), provider: clrProvider, id: 143, version: 2, process: 4,
			payload: clrMethod(i, i, 0x1000*i, 1, 0x18*uint32(i%2), "N", fmt.Sprint(i)).u64(i / 2)})
		images = append(images, codeEvent{provider: imageIDClass, id: 36, version: 2, process: 4, payload: debugOf(4, 0x1000*i, fmt.Sprint(i/4, ".pdb"))})
	}
	for i := range uint64(300) {
		images = append(images, codeEvent{provider: "process", id: 0x030a, version: 3, process: 4, payload: imageOf(4, 0x1000*i)})
	}
	methods = append(methods[:150], append([]codeEvent{{provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(1, 2, 3, 4, 8, "cut", "off")[:50]}}, methods[150:]...)...)
	for name, events := range map[string][]codeEvent{"methods": methods, "recorded again": again, "with ReJITIDs": reJITs, "images": images} {
		for _, limits := range []attribution.Limits{
			{Records: 1 << 20, Texts: 1 << 20}, {Records: 600, Methods: 1, Texts: 1 << 20}, {Records: 130, Texts: 1 << 20}, {Records: 256, Texts: 1 << 20},
			{Records: 299, Texts: 1 << 20}, {Records: 1 << 20, Texts: 2000}, {Records: 257, Texts: 3000}, {Records: 0},
		} {
			want := listed(gatheredBy(t, limits, events, 1, 1, false))
			for _, workers := range []int{1, 3} {
				for _, chunk := range []int{1, 7, 100, 128, 1000} {
					if got := listed(gatheredBy(t, limits, events, workers, chunk, true)); !slices.Equal(got, want) {
						t.Errorf("%s, %+v, %d workers, %d events at a time:\n%s\nwant\n%s", name, limits, workers, chunk, got, want)
					}
				}
			}
		}
	}
}

// TestGatheredLong has more facts and texts than a worker keeps in its cache, each of them twice.
func TestGatheredLong(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a second")
	}
	var events []codeEvent
	for i := range uint64(80_000) {
		n, name := i%40_000, fmt.Sprintf("%0120d", i%40_000)
		events = append(events, codeEvent{at: int64(i), provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(n, n/3, 0x1000*n, 1, 8, "N", name)},
			codeEvent{provider: imageIDClass, id: 36, version: 2, process: 4, payload: debugOf(4, 0x1000*n, fmt.Sprint(i, name))},
			codeEvent{provider: "process", id: 0x030a, version: 3, process: 4, payload: imageOf(4, 0x1000*n)})
	}
	want := listed(gatheredBy(t, attribution.DefaultLimits, events, 1, 20_000, false))
	for _, workers := range []int{1, 2} {
		if got := listed(gatheredBy(t, attribution.DefaultLimits, events, workers, 20_000, true)); !slices.Equal(got, want) {
			t.Errorf("%d workers: another result", workers)
		}
	}
}

// gatheredBy reads events in chunks, by workers in turn.
func gatheredBy(t *testing.T, limits attribution.Limits, events []codeEvent, workers, chunk int, share bool) *attribution.Tables {
	t.Helper()
	file := emptyFile(t)
	b := attribution.NewBuilder(limits, nil)
	known := make([]attribution.Known, workers)
	class, err := schema.ParseGUID(imageIDClass)
	if err != nil {
		t.Fatal(err)
	}
	var waiting []*attribution.Records
	for i := 0; len(events) > 0; i++ {
		records := new(attribution.Records)
		if share {
			records.Share(&known[i%workers])
		}
		n := min(chunk, len(events))
		for _, e := range events[:n] {
			switch e.provider {
			case "process":
				records.Hook(eventOf(file, e.id, true, e.at, e.payload), e.id, uint8(e.version))
			case imageIDClass:
				records.Class(classicEvent(file, e.process, e.at, e.payload), class, uint8(e.id), e.version)
			default:
				ev := providerEvent(file, e.provider, e.process, e.id, e.version, true, e.at, e.payload)
				records.Manifest(ev, ev.Header())
			}
		}
		events = events[n:]
		if waiting = append(waiting, records); len(waiting) > 3 { // workers are ahead of the builder
			b.Add(waiting[0])
			waiting = waiting[1:]
		}
	}
	for _, r := range waiting {
		b.Add(r)
	}
	return b.Build(2)
}
