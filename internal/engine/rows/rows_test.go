package rows

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// batchesOf returns the rows of the headers of all events of a trace, a batch per table with
// rows.
func batchesOf(t testing.TB, x *index.Index, payload PayloadMode) []*columns.Batch {
	t.Helper()
	var g Gathered
	p := wholePlan(x)
	p.Slabs = []slabs.Slab{slabs.Whole()}
	if _, ok, err := g.Gather(x, p, p.Slabs[0], nil); err != nil || !ok {
		t.Fatal(ok, err)
	}
	ctx := newContext(x, payload)
	var batches []*columns.Batch
	for _, filler := range g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) }) {
		if filler != nil && !filler.start().batch.Table.IsPayload() {
			batches = append(batches, filler.start().batch)
		}
	}
	return batches
}

// TestRows checks the columns of events with each kind of header.
func TestRows(t *testing.T) {
	indextest.Goldens(t, "testdata/rows", func(t *testing.T, trace []byte) string {
		x := indextest.Data(t, trace)
		var text strings.Builder
		dumpEvents(t, &text, batchesOf(t, x, PayloadUndecoded))
		return text.String()
	})
}

// TestFixedRows checks the tables that do not hold events.
func TestFixedRows(t *testing.T) {
	indextest.Goldens(t, "testdata/fixed", func(t *testing.T, trace []byte) string {
		x := indextest.Data(t, trace)
		var text strings.Builder
		indextest.Count(t, x)
		for _, b := range []*columns.Batch{fixed.Traces(x, fixed.Source{Trace: "name", File: "name.etl", ChunksXXH3: "6b", SHA256: "5a"}), fixed.Buffers(x, 0, len(x.Buffers)), fixed.Providers(x), fixed.EventTypes(x), fixed.Problems(x)} {
			dumpBatch(t, &text, b)
		}
		if n := int(x.CompactSwitches()); n > 0 {
			b, err := fixed.CompactSwitches(x, 0, n)
			if err != nil {
				t.Fatal(err)
			}
			dumpBatch(t, &text, b)
			var parts []*columns.Batch
			for from := range n {
				part, err := fixed.CompactSwitches(x, from, from+1)
				if err != nil || part.Rows != 1 {
					t.Fatalf("row %d: %v, %v", from, part, err)
				}
				parts = append(parts, part)
			}
			for i, part := range parts {
				if at := b.Table.Column("time_ns"); part.Columns[at].Ints[0] != b.Columns[at].Ints[i] {
					t.Errorf("row %d made alone has another time", i)
				}
			}
		}
		return text.String()
	})
}

// skipped are columns that a dump omits: timestamp is checked to be equal to time_ns.
var skippedColumns = []string{"timestamp"}

// dumpEvents writes the rows of tables as text. It shows a common column of events in one place: if
// all events have the same value, in the first line, else in the line of each row.
func dumpEvents(t testing.TB, text *strings.Builder, batches []*columns.Batch) {
	t.Helper()
	tables := make([][][]string, len(batches))
	common := schema.CommonColumns()
	common = common[:len(common)-1] // the payload differs from event to event
	values, events := make([]string, len(common)), 0
	isShared := make([]bool, len(common))
	last := len(common) - 1
	isOfEvents := func(b *columns.Batch) bool { return b.Table.Column(common[last].Name) == last }
	for i, b := range batches {
		if !isOfEvents(b) {
			continue
		}
		tables[i] = rowTexts(t, b)
		for _, row := range tables[i] {
			for c, value := range row[:len(common)] {
				if events == 0 {
					values[c], isShared[c] = value, value != ""
				}
				isShared[c] = isShared[c] && value == values[c]
			}
			events++
		}
	}
	show := func(format string, columns []schema.Column, row []string, isShown func(c int) bool) {
		for c, value := range row {
			if value != "" && !slices.Contains(skippedColumns, columns[c].Name) && isShown(c) {
				fmt.Fprintf(text, format, columns[c].Name, value)
			}
		}
	}
	text.WriteString("every event:")
	show(" %s=%s", common, values, func(c int) bool { return isShared[c] })
	text.WriteString("\n")
	for i, b := range batches {
		if !isOfEvents(b) {
			dumpBatch(t, text, b)
			continue
		}
		fmt.Fprintf(text, "%s\n", b.Table.Name)
		for n, row := range tables[i] {
			fmt.Fprintf(text, "  row %d:", n)
			show(" %s=%s", common, row[:len(common)], func(c int) bool { return !isShared[c] })
			text.WriteString("\n")
			show("    %s=%s\n", b.Table.Columns[len(common):], row[len(common):], func(int) bool { return true })
		}
	}
}

// dumpBatch writes the rows of a batch as text, without nulls and without the trace header
// event.
func dumpBatch(t testing.TB, text *strings.Builder, b *columns.Batch) {
	t.Helper()
	fmt.Fprintf(text, "%s\n", b.Table.Name)
	for n, values := range rowTexts(t, b) {
		fmt.Fprintf(text, "  row %d\n", n)
		for i, value := range values {
			if value != "" && !slices.Contains(skippedColumns, b.Table.Columns[i].Name) {
				fmt.Fprintf(text, "    %s=%s\n", b.Table.Columns[i].Name, value)
			}
		}
	}
}

// rowTexts returns the values of a batch by row and column, "" for null, without the trace header
// event.
func rowTexts(t testing.TB, b *columns.Batch) [][]string {
	t.Helper()
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	rows := make([][]string, b.Rows)
	for i := range b.Columns {
		for row, value := range shownTexts(b, &b.Columns[i]) {
			rows[row] = append(rows[row], value)
		}
	}
	ref, ns, micros := b.Table.Column("event_ref"), b.Table.Column("time_ns"), b.Table.Column("timestamp")
	kept := rows[:0]
	for _, values := range rows {
		if ref >= 0 && values[ref] != "" {
			if values[ref] == strconv.Itoa(decode.BufferHeaderSize) {
				continue // the trace header event
			}
			number, _ := strconv.ParseInt(values[ref], 10, 64)
			values[ref] = fmt.Sprintf("%d:%#x", number>>32, uint32(number))
			want := ""
			if exact, err := strconv.ParseInt(values[ns], 10, 64); err == nil {
				want = strconv.FormatInt(floorDiv(exact, 1000), 10)
			}
			if values[micros] != want {
				t.Errorf("%s: timestamp is %s, want %s", values[ref], values[micros], want)
			}
		}
		kept = append(kept, values)
	}
	return kept
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// columnTexts returns the values of a column, "" for null.
func columnTexts(b *columns.Batch, c *columns.Column) []string { return textsOfRows(b, c, b.Rows) }

func textsOfRows(b *columns.Batch, c *columns.Column, rows int) []string {
	texts := make([]string, rows)
	value := 0
	for row := range texts {
		if !c.Has(row) {
			continue
		}
		if !c.Spec.List {
			texts[row] = elementText(b, c, value)
			value++
			continue
		}
		from := uint32(0)
		if value > 0 {
			from = c.Lists[value-1]
		}
		list := []string{}
		for e := from; e < c.Lists[value]; e++ {
			list = append(list, elementText(b, c, int(e)))
		}
		texts[row] = "[" + strings.Join(list, " ") + "]"
		value++
	}
	return texts
}

func elementText(b *columns.Batch, c *columns.Column, at int) string {
	switch c.Spec.Type {
	case schema.Boolean:
		return strconv.FormatBool(c.Bools[at])
	case schema.Int32:
		return strconv.Itoa(int(c.Small[at]))
	case schema.Uint64:
		return fmt.Sprintf("%#x", uint64(c.Ints[at]))
	case schema.Float:
		return strconv.FormatFloat(float64(c.Floats[at]), 'g', -1, 32)
	case schema.Double:
		return strconv.FormatFloat(c.Reals[at], 'g', -1, 64)
	case schema.String, schema.Binary:
		return textOf(c, bytesAt(b, c, at))
	case schema.Struct:
		var list []string
		for i := range c.Members {
			m := &c.Members[i]
			list = append(list, m.Spec.Name+"="+textsOfRows(b, m, c.Structs)[at])
		}
		return "{" + strings.Join(list, " ") + "}"
	}
	return strconv.FormatInt(c.Ints[at], 10)
}

func bytesAt(b *columns.Batch, c *columns.Column, at int) []byte {
	if c.Spec.Encoding != schema.Varied {
		return b.Texts.At(c.Codes[at])
	}
	from := uint32(0)
	if at > 0 {
		from = c.Ends[at-1]
	}
	return c.Bytes[from:c.Ends[at]]
}

func textOf(c *columns.Column, value []byte) string {
	if c.Spec.Type == schema.String {
		return strconv.Quote(string(value))
	}
	return fmt.Sprintf("hex:%x", value)
}

// TestPayloadModes checks which payloads are kept. Only the trace header event is decoded
// here.
func TestPayloadModes(t *testing.T) {
	x := indextest.Data(t, etltest.MustParse(t, `
event64 id=1 payload=u32:1
perfinfo64 hook=0x0f2e
timed payload=u64:7
full64
message payload=u8:9
instance64 payload=u8:9
`))
	for _, mode := range []struct {
		payload PayloadMode
		kept    bool
	}{{PayloadUndecoded, true}, {PayloadAll, true}, {PayloadNone, false}} {
		for _, b := range batchesOf(t, x, mode.payload) {
			column := "payload"
			if b.Table.Name == "other_header" {
				column = "raw"
			}
			for row, value := range columnTexts(b, b.Column(column)) {
				decoded := mode.payload == PayloadUndecoded && b.Table.Name == "system_trace_header"
				if kept := value != ""; kept != (mode.kept && !decoded) {
					t.Errorf("payload mode %d: %s: row %d: %q", mode.payload, b.Table.Name, row, value)
				}
			}
			if b.Table.Name == "event_header" && b.Column("payload_size").Small[0] != 4 {
				t.Errorf("payload mode %d: payload_size is %v", mode.payload, b.Column("payload_size").Small)
			}
		}
	}
}

// TestBatchAgain fills the same batch again with other rows, as the pipeline does.
func TestBatchAgain(t *testing.T) {
	for name, s := range indextest.Shapes {
		t.Run(name, func(t *testing.T) {
			x := indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded(name), s))
			ctx := newContext(x, PayloadUndecoded)
			p := slabs.NewPlan(x, slabs.Size{Events: 100, Bytes: 1 << 20}, everyBuffer, slabs.Whole())
			var g Gathered
			idle := make(SlabRows, len(x.Catalog.EventTables()))
			for i, s := range p.Slabs {
				if _, ok, err := g.Gather(x, p, s, nil); err != nil {
					t.Fatal(err)
				} else if !ok {
					continue
				}
				var fresh, again strings.Builder
				for _, filler := range g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) }) {
					if filler != nil {
						dumpBatch(t, &fresh, filler.start().batch)
					}
				}
				for _, filler := range g.FillRows(ctx, func(f TableID) Filler {
					if idle[f] == nil {
						idle[f] = NewFiller(f, ctx)
					}
					return idle[f]
				}) {
					if filler != nil {
						dumpBatch(t, &again, filler.start().batch)
					}
				}
				if diff := cmp.Diff(fresh.String(), again.String()); diff != "" {
					t.Fatalf("slab %d: -fresh +again:\n%s", i, diff)
				}
			}
		})
	}
}

// newContext returns the context for filling all tables.
func newContext(x *index.Index, payload PayloadMode) *Context {
	return contextOf(x, payload, newDemand(x, new(selection.Selection)))
}
