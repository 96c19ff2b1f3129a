package convert

import (
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/internal/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/testenv"
)

// stackRecords counts the stack records of a trace and the references to keys,
// by a walk of its own.
func stackRecords(t *testing.T, f *decode.File) (records, references, items int) {
	t.Helper()
	var b decode.Buffer
	for i := range f.Buffers() {
		if err := f.ReadBuffer(i, &b); err != nil {
			t.Fatal(err)
		}
		var ev decode.Event
		for {
			err := b.Next(&ev)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch hook := hookOf(&ev); hook {
			case 0x1825, 0x1826:
				references++
				records++
			case 0x1820:
				records++
			}
			if ev.Family != decode.FamilyEvent {
				continue
			}
			for it := ev.Header().Items(); it.Next(); {
				switch it.Type {
				case decode.ItemStackTrace32, decode.ItemStackTrace64, decode.ItemStackKey32, decode.ItemStackKey64:
					items++
				}
			}
		}
	}
	return records, references, items
}

// TestStacksOfRealTraces checks that every stack record of a real trace joins
// an event of its time and every key resolves. The trace is the 32-bit twin of
// the one that the facts are about: 9,359 records and 9,107 keys of that.
func TestStacksOfRealTraces(t *testing.T) {
	for _, name := range []string{"net.4.5.2.x86", "diaghub.user_paged.1"} {
		t.Run(name, func(t *testing.T) {
			path := testenv.Shared(t, "traces/"+name+".etl")
			x := indextest.Of(t, indextest.Open(t, path), nil)
			records, references, items := stackRecords(t, x.File)
			if records+items == 0 {
				t.Fatal("no stacks")
			}
			var joined, keys, joinedItems, rows, frames, located int
			ctx := newRowContext(x, PayloadNone)
			p := newPlan(x, index.DefaultMemory, everyBuffer, slab{firstKey, lastKey})
			eachSlab(t, x, p, func(g *gathered) {
				filler, _ := g.fillRows(ctx, func(id tableID) rowFiller { return newFiller(id, ctx) })[stackTable].(*stackRows)
				for i := range g.stacks.parts {
					part := &g.stacks.parts[i]
					switch {
					case part.entry == noEntry || g.entries[part.entry].time != part.event:
					case part.item:
						joinedItems++
					default:
						joined++
						if part.source == fromStackKey && part.resolved && part.frames > 0 {
							keys++
						}
					}
				}
				if filler == nil {
					return
				}
				if err := filler.batch.Check(); err != nil {
					t.Error(err)
				}
				rows += filler.batch.Rows
				frames += filler.addresses.Elements()
				for _, code := range filler.modules.Codes {
					if code != filler.unknown {
						located++
					}
				}
			})
			t.Logf("SCORE stack records that join an event %d/%d, keys that resolve %d/%d, items %d/%d", joined, records, keys, references, joinedItems, items)
			t.Logf("SCORE %d stacks of %d frames, %d of them in a known image", rows, frames, located)
			if joined != records || keys != references || joinedItems != items {
				t.Error("not all")
			}
		})
	}
}

// eachSlab gathers the slabs of a plan, in order.
func eachSlab(t *testing.T, x *index.Index, p *plan, f func(*gathered)) {
	t.Helper()
	slabs := p.slabs
	g := &gathered{resolver: x.Tables().Resolver()}
	for len(slabs) > 0 {
		cut, ok, err := g.gather(x, p, slabs[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			slabs = append([]slab{{slabs[0].from, cut}, {cut, slabs[0].to}}, slabs[1:]...)
			continue
		}
		f(g)
		slabs = slabs[1:]
	}
}

// TestManyThreads indexes a trace in which a million threads start and end. The
// limit is on what is held at a time, the garbage of the collector apart.
func TestManyThreads(t *testing.T) {
	testenv.Slow(t, "a trace of a million threads")
	const threads = 1 << 20
	data := manyThreads(t, threads)
	var x *index.Index
	p := measure(func() { x = indextest.Data(t, data) })
	t.Logf("%d threads in %d MiB of trace: %v", len(x.Tables().Threads), len(data)>>20, p)
	if n := len(x.Tables().Threads); n != threads {
		t.Errorf("%d threads, want %d", n, threads)
	}
	if most := uint64(len(data)) + 320<<20; p.live > most {
		t.Errorf("%v live, want at most %d MiB", p, most>>20)
	}
	resolver := x.Tables().Resolver()
	for i := 0; i < len(x.Tables().Threads); i += 997 {
		thread := &x.Tables().Threads[i]
		if !thread.Started || !thread.Ended {
			t.Fatalf("thread %d: %+v", thread.ID, thread.Life)
		}
		if got := resolver.ProcessOf(thread.ID, thread.From+1); got != thread.Process {
			t.Fatalf("thread %d at %d is of process %d, want %d", thread.ID, thread.From, got, thread.Process)
		}
		if got := resolver.ProcessOf(thread.ID, thread.From-1); i == 0 && got != attribution.NoID {
			t.Fatalf("thread %d before its start is of process %d", thread.ID, got)
		}
	}
}

// manyThreads returns a trace of threads that start and, a thousand later, end.
// Their ids are used again.
func manyThreads(t *testing.T, n int) []byte {
	t.Helper()
	trace := etltest.Trace{BufferSize: 64 << 10}
	stream := trace.Stream()
	const alive, ids = 1000, 50000
	for i := range n + alive {
		for _, e := range []struct {
			hook   uint16
			thread int
		}{{0x0502, i - alive}, {0x0501, i}} {
			if e.thread < 0 || e.thread >= n {
				continue
			}
			payload := make([]byte, 68)
			binary.LittleEndian.PutUint32(payload, uint32(100+4*(e.thread%10)))
			binary.LittleEndian.PutUint32(payload[4:], uint32(4+4*(e.thread%ids)))
			event := etltest.Event{Kind: etltest.System64, Hook: e.hook, Version: 2, Time: int64(1000 + 10*i), PID: 4, TID: 8, Payload: payload}
			if err := stream.Add(uint16(i%4), &event); err != nil {
				t.Fatal(err)
			}
		}
	}
	stream.Flush()
	return trace.MustBytes(t)
}
