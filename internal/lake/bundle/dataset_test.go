package bundle

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var testOptions = Options{Options: pipeline.Options{Workers: 2, Memory: pipeline.DefaultMemory}, Tool: "test"}

func openDataset(t testing.TB, root string) *Dataset {
	t.Helper()
	d, err := OpenDataset(root)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// newDataset converts a trace into a new dataset, as "t".
func newDataset(t testing.TB, path string) (root string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "out")
	convertTo(t, root, path, testOptions)
	return root
}

// recordIn returns a dataset, and the record of the trace in it.
func recordIn(t *testing.T, root string) (*Dataset, *dataset.Recorded) {
	t.Helper()
	d := openDataset(t, root)
	record, err := d.Record(t.Context(), "t")
	if err != nil || record == nil {
		t.Fatal(record, err)
	}
	return d, record
}

// TestDataset compares the files of a conversion with its record.
func TestDataset(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "a.etl", indextest.RandomTrace(t, testenv.Seeded("dataset"), indextest.Shapes["in order"]))
	root := filepath.Join(t.TempDir(), "out")
	report := convertTo(t, root, path, testOptions)
	d, record := recordIn(t, root)
	files := testenv.Files(t, root)
	var want []string
	for _, f := range record.Files {
		data := files[f.File]
		if int64(len(data)) != f.Bytes {
			t.Errorf("%s has %d bytes, the record says %d", f.File, len(data), f.Bytes)
		}
		if rows := parquettest.Open(t, []byte(data)).NumRows(); rows != f.Rows {
			t.Errorf("%s has %d rows, the record says %d", f.File, rows, f.Rows)
		}
		if sum := parquet.Checksum(0).Add([]byte(data)).String(); sum != f.CRC32C {
			t.Errorf("%s has the checksum %s, the record says %s", f.File, sum, f.CRC32C)
		}
		want = append(want, f.File)
	}
	want = append(want, "_traces/t.json")
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSortedFunc(record.Files, func(a, b dataset.RecordFile) int { return strings.Compare(a.File, b.File) }) {
		t.Errorf("the files of the record are not in order: %v", record.Files)
	}
	x := indextest.File(t, path)
	if report.Events != x.Events || report.Rows != x.Events || record.Events != x.Events {
		t.Errorf("%d events, %d rows, %d events in the record, want %d", report.Events, report.Rows, record.Events, x.Events)
	}
	if record.SHA256 != "" || record.ChunksXXH3 == "" || record.InputSize != x.File.Size() || record.Trace != "t" || record.Tool != "test" || filepath.FromSlash(record.Input) != path {
		t.Errorf("%+v", record)
	}
	if whole, err := d.Whole(t.Context(), record); err != nil || !whole {
		t.Error("the dataset is not whole")
	}
	// A list without elements is []. Only a provider may lack a GUID, or a name.
	for line := range strings.Lines(files["_traces/t.json"]) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), ": "); strings.HasPrefix(value, "null") && name != `"provider_id"` && name != `"provider_name"` {
			t.Errorf("null in the record: %s", line)
		}
	}
}

// TestSecondRun converts again, with or without a change.
func TestSecondRun(t *testing.T) {
	t.Parallel()
	data := indextest.RandomTrace(t, testenv.Seeded("dataset"), indextest.Shapes["in order"])
	for name, test := range map[string]struct {
		change  func(t *testing.T, root, path string, o *Options)
		skipped bool
	}{
		"nothing": {func(*testing.T, string, string, *Options) {}, true},
		"workers": {func(_ *testing.T, _, _ string, o *Options) { o.Workers = 1 }, true},
		"time": {func(t *testing.T, _, path string, _ *Options) {
			if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
				t.Fatal(err)
			}
		}, true},
		"contents": {func(t *testing.T, _, path string, _ *Options) {
			other := slices.Clone(data)
			other[len(other)-1] ^= 1 // in unused space
			testenv.WriteFile(t, path, other)
			if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}, false},
		"size": {func(t *testing.T, _, path string, _ *Options) {
			testenv.WriteFile(t, path, append(data[:len(data):len(data)], make([]byte, 4096)...))
		}, false},
		"force":  {func(_ *testing.T, _, _ string, o *Options) { o.Force = true }, false},
		"tool":   {func(_ *testing.T, _, _ string, o *Options) { o.Tool = "newer" }, false},
		"memory": {func(_ *testing.T, _, _ string, o *Options) { o.Memory /= 2 }, true},
		"other options, by force": {func(_ *testing.T, _, _ string, o *Options) {
			o.Payload, o.Compression, o.Selection.Tables, o.Force = rows.PayloadNone, "none", []string{"event_*"}, true
		}, false},
		"file deleted": {func(t *testing.T, root, _ string, _ *Options) {
			if err := os.Remove(filepath.Join(root, partPath("event_header", "t"))); err != nil {
				t.Fatal(err)
			}
		}, false},
		"file cut": {func(t *testing.T, root, _ string, _ *Options) {
			if err := os.Truncate(filepath.Join(root, partPath("event_header", "t")), 10); err != nil {
				t.Fatal(err)
			}
		}, false},
		"record deleted": {func(t *testing.T, root, _ string, _ *Options) {
			if err := os.Remove(filepath.Join(root, recordPath("t"))); err != nil {
				t.Fatal(err)
			}
		}, false},
		"record damaged": {func(t *testing.T, root, _ string, _ *Options) {
			testenv.WriteFile(t, filepath.Join(root, recordPath("t")), "{")
		}, false},
		"record without a format": {func(t *testing.T, root, _ string, _ *Options) {
			testenv.WriteFile(t, filepath.Join(root, recordPath("t")), `{"format": 0}`)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := indextest.Write(t, "a.etl", data)
			root := newDataset(t, path)
			before, first := testenv.Files(t, root), convertTo(t, root, path, testOptions)
			if !first.Skipped {
				t.Fatal("the second run is not skipped")
			}
			o := testOptions
			test.change(t, root, path, &o)
			report := convertTo(t, root, path, o)
			if report.Skipped != test.skipped {
				t.Errorf("skipped: %t, want %t", report.Skipped, test.skipped)
			}
			if report.Events != first.Events || test.skipped && (report.Rows != first.Rows || len(report.Files) != len(first.Files)) {
				t.Errorf("report %+v, want %+v", report, first)
			}
			d, record := recordIn(t, root)
			if whole, err := d.Whole(t.Context(), record); err != nil || !whole {
				t.Errorf("the dataset is not whole: %v", err)
			}
			if test.skipped {
				if diff := cmp.Diff(sums(before), sums(testenv.Files(t, root))); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// TestStaleFiles converts a trace that no longer has rows in some tables.
func TestStaleFiles(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "a.etl", indextest.RandomTrace(t, testenv.Seeded("stale"), indextest.Shapes["in order"]))
	root := newDataset(t, path)
	other := newTraceOfEvents(t, 3)
	testenv.WriteFile(t, path, other)
	convertTo(t, root, path, testOptions)
	fresh := newDataset(t, path)
	if diff := cmp.Diff(sums(testenv.Files(t, fresh)), sums(testenv.Files(t, root))); diff != "" {
		t.Errorf("-converted into a new dataset +converted again:\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(root, "message_trace_header")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder is left: %v", err)
	}
}

func newTraceOfEvents(t testing.TB, n int) []byte {
	t.Helper()
	var trace etltest.Trace
	stream := trace.Stream()
	for i := range n {
		if err := stream.Add(0, &etltest.Event{Kind: etltest.Event64, Time: int64(i), ID: uint16(i)}); err != nil {
			t.Fatal(err)
		}
	}
	stream.Flush()
	return trace.MustBytes(t)
}

// unchangedBy checks that a conversion fails and leaves the dataset as it was.
func unchangedBy(t *testing.T, root string, convert func(d *Dataset) error, want error) {
	t.Helper()
	d := openDataset(t, root)
	before := sums(testenv.Files(t, root))
	err := convert(d)
	if err == nil || want != nil && !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
	if diff := cmp.Diff(before, sums(testenv.Files(t, root))); diff != "" {
		t.Errorf("-before +after a conversion that failed with %v:\n%s", err, diff)
	}
}

// TestFailure runs conversions that fail, in an empty dataset and in one where the trace
// was converted before.
func TestFailure(t *testing.T) {
	t.Parallel()
	good := indextest.Write(t, "a.etl", indextest.RandomTrace(t, testenv.Seeded("failure"), indextest.Shapes["in order"]))
	damaged := indextest.Write(t, "b.etl", etltest.MustParse(t, "event64 id=1\nevent64 id=2 marker=0"))
	notETL := indextest.Write(t, "c.etl", []byte(strings.Repeat("no trace ", 1000)))
	strict, wrong := testOptions, testOptions
	strict.Strict, strict.Force = true, true
	wrong.Compression = "zip"
	redo := testOptions
	redo.Force = true
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	inPlace := func(path string) func(t *testing.T, root string) {
		return func(t *testing.T, root string) { // a folder that cannot be overwritten
			if err := os.MkdirAll(filepath.Join(root, path, "x"), 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	nothing := func(*testing.T, string) {}
	for name, test := range map[string]struct {
		prepare func(t *testing.T, root string)
		ctx     context.Context
		input   string
		o       Options
		want    error
		fresh   bool // only in an empty dataset
	}{
		"no file":     {nothing, nil, "nowhere.etl", redo, fs.ErrNotExist, false},
		"a folder":    {nothing, nil, filepath.Dir(good), redo, nil, false},
		"not a trace": {nothing, nil, notETL, redo, decode.ErrNotETL, false},
		"strict":      {nothing, nil, damaged, strict, pipeline.ErrStrict, false},
		"codec":       {nothing, nil, good, wrong, nil, false},
		"cancelled":   {nothing, cancelled, good, redo, context.Canceled, false},
		"table cannot be opened": {func(t *testing.T, root string) {
			if err := os.MkdirAll(root, 0o777); err != nil {
				t.Fatal(err)
			}
			testenv.WriteFile(t, filepath.Join(root, "message_trace_header"), "")
		}, nil, good, redo, nil, true},
		"fixed table cannot be opened": {inPlace("problems/.t.parquet.tmp"), nil, indextest.Write(t, "d.etl", etltest.MustParse(t, "trace unfinalised\nevent64")), redo, nil, false},
		"table cannot be created":      {inPlace("event_header/.t.parquet.tmp"), nil, good, redo, nil, false},
		"record cannot be created":     {inPlace("_traces/.t.json.tmp"), nil, good, redo, nil, false},
		"file cannot be named":         {inPlace("message_trace_header/t.parquet"), nil, good, redo, nil, true},
		"record cannot be named":       {inPlace("_traces/t.json"), nil, good, redo, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.ctx == nil {
				test.ctx = context.Background()
			}
			convert := func(d *Dataset) error {
				_, err := convertFile(test.ctx, d, test.input, "t", test.o)
				return err
			}
			root := filepath.Join(t.TempDir(), "out")
			test.prepare(t, root)
			unchangedBy(t, root, convert, test.want)
			if test.fresh {
				return
			}
			root = newDataset(t, good)
			test.prepare(t, root)
			unchangedBy(t, root, convert, test.want)
		})
	}
}

// TestCancel cancels conversions at any moment.
func TestCancel(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "a.etl", indextest.RandomTrace(t, testenv.Seeded("cancel"), indextest.Shape{
		Buffers: 300, Events: 60, Processors: 4, Time: func(_ *rand.Rand, b, e int) int64 { return int64(1000*b + 10*e) }}))
	root := newDataset(t, path)
	converted := sums(testenv.Files(t, root))
	o := testOptions
	o.Force = true
	times := testenv.Times(t, 9, 30, 60, 200)
	r := rand.New(rand.NewPCG(5, 6))
	failed := 0
	for i := range times {
		o.Workers = 1 + i%3
		d := openDataset(t, root)
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.Int64N(int64(40*time.Millisecond))))
		_, err := convertFile(ctx, d, path, "t", o)
		cancel()
		if err != nil {
			failed++
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
		}
		if diff := cmp.Diff(converted, sums(testenv.Files(t, root))); diff != "" {
			t.Fatalf("after %v:\n%s", err, diff)
		}
	}
	t.Logf("%d of %d conversions were cancelled", failed, times)
}

// TestCancelAt cancels a conversion at a given progress.
func TestCancelAt(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "a.etl", indextest.RandomTrace(t, testenv.Seeded("cancel"), indextest.Shapes["300 processors"]))
	for name, reached := range map[string]func(p *pipeline.Progress) bool{
		"at the start":  func(*pipeline.Progress) bool { return true },
		"while indexed": func(p *pipeline.Progress) bool { return p.IndexedBytes.Load() > 0 },
		"when indexed": func(p *pipeline.Progress) bool {
			return p.IndexedBytes.Load() == p.FileBytes.Load() && p.FileBytes.Load() > 0
		},
		"converting": func(p *pipeline.Progress) bool { return p.Converted.Load() > 0 },
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "out")
			d := openDataset(t, root)
			ctx, cancel := context.WithCancel(context.Background())
			o := testOptions
			o.Progress = new(pipeline.Progress)
			done := make(chan struct{})
			go func() {
				defer cancel()
				for !reached(o.Progress) {
					select {
					case <-done:
						return
					case <-time.After(10 * time.Microsecond):
					}
				}
			}()
			_, err := convertFile(ctx, d, path, "t", o)
			close(done)
			if err == nil {
				return // the conversion was faster
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			if files := testenv.Files(t, root); len(files) > 0 {
				t.Errorf("files left: %v", sums(files))
			}
		})
	}
}

// removeTrace removes a trace's record, like a run that is killed afterwards, and cleans
// the dataset.
func removeTrace(t *testing.T, root string, d *Dataset, trace string) {
	t.Helper()
	removeFrom(t, root, recordPath(trace))
	if _, err := d.Clean(t.Context(), dataset.CleanOptions{}, func(*dataset.Stray) {}); err != nil {
		t.Fatal(err)
	}
}

// TestTwoTraces checks that the traces of a dataset do not affect each other.
func TestTwoTraces(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	d := openDataset(t, root)
	for _, trace := range []string{"a", "b"} {
		if _, err := convertFile(context.Background(), d, indextest.Write(t, trace+".etl", indextest.RandomTrace(t, testenv.Seeded(trace), indextest.Shapes["in order"])), trace, testOptions); err != nil {
			t.Fatal(err)
		}
	}
	before := sums(testenv.Files(t, root))
	removeTrace(t, root, d, "a")
	for path := range before {
		if strings.HasSuffix(path, "/a.parquet") || path == recordPath("a") {
			delete(before, path)
		}
	}
	if diff := cmp.Diff(before, sums(testenv.Files(t, root))); diff != "" {
		t.Error(diff)
	}
	removeTrace(t, root, d, "b")
	if files := testenv.Files(t, root); len(files) > 0 {
		t.Errorf("left: %v", sums(files))
	}
	for _, table := range schema.Tables() {
		if _, err := os.Stat(filepath.Join(root, table.Name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("folder %s is left", table.Name)
		}
	}
}
