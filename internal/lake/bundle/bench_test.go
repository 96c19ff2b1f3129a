package bundle

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/bench"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// The traces to amplify: half kernel events and half CLR events; only kernel events;
// events described by a manifest; and TraceLogging.
const (
	benchSource       = "traces/net.4.5.2.x86.etl"
	benchKernel       = "traces/diaghub.etl"
	benchManifest     = "traces/diaghub.user_paged.1.etl"
	benchTraceLogging = "traces/ebpforwindows.etl"
)

// amplified returns a trace of at least size bytes.
func amplified(b *testing.B, size int64, compressed bool) string {
	b.Helper()
	return amplifiedOf(b, benchSource, size, compressed)
}

func amplifiedOf(b *testing.B, source string, size int64, compressed bool) string {
	b.Helper()
	f := indextest.Open(b, testenv.Shared(b, source))
	path := filepath.Join(b.TempDir(), "amplified.etl")
	out, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	if _, err := bench.Amplify(out, f, bench.AmplifyOptions{Size: size, Compressed: compressed}); err != nil {
		b.Fatal(err)
	}
	return path
}

func benchIndex(b *testing.B, path string) *index.Index {
	b.Helper()
	x, err := index.Build(context.Background(), indextest.Open(b, path), index.Options{Workers: 1, Schemas: benchSchemas(b)})
	if err != nil {
		b.Fatal(err)
	}
	return x
}

func benchSchemas(b *testing.B) *catalog.Files {
	b.Helper()
	files, err := catalog.OpenFiles([]string{testenv.Shared(b, "manifests")}, "")
	if err != nil {
		b.Fatal(err)
	}
	return files
}

// decoder makes rows of slabs, as a worker does.
type decoder struct {
	x    *index.Index
	plan *slabs.Plan
	rows *rows.Context
	g    rows.Gathered
}

// headersOnly selects the header tables, with raw payloads.
var headersOnly = selection.Selection{Tables: []string{"*_header"}}

func newDecoder(x *index.Index, s *selection.Selection) *decoder {
	f, err := rows.NewFilter(s, x)
	if err != nil {
		panic(err) // cannot fail, because it has no times
	}
	return &decoder{x: x, plan: f.Plan(x), rows: f.Context(x, rows.PayloadUndecoded, false, nil)}
}

func (d *decoder) slab(b *testing.B, s slabs.Slab, take func(rows.TableID) rows.Filler) rows.SlabRows {
	if _, ok, err := d.g.Gather(d.x, d.plan, s, nil); err != nil || !ok {
		b.Fatal(err, ok)
	}
	return d.g.FillRows(d.rows, take)
}

// events makes the rows of the first slabs, and returns the number of their events.
func (d *decoder) events(b *testing.B, slabs int) (list []rows.SlabRows, events int) {
	for _, s := range d.plan.Slabs[:min(slabs, len(d.plan.Slabs))] {
		list = append(list, d.slab(b, s, func(id rows.TableID) rows.Filler { return rows.NewFiller(id, d.rows) }))
		events += len(d.g.Entries)
	}
	return list, events
}

// all makes the rows of the whole trace and reuses the memory of each slab.
func (d *decoder) all(b *testing.B) {
	idle := make(rows.SlabRows, len(d.rows.Catalog.EventTables()))
	for _, s := range d.plan.Slabs {
		d.slab(b, s, func(id rows.TableID) rows.Filler {
			if idle[id] == nil {
				idle[id] = rows.NewFiller(id, d.rows)
			}
			return idle[id]
		})
	}
}

// encodeRows encodes rows as the pipeline does: a row group per slab and table, with
// an encoder that reuses the memory of earlier ones.
func encodeRows(b *testing.B, list []rows.SlabRows, files []*parquet.File) {
	g := new(parquet.RowGroup)
	for _, slab := range list {
		for family, filler := range slab {
			if filler == nil {
				continue
			}
			g.File = files[family]
			for _, step := range []func() error{func() error { return g.Write(filler.Batch()) }, g.Finish, g.Commit} {
				if err := step(); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

func encodeRowsByLibrary(b *testing.B, list []rows.SlabRows, groups []*parquettest.LibraryRowGroup) {
	for _, slab := range list {
		for family, filler := range slab {
			if filler == nil {
				continue
			}
			if hasStructs(filler.Batch().Table) {
				continue // the library's column writers do not support them; they are few
			}
			if err := groups[family].Write(filler.Batch()); err != nil {
				b.Fatal(err)
			}
			if err := groups[family].Commit(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func (d *decoder) files(b *testing.B) (ours []*parquet.File, library []*parquettest.LibraryRowGroup) {
	c, err := parquet.NewCodec(parquet.DefaultCompression)
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range d.rows.Catalog.EventTables() {
		open := func() *os.File {
			file, err := os.Create(filepath.Join(b.TempDir(), filepath.Base(t.Name)))
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { file.Close() })
			return file
		}
		o, err := parquet.NewFile(open(), t, c)
		if err != nil {
			b.Fatal(err)
		}
		l, err := parquettest.NewLibraryFile(open(), t, c)
		if err != nil {
			b.Fatal(err)
		}
		ours, library = append(ours, o), append(library, l.RowGroup())
	}
	return ours, library
}

func reportEvents(b *testing.B, events int64) {
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

const benchSize = 100 << 20 // for the benchmarks of single stages

// BenchmarkIndex is the index pass on one core, which is the cost of info.
func BenchmarkIndex(b *testing.B) {
	path := amplified(b, benchSize, false)
	f := indextest.Open(b, path)
	b.SetBytes(f.Size())
	b.ReportAllocs()
	events := int64(0)
	for b.Loop() {
		x, err := index.Build(context.Background(), f, index.Options{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		events = x.Events
	}
	reportEvents(b, events)
}

// BenchmarkDecode is the convert pass without encoding: reading, sorting and filling
// columns.
func BenchmarkDecode(b *testing.B) {
	x := benchIndex(b, amplified(b, benchSize, false))
	d := newDecoder(x, new(selection.Selection))
	b.SetBytes(x.File.Size())
	b.ReportAllocs()
	for b.Loop() {
		d.all(b)
	}
	reportEvents(b, x.Events)
}

// BenchmarkEncode is only the encoding of finished rows, with our writer and with the
// library's.
func BenchmarkEncode(b *testing.B) {
	d := newDecoder(benchIndex(b, amplified(b, benchSize, false)), &headersOnly)
	made, events := d.events(b, 4)
	ours, library := d.files(b)
	b.Run("writer=ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			encodeRows(b, made, ours)
		}
		reportEvents(b, int64(events))
	})
	b.Run("writer=library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			encodeRowsByLibrary(b, made, library)
		}
		reportEvents(b, int64(events))
	})
}

// BenchmarkConvert is the whole conversion.
func BenchmarkConvert(b *testing.B) {
	for _, compressed := range []bool{false, true} {
		path := amplified(b, benchSize, compressed)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("compressed=%v/workers=%d", compressed, workers), func(b *testing.B) {
				b.ReportAllocs()
				events := int64(0)
				for b.Loop() {
					events = convertOnce(b, path, workers, selection.Selection{})
				}
				reportEvents(b, events)
			})
		}
	}
}

// convertOnce converts a trace with one core per worker.
func convertOnce(b *testing.B, path string, workers int, s selection.Selection) (events int64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
	d, err := OpenDataset(filepath.Join(b.TempDir(), "out"))
	if err != nil {
		b.Fatal(err)
	}
	r, err := convertFile(context.Background(), d, path, "trace", Options{Options: pipeline.Options{Workers: workers, Memory: pipeline.DefaultMemory, Selection: s, Schemas: benchSchemas(b)}, Force: true})
	if err != nil {
		b.Fatal(err)
	}
	return r.Events
}

func hasStructs(t *schema.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c schema.Column) bool { return c.Type == schema.Struct })
}

// BenchmarkEventRatios prints the second table of docs/benchmarks.md: header and event
// tables together, for each kind of trace, beside the encoders alone on the same rows.
// It prints medians of alternating rounds in one run.
func BenchmarkEventRatios(b *testing.B) {
	const rounds = 5
	var t strings.Builder
	fmt.Fprintf(&t, "\n| events | bytes each | encoder alone (library) | encoder alone (ours) | 1 worker | 2 workers | per core, of the library's | of ours |\n|---|---|---|---|---|---|---|---|\n")
	for _, source := range []struct{ name, path string }{
		{"kernel", benchKernel}, {"kernel and CLR", benchSource}, {"manifest", benchManifest}, {"TraceLogging", benchTraceLogging},
	} {
		path := amplifiedOf(b, source.path, 512<<20, false)
		x := benchIndex(b, path)
		d := newDecoder(x, new(selection.Selection))
		made, rowEvents := d.events(b, 4)
		ours, library := d.files(b)
		stages := []struct {
			events int64
			cores  int
			run    func()
			times  []float64
		}{
			{int64(rowEvents), 1, func() { encodeRowsByLibrary(b, made, library) }, nil},
			{int64(rowEvents), 1, func() { encodeRows(b, made, ours) }, nil},
			{x.Events, 1, func() { convertOnce(b, path, 1, selection.Selection{}) }, nil},
			{x.Events, 2, func() { convertOnce(b, path, 2, selection.Selection{}) }, nil},
		}
		for range rounds {
			for i := range stages {
				s := &stages[i]
				old := runtime.GOMAXPROCS(s.cores)
				start := time.Now()
				s.run()
				s.times = append(s.times, time.Since(start).Seconds())
				runtime.GOMAXPROCS(old)
			}
		}
		var rates [4]float64
		for i := range stages {
			slices.Sort(stages[i].times)
			rates[i] = float64(stages[i].events) / stages[i].times[len(stages[i].times)/2] / 1e6
		}
		fmt.Fprintf(&t, "| %s | %d | %.2f M/s | %.2f M/s | %.2f M/s | %.2f M/s | %.0f %% | %.0f %% |\n", source.name, x.File.Size()/x.Events,
			rates[0], rates[1], rates[2], rates[3], 100*rates[3]/2/rates[0], 100*rates[3]/2/rates[1])
	}
	fmt.Print(t.String())
}

// BenchmarkRatios prints the table of docs/benchmarks.md: each stage and the whole
// conversion, as medians of alternating rounds in one run. All figures are measured on
// one core, except the runs with two workers.
//
//	go test ./convert -run '^$' -bench Ratios -benchtime 1x -timeout 60m
func BenchmarkRatios(b *testing.B) {
	const rounds = 5
	plain := amplified(b, 1<<30, false)
	small := amplified(b, 10<<20, false)
	compressed := amplified(b, 256<<20, true)
	x := benchIndex(b, plain)
	smallEvents, compressedEvents := benchIndex(b, small).Events, benchIndex(b, compressed).Events
	headers, headerEvents := newDecoder(x, &headersOnly).events(b, 4)
	all := newDecoder(x, new(selection.Selection))
	made, rowEvents := all.events(b, 4)
	ours, library := all.files(b)

	type stage struct {
		name   string
		events int64
		bytes  int64
		cores  int
		alone  int // index of the stage that only encodes the same rows, or -1
		run    func()
		times  []float64
	}
	stages := []stage{
		{name: "encoder alone, header tables (library)", events: int64(headerEvents), cores: 1, alone: -1, run: func() { encodeRowsByLibrary(b, headers, library) }},
		{name: "encoder alone, header tables (ours)", events: int64(headerEvents), cores: 1, alone: 1, run: func() { encodeRows(b, headers, ours) }},
		{name: "encoder alone, all tables (ours)", events: int64(rowEvents), cores: 1, alone: 2, run: func() { encodeRows(b, made, ours) }},
		{name: "index pass (info)", events: x.Events, bytes: x.File.Size(), cores: 1, alone: -1, run: func() {
			if _, err := index.Build(context.Background(), x.File, index.Options{Workers: 1}); err != nil {
				b.Fatal(err)
			}
		}},
	}
	add := func(name, path string, events int64, alone int, s selection.Selection, cores ...int) {
		for _, n := range cores {
			stages = append(stages, stage{name: fmt.Sprintf("%s, %d worker(s)", name, n), events: events, cores: n, alone: alone, run: func() { convertOnce(b, path, n, s) }})
		}
	}
	add("header tables, 1 GB", plain, x.Events, 1, headersOnly, 1, 2)
	add("header tables, 10 MB", small, smallEvents, 1, headersOnly, 1)
	add("header tables, 256 MB compressed", compressed, compressedEvents, 1, headersOnly, 1, 2)
	add("all tables, 1 GB", plain, x.Events, 2, selection.Selection{}, 1, 2)
	for b.Loop() {
		for range rounds {
			for i := range stages {
				s := &stages[i]
				old := runtime.GOMAXPROCS(s.cores)
				start := time.Now()
				s.run()
				s.times = append(s.times, time.Since(start).Seconds())
				runtime.GOMAXPROCS(old)
			}
		}
	}
	rate := func(i int) float64 {
		slices.Sort(stages[i].times)
		return float64(stages[i].events) / stages[i].times[len(stages[i].times)/2]
	}
	var t strings.Builder
	fmt.Fprintf(&t, "\n| stage | Mevents/s | per core, of our encoder alone | per core, of the library's |\n|---|---|---|---|\n")
	for i := range stages {
		s := &stages[i]
		ofOurs, ofLibrary := "-", "-"
		if s.alone >= 0 {
			ofOurs = fmt.Sprintf("%.0f %%", 100*rate(i)/rate(s.alone)/float64(s.cores))
		}
		if s.alone <= 1 && s.bytes == 0 {
			ofLibrary = fmt.Sprintf("%.0f %%", 100*rate(i)/rate(0)/float64(s.cores))
		}
		fmt.Fprintf(&t, "| %s | %.2f | %s | %s |\n", s.name, rate(i)/1e6, ofOurs, ofLibrary)
	}
	fmt.Fprintf(&t, "\nindex pass: %.2f GB/s of uncompressed trace per core\n", rate(3)/float64(x.Events)*float64(x.File.Size())/1e9)
	fmt.Fprintf(&t, "two workers: %.2f times one (header tables), %.2f times one (compressed), %.2f times one (all tables)\n",
		rate(5)/rate(4), rate(8)/rate(7), rate(10)/rate(9))
	fmt.Fprintf(&t, "an event of 1 GB costs %.2f times one of 10 MB\n", rate(6)/rate(4))
	fmt.Fprintf(&t, "peak resident memory of the program on 1 GB, all tables, 2 workers: %s\n", peakMemory(b, plain))
	fmt.Print(t.String())
}

// peakMemory runs the program and returns its peak memory.
func peakMemory(b *testing.B, path string) string {
	program := filepath.Join(b.TempDir(), "etl2parquet")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/etl2parquet").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	command := exec.Command(program, "convert", path, "--workers", "2", "--quiet", "-o", filepath.Join(b.TempDir(), "out"))
	peak, err := residentPeak(command)
	if err != nil {
		b.Fatal(err)
	}
	return peak
}
