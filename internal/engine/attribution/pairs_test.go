package attribution

import (
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestPairingsOfBuffers checks that many threads of one buffer have a pairing each, with the first
// and the last time, and that no pairing of an earlier buffer is changed.
func TestPairingsOfBuffers(t *testing.T) {
	const threads, buffers, rounds = 200, 3, 4
	var s pairings
	var slots pairSlots
	for buffer := range buffers {
		s.beginBuffer()
		for round := range rounds {
			for n := range threads {
				s.add(&slots, uint32(n%7+1)*4, uint32(n+1)*4, decode.Ticks(buffer*100+round))
			}
		}
	}
	if len(s.list) != threads*buffers {
		t.Fatalf("%d pairings of %d threads in %d buffers", len(s.list), threads, buffers)
	}
	for i, v := range s.list {
		n, at := i%threads, decode.Ticks(i/threads*100)
		if want := (pairing{uint32(n+1) * 4, uint32(n%7+1) * 4, at, at + rounds - 1}); v != want {
			t.Errorf("pairing %d is %+v, not %+v", i, v, want)
		}
	}
}

// eachEvent calls a function for each event of a file that can be read.
func eachEvent(f *decode.File, begin func(buffer int), do func(*decode.Event)) {
	var b decode.Buffer
	for i := range f.Buffers() {
		if f.ReadBuffer(i, &b) != nil {
			continue
		}
		begin(i)
		for ev := (decode.Event{}); b.Next(&ev) == nil; {
			do(&ev)
		}
	}
}

// TestPairsOfRealTraces compares headers and stacks of real traces with the events of the class
// Thread: the headers name the same process, and so do pairs that are made without these events.
func TestPairsOfRealTraces(t *testing.T) {
	checked := 0
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data := testenv.ReadFile(t, path)
			f := decodetest.Open(t, data)
			builder := NewBuilder(DefaultLimits, nil)
			var records Records
			eachEvent(f, records.Begin, func(ev *decode.Event) {
				records.See(ev)
				switch ev.Family {
				case decode.FamilySystem:
					records.Hook(ev, ev.HookID(), ev.System().Version())
				case decode.FamilyPerfInfo:
					records.Hook(ev, ev.HookID(), ev.PerfInfo().Version())
				case decode.FamilyEvent:
					records.Manifest(ev, ev.Header())
				}
			})
			builder.Add(&records)
			var list pairList
			list.add(&records.pairs, DefaultLimits.Records)
			tables := builder.Build(1)
			withoutThreads := Tables{Processes: tables.Processes}
			alone := list.join(&withoutThreads)

			eachEvent(f, func(int) {}, func(ev *decode.Event) {
				process, thread := headerIDs(ev)
				if thread == 0 || process == NoID || ev.Family != decode.FamilySystem && ev.Family != decode.FamilyEvent {
					return
				}
				if i := tables.Thread(thread, ev.Time); i >= 0 && tables.Threads[i].Process != process {
					t.Errorf("hook %#x: the header has thread %d of process %d, the threads have process %d", ev.HookID(), thread, process, tables.Threads[i].Process)
				}
			})
			for i := range tables.Threads {
				v := &tables.Threads[i]
				for _, at := range []decode.Ticks{v.From, v.To} {
					p := findPair(alone, v.ID, at)
					if p < 0 || at == minTicks || at == maxTicks {
						continue
					}
					checked++
					if alone[p].Process != v.Process {
						t.Errorf("thread %d of process %d is by pairs of process %d", v.ID, v.Process, alone[p].Process)
					}
				}
			}
		})
	}
	if t.Logf("%d ends of lives are in pairs", checked); checked < 1000 {
		t.Error("nearly nothing was checked")
	}
}
