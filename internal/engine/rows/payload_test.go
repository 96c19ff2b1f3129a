package rows

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/schema"
)

// payloadBatches returns the fillers of the tables of payloads, except for the table of the
// trace header event.
func payloadBatches(t testing.TB, x *index.Index) (list []*payloadRows) {
	t.Helper()
	var g Gathered
	p := wholePlan(x)
	if _, ok, err := g.Gather(x, p, slabs.Whole(), nil); err != nil || !ok {
		t.Fatal(ok, err)
	}
	ctx := newContext(x, PayloadUndecoded)
	for _, filler := range g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) }) {
		if rows, ok := filler.(*payloadRows); ok && rows.batch.Table.Name != "events/EventTrace/Header" {
			if err := rows.batch.Check(); err != nil {
				t.Fatal(err)
			}
			list = append(list, rows)
		}
	}
	return list
}

// shownColumns are the common columns that a dump of payloads shows.
var shownColumns = []string{"process_id", "thread_id", "pointer_size", "event_name", "payload_size"}

// TestKernelPayloads checks the columns of payloads that were written byte by byte from the
// documented offsets.
func TestKernelPayloads(t *testing.T) {
	indextest.Goldens(t, "testdata/kernel", func(t *testing.T, trace []byte) string { return dumpPayloads(t, indextest.Data(t, trace)) })
}

// dumpPayloads writes the columns of all payloads as text, without nulls.
func dumpPayloads(t testing.TB, x *index.Index) string {
	t.Helper()
	var text strings.Builder
	for _, rows := range payloadBatches(t, x) {
		b := rows.batch
		texts := make([][]string, len(b.Columns))
		for i := range b.Columns {
			texts[i] = columnTexts(b, &b.Columns[i])
		}
		fmt.Fprintf(&text, "%s\n", b.Table.Name)
		for row := range b.Rows {
			fmt.Fprintf(&text, "  row %d\n", row)
			for i := range b.Columns {
				name := b.Columns[i].Spec.Name
				common := i < len(schema.CommonColumns())-1 || b.Table.HasDescriptor() && i < len(schema.CommonColumns())-1+len(schema.EventColumns())
				if texts[i][row] != "" && (!common || slices.Contains(shownColumns, name)) {
					fmt.Fprintf(&text, "    %s=%s\n", name, texts[i][row])
				}
			}
		}
		for _, m := range rows.takeProblems() {
			fmt.Fprintf(&text, "  %s\n", problemText(&m.problem))
		}
	}
	return text.String()
}

func problemText(p *facts.Problem) string {
	return fmt.Sprintf("%s %s, %d times, first at %d:%#x: %s: %s", p.Severity, p.Code, p.Count, p.Buffer, p.Position, p.Field, p.Message)
}

// payloadFuzzer fills rows from payloads without a trace around them.
type payloadFuzzer struct {
	ctx      *Context
	literals []schema.Literal
	frames   *frameResolver
	columns  blockColumns // of the events made last
	place    uint16       // of the next event
}

func newPayloadFuzzer(t testing.TB) *payloadFuzzer {
	t.Helper()
	x := indextest.Data(t, etltest.MustParse(t, "trace buffersize=1024"))
	x.UnlistedEvents = 1 // of any kind
	f := &payloadFuzzer{ctx: newContext(x, PayloadAll)}
	f.frames = newFrameResolver(f.ctx.owners, f.ctx.owners.Resolver(), nil)
	for _, table := range schema.KernelCatalog().Tables() {
		for _, e := range table.Literals() {
			literal, ok := schema.KernelCatalog().Type(e.GUID, e.Type, e.Since)
			if !ok || literal.Event != e {
				t.Fatalf("%s/%s is not found by its type", e.Class, e.Name)
			}
			f.literals = append(f.literals, literal)
		}
	}
	if len(f.literals) < 600 {
		t.Fatalf("%d layouts", len(f.literals))
	}
	return f
}

// row returns an event with the payload, and a filler for its table.
func (f *payloadFuzzer) row(literal schema.Literal, version uint8, wide bool, payload []byte) (*row, *payloadRows) {
	header := decode.TypePerfInfo32
	if wide {
		header = decode.TypePerfInfo64
	}
	raw := make([]byte, 0x10, 0x10+len(payload))
	raw[2], raw[3] = byte(header), 0xc0
	r := &row{place: f.place}
	f.place = (f.place + 1) % BlockRows
	f.ctx.file.Event(&r.Event, append(raw, payload...), header)
	finder := &catalog.Finder{Catalog: f.ctx.Catalog}
	r.complete(f.ctx, finder, finder.Find(&r.Event), nil)
	r.resolveOwner(f.ctx.owners.Resolver(), attribution.NoThread, true)
	r.Kind = &catalog.Kind{Literal: literal, Version: version}
	f.columns.read(f.ctx, r, 0)
	rows := newPayloadRows(literal.Table, f.ctx)
	rows.start().reset()
	if rows.code != nil {
		rows.code.reset(f.frames, &rows.batch.Texts)
	}
	return r, rows
}

// FuzzPayloadRows fills rows from arbitrary bytes with every layout.
func FuzzPayloadRows(f *testing.F) {
	fuzzer := newPayloadFuzzer(f)
	seeds := 0
	for n := range fuzzer.literals {
		for _, size := range []int{0, 11, 200} {
			payload := make([]byte, size)
			for i := range payload {
				payload[i] = byte(i * i * (n + 1) >> 3)
			}
			f.Add(uint16(n), fuzzer.literals[n].Event.Since, n%2 == 0, payload)
			seeds++
		}
	}
	if seeds < 1800 {
		f.Fatalf("%d seeds", seeds)
	}
	f.Fuzz(func(t *testing.T, n uint16, version uint8, wide bool, payload []byte) {
		if len(payload) > 0xf000 {
			return
		}
		literal := fuzzer.literals[int(n)%len(fuzzer.literals)]
		if !literal.Event.In(version) {
			version = literal.Event.Since
		}
		r, rows := fuzzer.row(literal, version, wide, payload)
		other, _ := fuzzer.row(literal, literal.Event.Since, !wide, payload[:len(payload)/2])
		rows.fill(&fuzzer.columns, []*row{r, other, r})
		b := rows.batch
		if err := b.Check(); err != nil || b.Rows != 3 {
			t.Fatalf("%d rows: %v", b.Rows, err)
		}
		for i := range b.Columns {
			c := &b.Columns[i]
			texts := columnTexts(b, c)
			if name := c.Spec.Name; texts[0] != texts[2] {
				t.Fatalf("%s: first %s, then %s", name, texts[0], texts[2])
			}
			if c.Spec.Type == schema.String {
				checkUTF8(t, b, c)
			}
		}
		if r.rest != int32(len(strings.TrimPrefix(columnTexts(b, rows.unknown)[0], "hex:"))/2) {
			t.Fatalf("%d bytes are left over, the column has %s", r.rest, columnTexts(b, rows.unknown)[0])
		}
		if rest := columnTexts(b, rows.unknown)[0]; r.decoded && rest != "" && !strings.HasSuffix(fmt.Sprintf("%x", payload), strings.TrimPrefix(rest, "hex:")) {
			t.Fatalf("the rest %s is not the end of %x", rest, payload)
		}
		problems := slices.DeleteFunc(rows.takeProblems(), func(m *payloadProblem) bool { return m.key.code == "payload_shorter" })
		if (len(problems) == 0) != (columnTexts(b, rows.unknown)[0] == "" && columnTexts(b, rows.unknown)[1] == "" && r.decoded && other.decoded) {
			t.Fatalf("%d problems, rest %s, decoded %v and %v", len(problems), columnTexts(b, rows.unknown), r.decoded, other.decoded)
		}
	})
}

func checkUTF8(t *testing.T, b *columns.Batch, c *columns.Column) {
	t.Helper()
	for i := range c.Elements() {
		if !utf8.Valid(bytesAt(b, c, i)) {
			t.Fatalf("%s: %q", c.Spec.Name, bytesAt(b, c, i))
		}
	}
}

// TestNarrowText checks that 8-bit text is read as UTF-8 if it is valid, else as Latin-1.
func TestNarrowText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "\x00": "", "cmd.exe\x00": "cmd.exe", "a\x00b": "a", "gr\xfc\xdfe\x00": "grüße", "\xc3\xbc\x00": "ü",
		"\x80\xff": "\u0080ÿ", "\xc3\x00": "Ã", "\xed\xa0\x80": "í\u00a0\u0080",
	} {
		if got := decode.NarrowText([]byte(text)); got != want || !utf8.ValidString(got) {
			t.Errorf("narrowText(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestUTF16 checks pairs, lone surrogates, odd bytes and text after a NUL.
func TestUTF16(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "A": "", "A\x00": "A", "A\x00B": "A", "\x00\x00A\x00": "", "\x3d\xd8\x00\xde": "😀", "\x3d\xd8": "\uFFFD", "\x00\xdeA\x00": "\uFFFDA",
		"\x3d\xd8A\x00": "\uFFFDA", "\x3d\xd8\x3d\xd8\x00\xde": "\uFFFD😀", "\x3d\xd8\x00\x00": "\uFFFD", "\xff\xff": "\uFFFF",
	} {
		if got := string(decode.AppendUTF16(nil, []byte(text))); got != want {
			t.Errorf("decode.AppendUTF16(%q) = %q, want %q", text, got, want)
		}
	}
}

// BenchmarkPayloadRows locates the fields of a payload and appends its row.
func BenchmarkPayloadRows(b *testing.B) {
	fuzzer := newPayloadFuzzer(b)
	const process = "7856341203f8ffff 34120000 78560000 ffffffff 03010000 02d01a0000000000 0a000000 20dc9cfc88b4ffff0000000000000000" +
		"0105000000000005150000009428dc3bdbf72a469b7ba628e9030000 636d642e65786500 63006d0064000000 0000 0000"
	for _, event := range []struct {
		name    string
		hook    uint16
		version uint8
		payload string
	}{
		{"CSwitch", 0x0524, 4, "34120000 78560000 10 08 02 ff 06 00 05 03 07000000 00000000"},
		{"SampledProfile", 0x0f2e, 2, "7856341203f8ffff 34120000 0100 40 00"},
		{"Process", 0x0301, 4, process},
		{"Misfit", 0x0524, 4, "34120000 78560000 10 08 02 ff 06 00 05 03 07000000 000000"},
	} {
		payload := etltest.MustHex(b, event.payload)
		literal, ok := schema.KernelCatalog().Hook(event.hook, event.version)
		if !ok {
			b.Fatal("no layout")
		}
		b.Run("locate/event="+event.name, func(b *testing.B) {
			b.ReportAllocs()
			layout := decode.NewLayout(literal.Event, event.version, 8)
			var spans []decode.Span
			for b.Loop() {
				spans, _ = layout.Locate(payload, spans)
			}
		})
		b.Run("row/event="+event.name, func(b *testing.B) {
			b.ReportAllocs()
			r, rows := fuzzer.row(literal, event.version, true, payload)
			same := slices.Repeat([]*row{r}, BlockRows)
			for b.Loop() {
				if rows.batch.Rows >= 16<<10 {
					rows.start().reset()
				}
				rows.fill(&fuzzer.columns, same)
			}
			if rows.batch.Rows > 0 && r.decoded == (event.name == "Misfit") {
				b.Fatal("not decoded as expected")
			}
		})
	}
}
