package dataset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestRecord checks the records that are found, by trace, in a damaged dataset.
func TestRecord(t *testing.T) {
	var b strings.Builder
	for _, damage := range damages {
		m := smallDataset(t)
		damage.do(m)
		d := loaded(t, m)
		fmt.Fprintf(&b, "%s:", damage.name)
		for _, trace := range []string{"a", "A", "b", "c", "d", "e", aBundle} {
			r, err := d.Record(t.Context(), trace)
			switch {
			case err != nil:
				fmt.Fprintf(&b, " %s (%v)", trace, err)
			case r != nil:
				whole, err := d.Whole(t.Context(), r)
				again, err2 := d.Whole(t.Context(), r) // remembered, of a bundle
				if err := errors.Join(err, err2); err != nil || whole != again {
					t.Errorf("%s: whole: %t, then %t, %v", damage.name, whole, again, err)
				}
				fmt.Fprintf(&b, " %s whole %t", trace, whole)
				if r.IsBundled() != (r.Part == aBundle) || (d.BundleOf(trace) != nil) != r.IsBundled() || r.Trace != trace {
					t.Errorf("%s: %s: %+v", damage.name, trace, r)
				}
			}
		}
		traces, err := d.Traces(t.Context())
		if err != nil {
			t.Errorf("%s: %v", damage.name, err)
		}
		has, err := d.HasRecords(t.Context())
		if err != nil {
			t.Errorf("%s: %v", damage.name, err)
		}
		if err := d.Exists(t.Context()); err != nil {
			t.Errorf("%s: %v", damage.name, err)
		}
		fmt.Fprintf(&b, "; traces %s, records %t\n", strings.Join(slices.Sorted(maps.Keys(traces)), " "), has)
	}
	golden(t, "records", shortNames.Replace(b.String()))
}

// TestLoad loads datasets of earlier and later versions.
func TestLoad(t *testing.T) {
	record := `{"format": %d, "part": %q, "traces": [{"trace": "t"}, {"trace": "U"}]}`
	for _, test := range []struct {
		name   string
		files  map[string]string
		err    error
		traces string // that it has
		find   error  // for t
	}{
		{"nothing", nil, nil, "", nil},
		{"the oldest layout, without records", map[string]string{"event_header/trace=t/part.parquet": "x"}, ErrOldLayout, "", nil},
		{"the oldest layout, with a damaged record", map[string]string{"events/P/E/trace=t/part.parquet": "x", "_traces/t.json": "{"}, ErrOldLayout, "", nil},
		{"a folder with the name of one, of no table", map[string]string{"mine/trace=t/part.parquet": "x", "event_header/x=t/part.parquet": "x"}, nil, "", nil},
		{"an old trace", map[string]string{"_traces/t.json": fmt.Sprintf(record, 3, "t")}, ErrOldLayout, "", nil},
		{"the first format", map[string]string{"_traces/t.json": fmt.Sprintf(record, 1, "t")}, ErrOldLayout, "", nil},
		{"an old bundle", map[string]string{recordFile(aBundle): fmt.Sprintf(record, 3, aBundle)}, ErrOldLayout, "", nil},
		{"a new trace and a damaged record in an old folder", map[string]string{"_traces/s.json": `{"format": 4}`, "_traces/x.json": "{", "event_header/trace=t/part.parquet": "x"}, nil, "s x", nil},
		{"a new trace in an old folder", map[string]string{"_traces/s.json": `{"format": 4}`, "event_header/trace=t/part.parquet": "x"}, nil, "s", nil},
		{"a bundle in an old folder", map[string]string{recordFile(aBundle): fmt.Sprintf(record, 4, aBundle), "event_header/trace=t/part.parquet": "x"}, nil, "t u", nil},
		{"a bundle", map[string]string{recordFile(aBundle): fmt.Sprintf(record, 4, aBundle)}, nil, "t u", nil},
		{"two bundles with one trace", map[string]string{recordFile(aBundle): fmt.Sprintf(record, 4, aBundle), recordFile(otherBundle): fmt.Sprintf(record, 4, otherBundle)}, nil, "t u", nil},
		{"a bundle with the record of another", map[string]string{recordFile(aBundle): fmt.Sprintf(record, 4, otherBundle)}, nil, "", nil},
		{"a damaged bundle", map[string]string{recordFile(aBundle): "{"}, nil, "", nil},
		{"a bundle of a later version", map[string]string{recordFile(aBundle): fmt.Sprintf(record, 5, aBundle)}, nil, "t u", errRecord},
		{"a trace of a later version", map[string]string{"_traces/t.json": fmt.Sprintf(record, 5, "t")}, nil, "t", errRecord},
		{"other files beside records", map[string]string{"_traces/notes.txt": "x", "_traces/x/t.json": "x"}, nil, "", nil},
		{"a record that is too large", map[string]string{"_traces/t.json": strings.Repeat(" ", MaxRecord) + fmt.Sprintf(record, 3, "t")}, nil, "t", nil},
	} {
		if testing.Short() && len(test.files) == 1 && len(test.files["_traces/t.json"]) > MaxRecord {
			continue // it takes a tenth of a second
		}
		t.Run(test.name, func(t *testing.T) {
			m := new(storetest.Memory)
			for name, contents := range test.files {
				m.Put(name, contents, time.Now())
			}
			d := New(m)
			for range 2 {
				if err := d.Load(t.Context()); !errors.Is(err, test.err) || test.err == nil && err != nil {
					t.Fatalf("error %v, want %v", err, test.err)
				}
			}
			if test.err != nil {
				if _, err := d.Traces(t.Context()); !errors.Is(err, test.err) {
					t.Errorf("traces: error %v", err)
				}
				if _, err := d.Record(t.Context(), "t"); !errors.Is(err, test.err) {
					t.Errorf("record: error %v", err)
				}
				return
			}
			traces, err := d.Traces(t.Context())
			if got := strings.Join(slices.Sorted(maps.Keys(traces)), " "); err != nil || got != test.traces {
				t.Errorf("traces %q, %v, want %q", got, err, test.traces)
			}
			if len(test.files["_traces/t.json"]) > MaxRecord {
				return
			}
			r, err := d.Record(t.Context(), "t")
			if !errors.Is(err, test.find) || test.find == nil && err != nil {
				t.Errorf("record of t: %v, %v", r, err)
			}
			if strings.HasSuffix(test.name, "bundles with one trace") && r.Part != otherBundle {
				t.Errorf("the trace is in %s", r.Part)
			}
			var later *LaterError
			if errors.As(err, &later) && later.Format != 5 {
				t.Errorf("format %d", later.Format)
			}
		})
	}
}

// TestExists checks stores without a dataset, and stores that may have one.
func TestExists(t *testing.T) {
	for name, test := range map[string]struct {
		do  func(*storetest.Memory)
		has bool
	}{
		"nothing": {func(*storetest.Memory) {}, false}, "a folder": {emptyFolder("x/"), true}, "a file": {put("x", ""), true},
	} {
		m := new(storetest.Memory)
		test.do(m)
		if err := New(m).Exists(t.Context()); (err == nil) != test.has {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New(smallDataset(t)).Exists(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := New(smallDataset(t)).HasRecords(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := New(smallDataset(t)).Load(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestTables checks the tables of a dataset and their order. Tables created after the first call are
// not among the earlier ones.
func TestTables(t *testing.T) {
	m := new(storetest.Memory)
	for _, name := range []string{"events/Z/A", "events/A/B", "events/Thread/CSwitch", "system_trace_header", "traces", "mine", "mine/x", "events/deep/er/x"} {
		m.Put(name+"/t.parquet", "", time.Now())
	}
	d := New(m)
	want := []string{"traces", "system_trace_header", "events/Thread/CSwitch", "events/A/B", "events/Z/A", "events/deep/er"}
	for range 2 {
		got, err := d.earlierTables(t.Context())
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v, -want +got:\n%s", err, diff)
		}
		m.Put("buffers/t.parquet", "", time.Now())
	}
	now, err := d.tables(t.Context())
	slices.Sort(now)
	if want = slices.Sorted(slices.Values(append(want, "buffers"))); err != nil || !slices.Equal(now, want) {
		t.Errorf("%q, %v", now, err)
	}
}

// TestNames checks the kinds of files and folders in a dataset by their names.
func TestNames(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{
		"", "views.sql", "x/views.sql", "_traces", "_traces/t.json", "_traces/t.txt", "_traces/x/t.json", "_traces/" + aBundle + ".json",
		"traces", "TRACES", "traces/t.parquet", "traces/t_1.parquet", "traces/" + aBundle + ".parquet", "traces/" + aBundle + "_12.parquet", "traces/" + aBundle + "x.parquet",
		"traces/.parquet", "traces/.t.parquet", "traces/_t.parquet", "traces/t.csv", "traces/x/t.parquet", "traces//t.parquet", "traces/../traces/t.parquet", "../traces/t.parquet", "/traces/t.parquet",
		"events", "events/P", "events/P/E", "events/P/E/F", "eventsX", "events/t.parquet", "events/P/t.parquet", "events/P/E/t.parquet", "events/P/E/F/t.parquet", "mine", "mine/x", "mine/t.parquet", "mine/x/t.parquet",
	} {
		var is []string
		for _, kind := range []struct {
			name string
			is   bool
		}{
			{"own file", isOwnFile(name)}, {"record", isRecordFile(name)}, {"part file", isPartFile(name)}, {"own folder", isOwnFolder(name)}, {"table", isTableFolder(name)},
		} {
			if kind.is {
				is = append(is, kind.name)
			}
		}
		if isPartFile(name) {
			is = append(is, "of "+partOfFile(name), fmt.Sprintf("bundle %t", isBundle(partOfFile(name))))
		}
		fmt.Fprintf(&b, "%q: %s\n", name, strings.Join(is, ", "))
	}
	golden(t, "names", shortNames.Replace(b.String()))
	for number, want := range []string{"events/P/E/t.parquet", "events/P/E/t_1.parquet", "events/P/E/t_2.parquet"} {
		if got := partFile("events/P/E", "t", number); got != want {
			t.Errorf("file %d is %s, want %s", number, got, want)
		}
	}
}

// TestWhole checks that the files of a bundle are looked up once, as its traces share them, and the
// files of a trace each time.
func TestWhole(t *testing.T) {
	for trace, file := range map[string]string{"a": "event_header/a.parquet", "c": "event_header/" + aBundle + ".parquet"} {
		m := smallDataset(t)
		d := loaded(t, m)
		r, err := d.Record(t.Context(), trace)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []bool{true, r.IsBundled()} {
			if whole, err := d.Whole(t.Context(), r); err != nil || whole != want {
				t.Errorf("trace %s: whole %t, %v, want %t", trace, whole, err, want)
			}
			removed(file)(m)
		}
		if whole, err := loaded(t, m).Whole(t.Context(), r); r.IsBundled() && (err != nil || whole) {
			t.Errorf("trace %s, opened again: whole %t, %v", trace, whole, err)
		}
	}
}

// TestOpen opens a dataset in a folder, which it creates, and one whose folder is a file.
func TestOpen(t *testing.T) {
	root := filepath.Join(t.TempDir(), "out")
	d, err := Open(root)
	if err != nil || d == nil {
		t.Fatal(err)
	}
	if traces, err := d.Traces(t.Context()); err != nil || len(traces) > 0 {
		t.Errorf("traces %v, %v", traces, err)
	}
	file := filepath.Join(root, "file")
	testenv.WriteFile(t, file, "")
	if _, err := Open(file); err == nil {
		t.Error("a file is no folder")
	}
}
