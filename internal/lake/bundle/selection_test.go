package bundle

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func TestSelectionValidate(t *testing.T) {
	t.Parallel()
	for _, s := range []selection.Selection{{}, {Tables: []string{"event_*", "TRACES"}}, {Selection: facts.Selection{Providers: []string{"anything", "*[a-z]?"}}}} {
		if err := s.Validate(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
	for _, s := range []selection.Selection{{Tables: []string{"[a"}}, {Selection: facts.Selection{Processes: []string{"a["}}}, {Selection: facts.Selection{Providers: []string{"["}}}, {Tables: []string{"*"}, Selection: facts.Selection{Providers: []string{"a["}}}} {
		if err := s.Validate(); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}

// selectedTrace returns a trace of one second with several providers and tables.
func selectedTrace(t testing.TB) []byte {
	t.Helper()
	trace := etltest.Trace{BufferSize: 4096}
	stream := trace.Stream()
	r := testenv.Seeded("selection")
	for i := range 1000 {
		e := indextest.RandomEvent(r, true)
		e.Time = trace.Ticks(time.Duration(i) * time.Millisecond)
		if e.Kind == etltest.Event64 && e.GUID[0] == 2 {
			traits := etltest.Traits{Name: "Named-Provider"}
			e.Items = append(e.Items, etltest.Item{Type: etltest.ItemTraits, Data: traits.Bytes()})
		}
		if err := stream.Add(uint16(i/125%4), &e); err != nil {
			t.Fatal(err)
		}
	}
	stream.Flush()
	return trace.MustBytes(t)
}

// TestSelection compares the conversion of a selection with the matching rows of a full
// conversion.
func TestSelection(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "t.etl", selectedTrace(t))
	root := t.TempDir()
	options := testOptions
	options.Payload = rows.PayloadAll // by default it depends on the decoded events
	convertTo(t, root, path, options)
	all := rowsByTable(t, root, "t")
	start := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC).UnixNano()
	between := func(from, to int64) func(string, parquettest.Row) bool {
		return func(_ string, row parquettest.Row) bool {
			var ns int64
			if _, err := fmt.Sscan(row["time_ns"], &ns); err != nil {
				t.Fatal(err)
			}
			return ns >= start+from && ns < start+to
		}
	}
	provider := func(want func(id, name string) bool) func(string, parquettest.Row) bool {
		return func(_ string, row parquettest.Row) bool { return want(row["provider_id"], row["provider_name"]) }
	}
	const never = math.MaxInt64 / 2
	for name, test := range map[string]struct {
		from, to  string
		providers []string
		tables    []string
		want      func(table string, row parquettest.Row) bool
	}{
		"everything":       {want: func(string, parquettest.Row) bool { return true }},
		"from":             {from: "0.5", want: between(5e8, never)},
		"to":               {to: "0.5", want: between(-never, 5e8)},
		"both":             {from: "0.3", to: "0.301000001", want: between(3e8, 301000001)},
		"one ns short":     {from: "0.3", to: "0.301", want: between(3e8, 301000000)},
		"absolute":         {from: "2024-05-01T12:00:00.1Z", to: "2024-05-01T14:00:00.2+02:00", want: between(1e8, 2e8)},
		"mixed":            {from: "10ms", to: "2024-05-01T12:00:00.02Z", want: between(1e7, 2e7)},
		"before the trace": {to: "-1", want: between(0, 0)},
		"after the trace":  {from: "5", want: between(0, 0)},
		"nothing":          {from: "0.6", to: "0.4", want: between(0, 0)},
		"far away":         {from: "0001-01-01T00:00:00Z", to: "9999-12-31T00:00:00Z", want: between(-never, never)},
		"kernel class":     {providers: []string{"thread"}, want: provider(func(_, name string) bool { return name == "Thread" })},
		"image":            {providers: []string{"Image"}, want: provider(func(_, name string) bool { return name == "Image" })},
		"glob": {providers: []string{"*IO", "Named-?rovider"}, want: provider(func(_, name string) bool {
			return strings.HasSuffix(strings.ToLower(name), "io") || name == "Named-Provider"
		})},
		"GUID":              {providers: []string{"00000103-0000-0000-0000-000000000000"}, want: provider(func(id, _ string) bool { return id == "00000103-0000-0000-0000-000000000000" })},
		"GUID glob":         {providers: []string{"0000010[1-4]-*"}, want: provider(func(id, _ string) bool { return id >= "00000101" && id < "00000105" })},
		"GUID of the class": {providers: []string{"3D6FA8D1-FE05-11D0-9DDA-00C04FD7BA7C"}, want: provider(func(_, name string) bool { return name == "Thread" })},
		"absent":            {providers: []string{"absent"}, want: provider(func(string, string) bool { return false })},
		"one table":         {tables: []string{"event_header"}, want: func(table string, _ parquettest.Row) bool { return table == "event_header" }},
		"tables":            {tables: []string{"MESSAGE*", "*_trace_header"}, want: func(table string, _ parquettest.Row) bool { return strings.HasSuffix(table, "_trace_header") }},
		"fixed table":       {tables: []string{"buffers"}, want: func(string, parquettest.Row) bool { return false }},
		"time and table": {from: "0.2", to: "0.7", tables: []string{"event*"}, want: func(table string, row parquettest.Row) bool {
			return strings.HasPrefix(table, "event") && between(2e8, 7e8)(table, row)
		}},
		"provider and table": {providers: []string{"named*"}, tables: []string{"event_header"}, want: func(table string, row parquettest.Row) bool {
			return table == "event_header" && row["provider_name"] == "Named-Provider"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options
			o.Selection = selection.Selection{Selection: facts.Selection{From: boundAt(t, test.from), To: boundAt(t, test.to), Providers: test.providers}, Tables: test.tables}
			if err := o.Selection.Validate(); err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			report := convertTo(t, root, path, o)
			got := rowsByTable(t, root, "t")
			rows := int64(0)
			for _, table := range schema.HeaderTables() {
				var want []parquettest.Row
				for _, row := range all[table.Name] {
					if test.want(table.Name, row) {
						want = append(want, row)
					}
				}
				rows += int64(len(want))
				if diff := testenv.Diff(want, got[table.Name]); diff != "" {
					t.Errorf("%s: %d rows, want %d:\n%.2000s", table.Name, len(got[table.Name]), len(want), diff)
				}
			}
			if report.Rows != rows {
				t.Errorf("%d rows reported, want %d", report.Rows, rows)
			}
			for _, table := range schema.FixedTables() {
				if _, has := got[table.Name]; has != (o.Selection.WantsTable(table.Name) && len(all[table.Name]) > 0) && table != schema.StackEvents && table != schema.Stacks {
					t.Errorf("table %s exists: %t", table.Name, has)
				}
			}
		})
	}
}

// countingReader records the offsets of reads.
type countingReader struct {
	io.ReaderAt
	mu    sync.Mutex
	reads []int64
}

func (r *countingReader) ReadAt(p []byte, at int64) (int, error) {
	r.mu.Lock()
	r.reads = append(r.reads, at)
	r.mu.Unlock()
	return r.ReaderAt.ReadAt(p, at)
}

// TestBuffersNotNeeded checks which buffers are read for a selection.
func TestBuffersNotNeeded(t *testing.T) {
	t.Parallel()
	data := selectedTrace(t)
	reader := &countingReader{ReaderAt: bytes.NewReader(data)}
	x := indextest.Reader(t, reader, int64(len(data)))
	for name, test := range map[string]struct {
		s    selection.Selection
		most int // reads; some unneeded buffers cannot be recognised
	}{
		"time":     {selection.Selection{Selection: facts.Selection{From: boundAt(t, "0.5"), To: boundAt(t, "0.51")}}, 6},
		"provider": {selection.Selection{Selection: facts.Selection{Providers: []string{"UdpIp"}}}, len(x.Buffers)},
		"absent":   {selection.Selection{Selection: facts.Selection{Providers: []string{"absent"}}}, 0},
		"table":    {selection.Selection{Tables: []string{"event_instance_header"}}, len(x.Buffers)},
		"nothing":  {selection.Selection{Tables: []string{"traces"}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			reader.reads = nil
			s := test.s
			f := filterFor(t, x, &s)
			if _, _, err := pipeline.Events(t.Context(), x, &pipeline.Options{Workers: 2, Memory: pipeline.DefaultMemory, Selection: s}, f, new(pipeline.Counter), false); err != nil {
				t.Fatal(err)
			}
			reads := reader.reads
			stacks := x.Tables().Stacks.Buffers(f.Within.From.Time, f.Within.To.Time, nil)
			for i := range x.Buffers {
				info := x.File.BufferInfo(i)
				read := slices.ContainsFunc(reads, func(at int64) bool { return at >= info.Offset && at < info.Offset+int64(info.Size) })
				if !read && hasSelected(t, x, i, f) {
					t.Errorf("buffer %d was not read", i)
				}
				if read && !f.NeedsBuffer(x, i) && !slices.Contains(stacks, int32(i)) {
					t.Errorf("buffer %d was read", i)
				}
			}
			if len(reads) > test.most {
				t.Errorf("%d of %d buffers were read, want at most %d", len(reads), len(x.Buffers), test.most)
			}
		})
	}
}

// hasSelected reports whether a buffer has an event of the selection.
func hasSelected(t testing.TB, x *index.Index, i int, f *rows.Filter) bool {
	t.Helper()
	var b decode.Buffer
	if err := x.File.ReadBuffer(i, &b); err != nil {
		t.Fatal(err)
	}
	s := f.Selection
	names, resolver := x.Names(), x.Tables().Resolver()
	var ev decode.Event
	for b.Next(&ev) == nil {
		var key catalog.Key
		key.Of(&ev)
		id, ok := key.Provider()
		name, _ := names.Provider(id)
		var found attribution.Owner
		resolver.Owner(&ev, x.Catalog.Of(&key).Literal.Event, key.LayoutVersion(), attribution.NoThread, &found)
		owner := found.Process
		if ev.Time < f.Within.From.Time || ev.Time >= f.Within.To.Time ||
			!s.WantsTable(schema.HeaderTables()[ev.Family].Name) ||
			len(s.Providers) > 0 && !(ok && slices.ContainsFunc(s.Providers, func(p string) bool { return schema.MatchProvider(p, id, name) })) ||
			len(s.Processes) > 0 && !slices.Contains(s.Processes, fmt.Sprint(owner)) {
			continue
		}
		return true
	}
	return false
}

// TestProcessBuffers checks that a buffer is read if its events may belong to the process by
// their headers, or if only its payloads can show that.
func TestProcessBuffers(t *testing.T) {
	t.Parallel()
	x := indextest.Data(t, etltest.MustParse(t, `
trace ptr=64 buffersize=4096
buffer cpu=0
event64 id=1 pid=100 tid=8 t=+1ms
buffer cpu=0
event64 id=1 pid=200 tid=12 t=+2ms
buffer cpu=0
event64 id=1 pid=100 tid=8 t=+3ms
system64 hook=0x0301 ver=4 pid=4 tid=8 t=+3ms payload=ptr:1,u32:200|100|1|0,ptr:0,u32:0,wbemsid:S-1-5-18,str8:b.exe,str16:"b",str16:"",str16:""
buffer cpu=0
perfinfo64 hook=0x0f2e ver=2 t=+4ms payload=u64:1,u32:8,u16:1,u8:0,u8:0
`))
	for pattern, want := range map[string][]bool{
		"100": {true, false, true, true}, "200": {false, true, true, true}, "B": {false, true, true, true}, "a.exe": {false, false, false, false},
	} {
		f := filterFor(t, x, &selection.Selection{Selection: facts.Selection{Processes: []string{pattern}}})
		for i, want := range want {
			if got := f.NeedsBuffer(x, i+1); got != want {
				t.Errorf("--process %s: buffer %d is read: %t", pattern, i+1, got)
			}
		}
	}
}

// TestProviderNotListed selects a provider that is beyond the limit of the list of providers.
func TestProviderNotListed(t *testing.T) {
	t.Parallel()
	testenv.RacedElsewhere(t)
	most := testenv.Times(t, 1000, 1000, catalog.DefaultMaxTypes, catalog.DefaultMaxTypes)
	trace := manyKinds(t, most, 1)
	more := etltest.MustParse(t, "trace buffersize=0x10000\nbuffer cpu=9\nsystem64 hook=0x0501 t=+10s\nsystem64 hook=0x0301 t=+10s")
	trace = append(trace, more[64<<10:]...)
	for pattern, want := range map[string]int64{"Thread": 1, "3d6fa8d?-*": 2, "absent": 0} {
		o := testOptions
		o.Selection.Providers, o.Limits.Types = []string{pattern}, most
		if report := convertTo(t, t.TempDir(), indextest.Write(t, "t.etl", trace), o); report.Rows != want {
			t.Errorf("%s: %d rows, want %d", pattern, report.Rows, want)
		}
	}
}

func boundAt(t testing.TB, text string) facts.TimeBound {
	t.Helper()
	b, err := facts.ParseTimeBound(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// filterFor prepares a selection that fits the trace.
func filterFor(t testing.TB, x *index.Index, s *selection.Selection) *rows.Filter {
	t.Helper()
	f, err := rows.NewFilter(s, x)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
