package rows

import (
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/distinct"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestAttribution checks the owners of the events in small traces, the tables of owners,
// and the stacks.
func TestAttribution(t *testing.T) {
	indextest.Goldens(t, "testdata/attribution", func(t *testing.T, trace []byte) string {
		x := indextest.Data(t, trace)
		var text strings.Builder
		dumpOwners(t, &text, x)
		for _, b := range []*columns.Batch{
			fixed.Processes(x, 0, len(x.Tables().Processes)), fixed.Threads(x, 0, len(x.Tables().Threads)),
			fixed.Images(x, 0, len(x.Tables().Images)), fixed.Files(x, 0, len(x.Tables().Files)),
		} {
			if b.Rows > 0 {
				dumpBatch(t, &text, b)
			}
		}
		for _, b := range batchesOf(t, x, PayloadNone) {
			if b.Table == schema.StackEvents || b.Table == schema.Stacks {
				dumpBatch(t, &text, b)
			}
		}
		return text.String()
	})
}

// dumpOwners prints a line per event of the data buffers.
func dumpOwners(t *testing.T, text *strings.Builder, x *index.Index) {
	t.Helper()
	g, ctx := gatherWhole(t, x)
	start := x.File.Header().EventTicks
	var rows block
	rows.rows, rows.byTable = make([]row, BlockRows), make([][]*row, int(firstPayload)+len(ctx.Catalog.Tables))
	for i := range g.Entries {
		if i%BlockRows == 0 {
			rows.load(g, ctx, g.Entries[i:min(i+BlockRows, len(g.Entries))])
		}
		r := &rows.rows[i%BlockRows]
		if r.ref>>32 == 0 {
			continue
		}
		name := fmt.Sprint(r.key.ID)
		if r.Literal.Event != nil {
			name = r.Literal.Event.Class + "/" + r.Literal.Event.Name
		}
		owner := "unknown"
		if r.owner.Source != 0 {
			owner = fmt.Sprintf("process %d thread %d (%v)", idOf(r.owner.Process), idOf(r.owner.Thread), r.owner.Source)
		}
		if r.process >= 0 {
			owner += " " + x.Tables().Processes[r.process].Name
		}
		if process, thread := idOf(r.owner.HeaderProcess), idOf(r.owner.HeaderThread); process != columns.None || thread != columns.None {
			owner += fmt.Sprintf(", header %d %d", process, thread)
		}
		fmt.Fprintf(text, "%gms cpu%d %s: %s\n", float64(r.Time-start)/1e4, rows.columns.processor[r.place], name, owner)
	}
}

// TestPackedSwitches checks that batches of context switches are kept whole and counted.
func TestPackedSwitches(t *testing.T) {
	packed := "raw bytes=" + strings.Repeat("02", 96) + "\n"
	x := indextest.Data(t, etltest.MustParse(t, "trace ptr=64 buffersize=4096\nbuffer cpu=0 buffertype=2\n"+packed+
		"buffer cpu=1\nperfinfo64 hook=0x0525 ver=2 payload=zero:16\nbuffer cpu=0 buffertype=2\n"+packed+
		"buffer cpu=0 buffertype=2\nperfinfo64 hook=0x0f43 ver=2 payload=zero:17\n"))
	var got []facts.Problem
	for _, p := range x.Problems.All() {
		if p.Code == "context_switches_packed" {
			got = append(got, p)
		}
	}
	if len(got) != 1 || got[0].Count != 3 || got[0].Severity != facts.SeverityInfo {
		t.Errorf("problems %+v", got)
	}
	whole := 0
	for _, b := range batchesOf(t, x, PayloadUndecoded) {
		if b.Table.Name == "other_header" {
			for _, raw := range columnTexts(b, b.Column("raw")) {
				if raw == "hex:"+strings.Repeat("02", 96) {
					whole++
				}
			}
		}
	}
	if whole != 2 {
		t.Errorf("%d batches are in other_header", whole)
	}
}

// gatherWhole gathers all events of a trace as one slab.
func gatherWhole(t testing.TB, x *index.Index) (*Gathered, *Context) {
	t.Helper()
	g := &Gathered{resolver: x.Tables().Resolver()}
	p := wholePlan(x)
	if _, ok, err := g.Gather(x, p, slabs.Whole(), nil); err != nil || !ok {
		t.Fatal(ok, err)
	}
	return g, newContext(x, PayloadNone)
}

// TestAttributionSlabs checks that the owner and the stack of an event do not depend on the
// cut into slabs.
func TestAttributionSlabs(t *testing.T) {
	x := indextest.Data(t, switchingTrace(t))
	want := attributedRows(t, x, []slabs.Slab{slabs.Whole()})
	if !strings.Contains(want, "context_switch") || !strings.Contains(want, "stacks") {
		t.Fatal("there are no owners or stacks to compare")
	}
	for _, n := range []int{3, 100, 2, 17}[:testenv.Times(t, 2, 4, 4, 4)] {
		var list []slabs.Slab
		from := slabs.First
		for i := 1; i < n; i++ {
			to := slabs.Key{Time: x.First + (x.Last-x.First)*int64(i)/int64(n)}
			list = append(list, slabs.Slab{From: from, To: to})
			from = to
		}
		if got := attributedRows(t, x, append(list, slabs.Slab{From: from, To: slabs.Last})); got != want {
			t.Errorf("%d slabs: the rows differ from those of one slab", n)
		}
	}
}

// attributedRows prints ids and stacks of all rows, by slabs.
func attributedRows(t *testing.T, x *index.Index, list []slabs.Slab) string {
	t.Helper()
	var texts [3]strings.Builder
	p := wholePlan(x)
	ctx := newContext(x, PayloadNone)
	ctx.Seen = distinct.NewSet(4, x.Temporary.Create)
	t.Cleanup(func() {
		if err := ctx.Seen.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, s := range list {
		var g Gathered
		if _, ok, err := g.Gather(x, p, s, nil); err != nil || !ok {
			t.Fatal(ok, err)
		}
		rows := g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) })
		if _, err := rows.DropSeen(ctx.Seen); err != nil {
			t.Fatal(err)
		}
		for id, filler := range rows {
			if filler == nil || TableID(id) > stackTable {
				continue
			}
			b := filler.start().batch
			if err := b.Check(); err != nil {
				t.Fatal(err)
			}
			columns := []string{"time_ns", "process_id", "thread_id", "id_source", "process_name"}
			text := &texts[0]
			switch TableID(id) {
			case stackEventTable:
				columns, text = []string{"event_ref", "time_ns", "process_id", "thread_id", "sources", "stack_id"}, &texts[1]
			case stackTable:
				columns, text = []string{"stack_id", "process_id", "process_name", "addresses", "modules", "functions", "offsets"}, &texts[2]
			}
			values := make([][]string, len(columns))
			for i, name := range columns {
				values[i] = columnTexts(b, b.Column(name))
			}
			for row := range b.Rows {
				text.WriteString(b.Table.Name)
				for i, name := range columns {
					fmt.Fprintf(text, " %s=%s", name, values[i][row])
				}
				text.WriteByte('\n')
			}
		}
	}
	return texts[0].String() + texts[1].String() + texts[2].String()
}

// switchingTrace returns a trace of four processors with context switches, and with samples
// and interrupts whose stacks come late, from other processors and by keys.
func switchingTrace(t testing.TB) []byte {
	t.Helper()
	var text strings.Builder
	text.WriteString("trace ptr=64 buffersize=2048\nstream\n")
	fmt.Fprintln(&text, `perfinfo64 cpu=0 hook=0x0303 ver=4 t=+1us payload=u64:1,u32:100,u32:4,u32:1,u32:259,u64:0,u32:0,u32:0,str8:"some.exe",str16:"",str16:"",str16:""`)
	for i := range 32 {
		fmt.Fprintf(&text, "perfinfo64 cpu=0 hook=0x0503 ver=3 t=+2us payload=u32:100,u32:%d,zero:40,u64:0x7ff00,u64:0,u32:0,u8:8,u8:5,u8:2,u8:0\n", 400+4*i)
	}
	running := [4]int{}
	r := testenv.Seeded("switching")
	for i := range 3000 {
		cpu := r.IntN(4)
		at := 100 + 10*i
		switch r.IntN(5) {
		case 0:
			next := 400 + 4*r.IntN(32)
			fmt.Fprintf(&text, "perfinfo64 cpu=%d hook=0x0524 ver=4 t=+%dus payload=u32:%d,u32:%d,zero:16\n", cpu, at, next, running[cpu])
			running[cpu] = next
		case 1:
			fmt.Fprintf(&text, "perfinfo64 cpu=%d hook=0x0f43 ver=2 t=+%dus payload=zero:17\n", cpu, at)
		default:
			thread := 400 + 4*r.IntN(32)
			fmt.Fprintf(&text, "perfinfo64 cpu=%d hook=0x0f2e ver=2 t=+%dus payload=u64:1,u32:%d,u16:1,u8:0,u8:0\n", cpu, at, thread)
			late := 1 + r.IntN(20)
			if r.IntN(20) == 0 {
				late = 3000
			}
			fmt.Fprintf(&text, "perfinfo64 cpu=%d hook=0x1820 ver=2 t=+%dus payload=ticks:+%dus,u32:100,u32:%d,u64:0xfffff80000000000+%d\n", r.IntN(4), at+10*late, at, thread, i)
			fmt.Fprintf(&text, "perfinfo64 cpu=%d hook=0x1826 ver=2 t=+%dus payload=ticks:+%dus,u32:100,u32:%d,u64:0xa0+%d\n", r.IntN(4), at+10*late+10, at, thread, r.IntN(8))
		}
	}
	for key := range 8 {
		fmt.Fprintf(&text, "perfinfo64 cpu=0 hook=0x1824 ver=2 t=+100ms payload=u64:0xa0+%d,u64:0x%d,u64:2\n", key, key+1)
	}
	return etltest.MustParse(t, text.String())
}
