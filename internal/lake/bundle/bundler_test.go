package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// namedTrace is a trace to bundle.
type namedTrace struct {
	name string
	data io.ReaderAt
	size int64
	time time.Time
}

func named(name string, data []byte) namedTrace {
	return namedTrace{name, strings.NewReader(string(data)), int64(len(data)), time.Unix(1, 0)}
}

// mixedTraces returns small traces of many kinds, not sorted by name. Some have
// payload columns that no other trace has.
func mixedTraces(t testing.TB) []namedTrace {
	t.Helper()
	var list []namedTrace
	for i, shape := range []indextest.Shape{
		{Buffers: 6, Events: 40, Processors: 4, Time: func(_ *rand.Rand, b, e int) int64 { return int64(1000*b + 10*e) }},
		{Buffers: 3, Events: 30, Processors: 2, Compressed: true, Time: func(r *rand.Rand, _, _ int) int64 { return r.Int64N(3) }},
		{Buffers: 2, Events: 9, Processors: 1, Untimed: true, Time: func(_ *rand.Rand, b, e int) int64 { return int64(-1000*b - e) }},
		{Buffers: 12, Events: 60, Processors: 3, Time: func(r *rand.Rand, _, _ int) int64 { return r.Int64N(1e9) }},
	} {
		list = append(list, named(fmt.Sprintf("%c %d", "zyx"[i%3], i), indextest.RandomTrace(t, testenv.Seeded("mixed"), shape)))
	}
	for i, event := range []string{
		tl("E(Status:u32,S:struct(A:u8,T:cstr8)[])", "u32:1,u16:2,u8:1,chars8:x,u8:0,u8:2,chars8:y,u8:0"),
		tl("E(Status:u32,S:struct(A:u8,T:cstr8)[])", "u32:2,u16:1,u8:3,chars8:z,u8:0"),
		tl("E(Status:cstr8,List:u16[])", "chars8:text,u8:0,u16:2,u16:5|6"),
		tl("E(Status:u32,S:struct(A:u8,T:cstr8)[])", "u32:3,u16:0"),
	} {
		list = append(list, named(fmt.Sprintf("tl%d", i), etltest.MustParse(t, "trace\n"+event)))
	}
	return list
}

// outcomes has the result of each trace: an error, "converted" or "skipped".
type outcomes map[string]string

func (o outcomes) of(name string) Done {
	return func(r *Report, err error) {
		switch {
		case o[name] != "":
			o[name] += ", and again: "
		case err != nil:
			o[name] = err.Error()
			return
		}
		o[name] += "converted"
		if r.Skipped {
			o[name] = "skipped"
		}
	}
}

// bundleAll adds traces to a dataset, and rewrites changed bundles.
func bundleAll(ctx context.Context, t testing.TB, root string, target int64, traces []namedTrace, o Options) outcomes {
	t.Helper()
	d := openDataset(t, root)
	got := make(outcomes)
	c, err := d.Bundle(ctx, target)
	if err != nil {
		t.Fatal(err)
	}
	err = addAll(ctx, c, traces, o, got)
	if err == nil && ctx.Err() == nil {
		return got
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := c.Abandon(ctx); err != nil {
		t.Fatal(err)
	}
	return got
}

func addAll(ctx context.Context, c *Bundler, traces []namedTrace, o Options, got outcomes) error {
	for _, trace := range traces {
		p := c.Prepare(ctx, trace.input(), trace.name, o)
		err := c.Add(ctx, p, got.of(trace.name))
		p.Close()
		if err != nil {
			return err
		}
	}
	if err := c.Flush(ctx); err != nil {
		return err
	}
	again := c.Changed()
	for _, trace := range traces {
		if !again[trace.name] {
			continue
		}
		p := c.PrepareAgain(ctx, trace.input(), trace.name, o)
		err := c.AddAgain(ctx, p)
		p.Close()
		if err != nil {
			return err
		}
	}
	return c.Finish(ctx)
}

func (n *namedTrace) input() pipeline.Input {
	return pipeline.Input{Name: "/in/" + n.name + ".etl", ModTime: n.time, Size: n.size, Trace: n.data}
}

// bundledRows returns the rows of a dataset by table and trace, in file order.
func bundledRows(t testing.TB, files map[string]string) map[string]map[string][]parquettest.Row {
	t.Helper()
	tables := make(map[string]map[string][]parquettest.Row)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(file) != ".parquet" {
			continue
		}
		table := path.Dir(file)
		if tables[table] == nil {
			tables[table] = make(map[string][]parquettest.Row)
		}
		for _, row := range parquettest.Rows(t, []byte(files[file])) {
			trace := row["trace"]
			delete(row, "trace")
			maps.DeleteFunc(row, func(_, value string) bool { return value == "NULL" }) // or a column that other traces have
			tables[table][trace] = append(tables[table][trace], row)
		}
	}
	return tables
}

// lowLimits make row groups of few rows, and of every trace a large one.
var lowLimits = &limits{bundled: 6 << 10, held: 400}

// TestBundledRows checks that bundles have the same rows as separate parts, for any size of
// bundles and any limits.
func TestBundledRows(t *testing.T) {
	t.Parallel()
	traces := mixedTraces(t)
	for _, test := range []struct {
		name    string
		target  int64
		lower   *limits
		bundles int
	}{
		{"one trace per bundle", 1, nil, len(traces)},
		{"some bundles", 100 << 10, nil, 0},
		{"one bundle", math.MaxInt64, nil, 1},
		{"some large traces", math.MaxInt64, &limits{bundled: 500 << 10, large: 100 << 10, held: 36 << 10}, 1},
		{"everything at once", math.MaxInt64, lowLimits, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := testOptions
			o.lower = test.lower
			apart, together := t.TempDir(), t.TempDir()
			d := openDataset(t, apart)
			for _, trace := range traces {
				if _, err := d.Convert(t.Context(), trace.input(), trace.name, o); err != nil {
					t.Fatal(err)
				}
			}
			for trace, came := range bundleAll(t.Context(), t, together, test.target, traces, o) {
				if came != "converted" {
					t.Errorf("%s: %s", trace, came)
				}
			}
			files := testenv.Files(t, together)
			if diff := testenv.Diff(bundledRows(t, testenv.Files(t, apart)), bundledRows(t, files)); diff != "" {
				t.Error(diff)
			}
			records := 0
			for file := range files {
				if strings.HasPrefix(file, recordsName) {
					records++
				}
			}
			if test.bundles > 0 && records != test.bundles {
				t.Errorf("%d bundles, want %d", records, test.bundles)
			}
		})
	}
}

// TestBundledOrder checks that row groups declare their rows as sorted by trace exactly
// if they are.
func TestBundledOrder(t *testing.T) {
	t.Parallel()
	traces := mixedTraces(t)[:3]
	slices.SortFunc(traces, func(a, b namedTrace) int { return strings.Compare(a.name, b.name) })
	backwards := slices.Clone(traces)
	slices.Reverse(backwards)
	for name, test := range map[string]struct {
		traces []namedTrace
		sorted bool
	}{"by name": {traces, true}, "otherwise": {backwards, false}} {
		root := t.TempDir()
		bundleAll(t.Context(), t, root, math.MaxInt64, test.traces, testOptions)
		for file, data := range testenv.Files(t, root) {
			if path.Dir(file) != "event_header" {
				continue
			}
			f := parquettest.Open(t, []byte(data))
			columns := f.Schema().Columns()
			for _, group := range f.Metadata().RowGroups {
				var names []string
				for _, c := range group.SortingColumns {
					names = append(names, columns[c.ColumnIdx][0])
				}
				want := []string{"trace", "time_ns"}
				if !test.sorted {
					want = nil
				}
				if !slices.Equal(names, want) {
					t.Errorf("%s: sorted by %v, want %v", name, names, want)
				}
			}
		}
	}
}

// TestBundledWorkers checks that any number of workers gives the same bytes.
func TestBundledWorkers(t *testing.T) {
	t.Parallel()
	traces := mixedTraces(t)
	for _, lower := range []*limits{lowLimits, nil} {
		var want map[string]string
		for _, workers := range []int{1, 2, 7} {
			o := testOptions
			o.lower, o.Workers = lower, workers
			root := t.TempDir()
			bundleAll(t.Context(), t, root, 100<<10, traces, o)
			got := sums(testenv.Files(t, root))
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("limits %v, %d workers: %s", lower, workers, diff)
			}
		}
	}
}

// brokenAfter fails from the nth read on.
type brokenAfter struct {
	io.ReaderAt
	left atomic.Int64
}

func newBrokenAfter(r io.ReaderAt, reads int64) *brokenAfter {
	b := &brokenAfter{ReaderAt: r}
	b.left.Store(reads)
	return b
}

var errBroken = errors.New("the disk is broken")

func (b *brokenAfter) ReadAt(p []byte, at int64) (int, error) {
	if b.left.Add(-1) < 0 {
		return 0, errBroken
	}
	return b.ReaderAt.ReadAt(p, at)
}

// TestBundledFailure lets a trace fail at every read: the dataset is the same as without
// that trace.
func TestBundledFailure(t *testing.T) {
	t.Parallel()
	traces := mixedTraces(t)
	for _, lower := range []*limits{lowLimits, nil} {
		o := testOptions
		o.lower, o.Workers = lower, 1
		for _, at := range []int{0, 3} {
			without := t.TempDir()
			bundleAll(t.Context(), t, without, math.MaxInt64, slices.Delete(slices.Clone(traces), at, at+1), o)
			want := sums(testenv.Files(t, without))
			reads := newBrokenAfter(traces[at].data, math.MaxInt64)
			counted := slices.Clone(traces)
			counted[at].data = reads
			bundleAll(t.Context(), t, t.TempDir(), math.MaxInt64, counted, o)
			all := math.MaxInt64 - reads.left.Load()
			lefts := []int64{all / 2, all - 1, 0, all / 4, all * 3 / 4}
			if testing.Short() {
				lefts = lefts[:2]
			}
			for _, left := range lefts {
				list := slices.Clone(traces)
				list[at].data = newBrokenAfter(traces[at].data, left)
				root := t.TempDir()
				got := bundleAll(t.Context(), t, root, math.MaxInt64, list, o)
				if !strings.Contains(got[list[at].name], errBroken.Error()) {
					t.Errorf("%d reads: %v", left, got)
				}
				if diff := cmp.Diff(want, sums(testenv.Files(t, root))); diff != "" {
					t.Fatalf("limits %v, trace %d, %d reads: %s", lower, at, left, diff)
				}
			}
		}
	}
}

// TestBundledResume resumes an interrupted run: the dataset is the same as that of an
// undisturbed run.
func TestBundledResume(t *testing.T) {
	t.Parallel()
	traces := mixedTraces(t)
	undisturbed := t.TempDir()
	bundleAll(t.Context(), t, undisturbed, 100<<10, traces, testOptions)
	want := sums(testenv.Files(t, undisturbed))
	for at := range traces {
		ctx, cancel := context.WithCancel(t.Context())
		root := t.TempDir()
		list := slices.Clone(traces)
		end := &canceller{ReaderAt: list[at].data, cancel: cancel}
		end.left.Store(int64(3 * at))
		list[at].data = end
		bundleAll(ctx, t, root, 100<<10, list, testOptions)
		for file := range testenv.Files(t, root) {
			if strings.HasSuffix(file, ".tmp") {
				t.Errorf("%s is left", file)
			}
		}
		bundleAll(t.Context(), t, root, 100<<10, traces, testOptions)
		if diff := cmp.Diff(want, sums(testenv.Files(t, root))); diff != "" {
			t.Fatalf("at trace %d: %s", at, diff)
		}
		for trace, came := range bundleAll(t.Context(), t, root, 100<<10, traces, testOptions) {
			if came != "skipped" {
				t.Errorf("%s: %s", trace, came)
			}
		}
	}
}

// canceller ends a run at the nth read.
type canceller struct {
	io.ReaderAt
	left   atomic.Int64
	cancel func()
}

func (c *canceller) ReadAt(p []byte, at int64) (int, error) {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.ReaderAt.ReadAt(p, at)
}

// TestBundledAgain converts again after some traces have changed.
func TestBundledAgain(t *testing.T) {
	t.Parallel()
	all := mixedTraces(t)[:6]
	newer := func(i int) namedTrace {
		n := named(all[i].name, indextest.RandomTrace(t, testenv.Seeded("newer"), indextest.Shape{Buffers: 2, Events: 20, Processors: 2, Time: func(r *rand.Rand, _, _ int) int64 { return r.Int64N(3) }}))
		n.time = time.Unix(2, 0)
		return n
	}
	broken := named(all[1].name, []byte("no trace"))
	var inputs []string
	for _, i := range []int{0, 2, 3, 4, 5} {
		inputs = append(inputs, texts.ShellWord("/in/"+all[i].name+".etl"))
	}
	missing := "it was converted before, and shares files with traces that are not among the inputs: convert it together with " + strings.Join(inputs, " ")
	for name, test := range map[string]struct {
		traces []namedTrace
		force  bool
		want   outcomes // results other than "skipped"
		same   bool     // the files are unchanged
	}{
		"nothing":        {traces: all, same: true},
		"one of all":     {traces: slices.Replace(slices.Clone(all), 2, 3, newer(2)), want: outcomes{all[2].name: "converted"}},
		"one, alone":     {traces: []namedTrace{newer(1)}, want: outcomes{all[1].name: missing}, same: true},
		"a broken one":   {traces: slices.Replace(slices.Clone(all), 1, 2, broken), want: outcomes{all[1].name: "file offset 0x0: not an ETL trace: it has only 8 bytes"}, same: true},
		"with a new one": {traces: append(slices.Clone(all), named("new", indextest.RandomTrace(t, testenv.Seeded("new"), indextest.Shape{Buffers: 2, Events: 20, Processors: 2, Time: func(r *rand.Rand, _, _ int) int64 { return r.Int64N(3) }}))), want: outcomes{"new": "converted"}},
		"all, by force":  {traces: all, force: true, want: outcomes{all[0].name: "converted", all[1].name: "converted", all[2].name: "converted", all[3].name: "converted", all[4].name: "converted", all[5].name: "converted"}, same: true},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			o := testOptions
			bundleAll(t.Context(), t, root, math.MaxInt64, all, o)
			before := sums(testenv.Files(t, root))
			o.Force = test.force
			got := bundleAll(t.Context(), t, root, math.MaxInt64, test.traces, o)
			maps.DeleteFunc(got, func(_, came string) bool { return came == "skipped" })
			if test.want == nil {
				test.want = outcomes{}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			after := sums(testenv.Files(t, root))
			if same := maps.Equal(before, after); same != test.same {
				t.Errorf("the files are the same: %t", same)
			}
			// The dataset has exactly these traces.
			fresh := t.TempDir()
			bundleAll(t.Context(), t, fresh, math.MaxInt64, test.traces, testOptions)
			if !test.same {
				if diff := testenv.Diff(bundledRows(t, testenv.Files(t, fresh)), bundledRows(t, testenv.Files(t, root))); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// TestHostileBundles checks that invalid records of bundles are ignored, and that they
// never touch files outside the dataset.
func TestHostileBundles(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"../../x":                 `{"format":4,"part":"../../x","traces":[{"trace":"y 1"}]}`,
		"bundle_0123456789abcdef": `{"format":4,"part":"bundle_0123456789abcdeg","traces":[{"trace":"y 1"}]}`,
		"bundle_fedcba9876543210": `{"format":4,"part":"../bundle_fedcba9876543210","traces":[{"trace":"y 1"}]}`,
		"damaged":                 `{"format":4,"part":"bundle_fedcba9876543210"`,
	} {
		folder := t.TempDir()
		root := filepath.Join(folder, "out")
		precious := filepath.Join(folder, "x.json")
		record := filepath.Join(root, recordsName, path.Base(name)+".json")
		for file, contents := range map[string]string{precious: "{}", record: text} {
			testenv.WriteFile(t, file, contents)
		}
		for trace, came := range bundleAll(t.Context(), t, root, math.MaxInt64, mixedTraces(t)[:2], testOptions) {
			if came != "converted" {
				t.Errorf("%s: %s: %s", name, trace, came)
			}
		}
		if _, err := os.Stat(precious); err != nil {
			t.Error(name, err)
		}
	}
}

// TestHostileBundleFiles checks that rewriting a bundle keeps files that its record
// names but that belong to others.
func TestHostileBundleFiles(t *testing.T) {
	t.Parallel()
	traces := mixedTraces(t)[:2]
	folder := t.TempDir()
	root := filepath.Join(folder, "out")
	bundleAll(t.Context(), t, root, math.MaxInt64, traces, testOptions)
	records, err := filepath.Glob(filepath.Join(root, recordsName, "*.json"))
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	text := testenv.ReadFile(t, records[0])
	precious := filepath.Join(folder, "bundle_0123456789abcdef.parquet")
	testenv.WriteFile(t, precious, "{}")
	hostile := strings.Replace(string(text), `"files": [`, `"files": [{"table":"traces","file":"../bundle_0123456789abcdef.parquet","rows":1,"bytes":2},`, 1)
	testenv.WriteFile(t, records[0], hostile)
	o := testOptions
	o.Force = true
	for trace, came := range bundleAll(t.Context(), t, root, math.MaxInt64, traces, o) {
		if came != "converted" {
			t.Errorf("%s: %s", trace, came)
		}
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}
