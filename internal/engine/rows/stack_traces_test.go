package rows

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// stackRecords counts the stack records of a trace and the references to keys by a separate walk.
func stackRecords(t *testing.T, f *decode.File) (records, references, items int) {
	t.Helper()
	indextest.Each(t, f, func(_ int, _ *decode.Buffer, ev *decode.Event) {
		switch hook := ev.HookID(); hook {
		case 0x1825, 0x1826:
			references++
			records++
		case 0x1820:
			records++
		}
		if ev.Family != decode.FamilyEvent {
			return
		}
		for it := ev.Header().Items(); it.Next(); {
			switch it.Type {
			case decode.ItemStackTrace32, decode.ItemStackTrace64, decode.ItemStackKey32, decode.ItemStackKey64:
				items++
			}
		}
	})
	return records, references, items
}

// TestStacksOfRealTraces checks that every stack record of a real trace joins an event of
// its time, and that every key resolves. The trace is the 32-bit twin of the trace with
// published counts, 9,359 records and 9,107 keys.
func TestStacksOfRealTraces(t *testing.T) {
	for _, name := range []string{"net.4.5.2.x86", "diaghub.user_paged.1"} {
		t.Run(name, func(t *testing.T) {
			path := testenv.Shared(t, "traces/"+name+".etl")
			x := indextest.Of(t, decodetest.OpenFile(t, path), nil)
			records, references, items := stackRecords(t, x.File)
			if records+items == 0 {
				t.Fatal("no stacks")
			}
			var joined, keys, joinedItems, rows, frames, located int
			ctx := newContext(x, PayloadNone)
			p := wholePlan(x)
			eachSlab(t, x, p, func(g *Gathered) {
				filled := g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) })
				if events := filled[stackEventTable]; events != nil {
					rows += events.Batch().Rows
				}
				filler, _ := filled[stackTable].(*stackRows)
				for i := range g.Stacks.parts {
					part := &g.Stacks.parts[i]
					switch {
					case part.source == fromCLRWalk: // see TestStackWalksOfRealTraces
					case part.entry == noEntry || g.Entries[part.entry].time != part.event:
					case part.owner >= 0:
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
				frames += filler.batch.Column("addresses").Elements()
				for _, code := range filler.batch.Column("modules").Codes {
					if len(filler.batch.Texts.At(code)) > 0 {
						located++
					}
				}
			})
			t.Logf("SCORE stack records that join an event %d/%d, keys that resolve %d/%d, items %d/%d", joined, records, keys, references, joinedItems, items)
			t.Logf("SCORE %d events with a stack; distinct ones per slab have %d frames, %d of them in a known image", rows, frames, located)
			if joined != records || keys != references || joinedItems != items {
				t.Error("a record joins no event, or a key does not resolve")
			}
		})
	}
}

// eachSlab gathers the slabs of a plan, in order.
func eachSlab(t *testing.T, x *index.Index, p *slabs.Plan, f func(*Gathered)) {
	t.Helper()
	list := p.Slabs
	g := &Gathered{resolver: x.Tables().Resolver()}
	for len(list) > 0 {
		cut, ok, err := g.Gather(x, p, list[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			list = append([]slabs.Slab{{From: list[0].From, To: cut}, {From: cut, To: list[0].To}}, list[1:]...)
			continue
		}
		f(g)
		list = list[1:]
	}
}
