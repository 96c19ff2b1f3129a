package dataset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// smallDataset has the traces a and b, and a bundle of the traces c and d.
func smallDataset(t testing.TB) *storetest.Memory {
	t.Helper()
	m := new(storetest.Memory)
	commit(t, m, "a", tables{"traces": 1, "event_header": 3, "events/P/E": 2})
	commit(t, m, "b", tables{"traces": 1, "event_header": 4})
	commitBundle(t, m, aBundle, tables{"traces": 2, "event_header": 5}, "c", "d")
	m.Put(viewsFile, "views", time.Now())
	m.Log()
	return m
}

// damage is a change of smallDataset.
type damage struct {
	name string
	do   func(m *storetest.Memory)
}

// edit replaces text in a file.
func edit(name string, oldNew ...string) func(*storetest.Memory) {
	return func(m *storetest.Memory) {
		text := m.Files()[name]
		for i := 0; i < len(oldNew); i += 2 {
			if !strings.Contains(text, oldNew[i]) {
				panic(oldNew[i] + " is not in " + text)
			}
			text = strings.ReplaceAll(text, oldNew[i], oldNew[i+1])
		}
		m.Put(name, text, time.Now())
	}
}

// put adds a file.
func put(name, contents string) func(*storetest.Memory) {
	return func(m *storetest.Memory) { m.Put(name, contents, time.Now()) }
}

// copied adds a copy of a file that a commit wrote.
func copied(name string) func(*storetest.Memory) {
	return func(m *storetest.Memory) { m.Put(name, m.Files()["event_header/a.parquet"], time.Now()) }
}

// removed removes files.
func removed(names ...string) func(*storetest.Memory) {
	return func(m *storetest.Memory) {
		if err := m.Remove(context.Background(), names...); err != nil {
			panic(err)
		}
	}
}

// begun leaves a temporary file.
func begun(name string) func(*storetest.Memory) {
	return func(m *storetest.Memory) {
		if _, err := m.Create(context.Background(), name); err != nil {
			panic(err)
		}
	}
}

func emptyFolder(name string) func(*storetest.Memory) {
	return func(m *storetest.Memory) { m.EmptyFolders = append(m.EmptyFolders, name) }
}

var damages = []damage{
	{"nothing", func(*storetest.Memory) {}},
	{"a file is missing", removed("event_header/a.parquet")},
	{"a file is shorter", func(m *storetest.Memory) {
		m.Put("event_header/a.parquet", m.Files()["event_header/a.parquet"][1:], time.Now())
	}},
	{"a file is no Parquet", func(m *storetest.Memory) {
		m.Put("event_header/a.parquet", strings.Repeat("x", len(m.Files()["event_header/a.parquet"])), time.Now())
	}},
	{"a file has other contents", func(m *storetest.Memory) {
		b := []byte(m.Files()["event_header/a.parquet"])
		b[10] ^= 1
		m.Put("event_header/a.parquet", string(b), time.Now())
	}},
	{"a record counts fewer rows", edit(recordFile("a"), `"rows": 3,
      "bytes"`, `"rows": 2,
      "bytes"`)},
	{"a record counts more events", edit(recordFile("a"), `"events": 3`, `"events": 4`)},
	{"a record counts more events, of which some are selected", edit(recordFile("a"), `"events": 3`, `"events": 4`, `"payload": ""`, `"payload": "", "to": "1s"`)},
	{"a record counts fewer events", edit(recordFile("a"), `"events": 3`, `"events": 2`)},
	{"a record counts fewer events, of which some are selected", edit(recordFile("a"), `"events": 3`, `"events": 2`, `"payload": ""`, `"payload": "", "from": "1s"`)},
	{"a record counts fewer events than payloads", edit(recordFile("a"), `"events": 3`, `"events": 1`, `"payload": ""`, `"payload": "", "columns": ["x"]`)},
	{"a record without the table traces", edit(recordFile("a"), `"table": "traces"`, `"table": "buffers"`, `"file": "traces/`, `"file": "buffers/`)},
	{"a record without the table traces, which is not selected", edit(recordFile("a"), `"table": "traces"`, `"table": "buffers"`, `"file": "traces/`, `"file": "buffers/`, `"payload": ""`, `"payload": "", "tables": ["x"]`)},
	{"a record is no JSON", edit(recordFile("a"), "{", "[")},
	{"a record of a later version", edit(recordFile("a"), `"format": 4`, `"format": 5`)},
	{"a record without a format", edit(recordFile("a"), `"format": 4`, `"format": 0`)},
	{"a record of another part", edit(recordFile("a"), `"part": "a"`, `"part": "b"`)},
	{"a record of two traces with the name of a trace", edit(recordFile("a"), `"traces": [`, `"traces": [{"trace": "e"},`)},
	{"a record of another trace", edit(recordFile("a"), `"trace": "a"`, `"trace": "e"`)},
	{"a record names a file of another part", edit(recordFile("a"), `"file": "traces/a.`, `"file": "traces/b.`)},
	{"a record names a file of another table", edit(recordFile("a"), `"file": "traces/a.`, `"file": "buffers/a.`)},
	{"a record names a file outside", edit(recordFile("a"), `"file": "traces/a.`, `"file": "../traces/a.`)},
	{"a record names a file twice", edit(recordFile("a"), `"table": "traces"`, `"table": "event_header"`, `"file": "traces/a.`, `"file": "event_header/a.`)},
	{"a record with fewer than no rows", edit(recordFile("a"), `"rows": 2,`, `"rows": -2,`)},
	{"a record with fewer than no bytes", edit(recordFile("a"), `"bytes": 1`, `"bytes": -1`)},
	{"a record without a checksum", edit(recordFile("a"), `"crc32c": "`, `"crc32c": "", "x": "`)},
	{"a trace of two parts", edit(recordFile(aBundle), `"trace": "d"`, `"trace": "b"`)},
	{"no record", removed(recordFile("a"))},
	{"no record of a bundle", removed(recordFile(aBundle))},
	{"no records", removed(recordFile("a"), recordFile("b"), recordFile(aBundle))},
	{"no records that can be read", func(m *storetest.Memory) {
		for _, part := range []string{"a", "b", aBundle} {
			put(recordFile(part), "{")(m)
		}
	}},
	{"no views", removed(viewsFile)},
	{"files without a part", func(m *storetest.Memory) {
		for _, name := range []string{"traces/e.parquet", "events/P/E/e_1.parquet", "traces/" + otherBundle + ".parquet", "events/X/Y/a.parquet"} {
			copied(name)(m)
		}
	}},
	{"files of other programs", func(m *storetest.Memory) {
		for _, name := range []string{
			"traces/mine.parquet", "events/P/E/mine.parquet", "events/P/mine.parquet", "events/mine.parquet", "traces/x/mine.parquet", "traces/.mine.parquet", "traces/mine.csv",
			"mine/x.parquet", "mine.parquet", "_traces/notes.txt", "_traces/x/a.json",
		} {
			put(name, "mine")(m)
		}
	}},
	{"temporary files", func(m *storetest.Memory) {
		for _, name := range []string{"traces/e.parquet", recordFile("e"), viewsFile, "mine/x.parquet"} {
			begun(name)(m)
		}
	}},
	{"empty folders", func(m *storetest.Memory) {
		for _, name := range []string{"buffers/", "events/", "events/Q/", "events/Q/E/", "events/Q/E/x/", "_traces/", "mine/", "traces/x/"} {
			emptyFolder(name)(m)
		}
	}},
}

// TestCheck has the findings of checks, and what is removed by a run that begins.
func TestCheck(t *testing.T) {
	var b strings.Builder
	for _, damage := range damages {
		fmt.Fprintf(&b, "%s\n", damage.name)
		var lines [2][]string
		for i, fast := range []bool{true, false} {
			m := smallDataset(t)
			damage.do(m)
			result, err := loaded(t, m).Check(t.Context(), CheckOptions{Fast: fast}, func(f *Finding) error {
				lines[i] = append(lines[i], fmt.Sprintf("%s %s %s: %s", f.Severity, f.Code, f.File, f.Message))
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", damage.name, err)
				continue
			}
			if int64(len(lines[i])) != result.Errors+result.Notes || result.Whole() != (result.Errors == 0) {
				t.Errorf("%s: %d findings, %+v", damage.name, len(lines[i]), result)
			}
			lines[i] = append(lines[i], fmt.Sprintf("%+v", *result))
		}
		for _, line := range lines[1] {
			fmt.Fprintf(&b, "\t%s\n", shortNames.Replace(line))
		}
		if !slices.Equal(lines[0], lines[1]) {
			fmt.Fprintf(&b, "\tfast: %s\n", shortNames.Replace(strings.Join(lines[0], "\n\t\t")))
		}
	}
	golden(t, "check", b.String())
}

// TestCheckStops checks that a check ends with the error of its caller, or of the store.
func TestCheckStops(t *testing.T) {
	for _, damage := range damages {
		m := smallDataset(t)
		damage.do(m)
		calls := 0
		_, err := loaded(t, m).Check(t.Context(), CheckOptions{}, func(f *Finding) error { calls++; return errFull })
		if calls > 1 || calls == 1 && !errors.Is(err, errFull) || calls == 0 && err != nil {
			t.Errorf("%s: %d findings, error %v", damage.name, calls, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	d := loaded(t, smallDataset(t))
	cancel()
	if _, err := d.Check(ctx, CheckOptions{}, func(*Finding) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestSummary has what the records of a damaged dataset say.
func TestSummary(t *testing.T) {
	var b strings.Builder
	for _, damage := range damages {
		m := smallDataset(t)
		damage.do(m)
		s, err := loaded(t, m).Summary(t.Context())
		if err != nil {
			t.Errorf("%s: %v", damage.name, err)
			continue
		}
		fmt.Fprintf(&b, "%s: %d traces, %d events, damaged %s\n", damage.name, s.Traces, s.Events, shortNames.Replace(fmt.Sprint(s.Damaged)))
		for _, table := range s.Tables {
			fmt.Fprintf(&b, "\t%s: %d parts, %d files, %d rows\n", table.Name, table.Parts, table.Files, table.Rows)
		}
	}
	golden(t, "summary", b.String())
}

// TestColumns has the columns of a table whose files differ.
func TestColumns(t *testing.T) {
	m := smallDataset(t)
	d := loaded(t, m)
	s, err := d.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range s.Tables {
		columns, err := d.Columns(t.Context(), table)
		if want := []schema.Column{{Name: "x", Type: schema.Int32}}; err != nil || !slices.EqualFunc(columns, want, func(a, b schema.Column) bool { return a.Name == b.Name && a.Type == b.Type && !a.Nullable }) {
			t.Errorf("%s: %+v, %v", table.Name, columns, err)
		}
	}
	m.Put("traces/a.parquet", "x", time.Now())
	if _, err := d.Columns(t.Context(), s.Tables[0]); err == nil || !strings.HasPrefix(err.Error(), "traces/a.parquet: ") {
		t.Errorf("error %v", err)
	}
}

// TestClean has what is removed from a damaged dataset: by a run that begins alone or beside
// others, and by clean. Old files are removed also beside others.
func TestClean(t *testing.T) {
	var b strings.Builder
	for _, damage := range damages {
		fmt.Fprintf(&b, "%s\n", damage.name)
		for _, way := range []string{"begin", "begin alone", "begin beside others", "clean beside others", "clean", "dry run"} {
			m := smallDataset(t)
			damage.do(m)
			m.Interrupted, m.Others = way != "begin", strings.HasSuffix(way, "others")
			d := loaded(t, m)
			m.Log()
			before := m.Files()
			var removed []string
			kept := 0
			var err error
			if strings.HasPrefix(way, "begin") {
				err = d.Begin(t.Context())
			} else {
				kept, err = d.Clean(t.Context(), CleanOptions{DryRun: way == "dry run", Active: ActiveTime}, func(s *Stray) { removed = append(removed, s.Name) })
			}
			if err != nil {
				t.Errorf("%s: %s: %v", damage.name, way, err)
			}
			log := m.Log()
			if way == "dry run" {
				if diff := cmp.Diff(before, m.Files()); diff != "" || !slices.Equal(log, []string{"close"}) {
					t.Errorf("%s: a dry run: %q, %s", damage.name, log, diff)
				}
			}
			if strings.HasPrefix(way, "clean") && len(removed)+1 != len(log) || way != "begin" && len(log) == 0 && len(removed) > 0 {
				t.Errorf("%s: %s: removed %q: %q", damage.name, way, removed, log)
			}
			if log = append(slices.DeleteFunc(log, func(line string) bool { return line == "close" }), removed...); len(log) > 0 || kept > 0 {
				fmt.Fprintf(&b, "\t%s, %d kept: %s\n", way, kept, shortNames.Replace(strings.Join(log, ", ")))
			}
		}
	}
	golden(t, "clean", b.String())
}

// TestCleanOld checks the age of files that are removed beside other processes.
func TestCleanOld(t *testing.T) {
	for _, test := range []struct {
		age, active time.Duration
		isRemoved   bool
	}{{time.Hour, ActiveTime, false}, {ActiveTime + time.Hour, ActiveTime, true}, {time.Hour, time.Minute, true}, {time.Second, time.Minute, false}} {
		m := smallDataset(t)
		m.Others = true
		m.Put("traces/e.parquet", m.Files()["traces/a.parquet"], time.Now().Add(-test.age))
		kept, err := loaded(t, m).Clean(t.Context(), CleanOptions{Active: test.active}, func(*Stray) {})
		if _, has := m.Files()["traces/e.parquet"]; err != nil || has == test.isRemoved || kept == 1 == test.isRemoved {
			t.Errorf("%+v: %d kept, removed %t, %v", test, kept, !has, err)
		}
	}
}

// TestCleanBesideCommit cleans while another process commits: it publishes its record after the
// records were read, and its files stay.
func TestCleanBesideCommit(t *testing.T) {
	m := smallDataset(t)
	record := m.Files()[recordFile("a")]
	removed(recordFile("a"))(m)
	d := loaded(t, m)
	c, err := d.committed(t.Context(), func(string, *Record, error) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	m.Put(recordFile("a"), record, time.Now())
	copied("traces/e.parquet")(m)
	strays, err := d.strays(t.Context(), c)
	if err != nil || len(strays) != 1 || strays[0].Name != "traces/e.parquet" || strays[0].Kind != UncommittedFile || strays[0].Size <= 0 {
		t.Errorf("strays %+v, %v", strays, err)
	}
}

// TestFoldedNames checks that a store that ignores case has no strays whose names differ from the
// records by case only.
func TestFoldedNames(t *testing.T) {
	for _, folds := range []bool{false, true} {
		m := &storetest.Memory{FoldCase: folds}
		commit(t, m, "Other", tables{"events/p/E": 1})
		commit(t, m, "t", tables{"events/P/E": 1})
		contents := m.Files()["events/P/E/t.parquet"]
		removed("events/P/E/t.parquet")(m)
		m.Put("events/p/E/t.parquet", contents, time.Now()) // as a file system lists it
		var found []string
		_, err := loaded(t, m).Check(t.Context(), CheckOptions{}, func(f *Finding) error { found = append(found, f.Code+" "+f.File); return nil })
		want := []string{"rows_differ _traces/Other.json", "file_missing events/P/E/t.parquet", "rows_differ _traces/t.json", "views_missing views.sql", "no_record events/p/E/t.parquet"}
		if folds {
			want = []string{want[0], want[2], want[3]}
		}
		keep := func(lines []string) []string {
			return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.HasPrefix(line, "rows_differ") })
		}
		if diff := cmp.Diff(keep(want), keep(found)); err != nil || diff != "" {
			t.Errorf("case is ignored: %t: %v, -want +found:\n%s", folds, err, diff)
		}
	}
}

// TestRecord has the records that are found, by trace, in a damaged dataset.
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

// TestLoad has datasets of earlier and later versions.
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
		{"an old trace behind a new one", map[string]string{"_traces/s.json": `{"format": 4, "part": "s"}`, "_traces/t.json": fmt.Sprintf(record, 3, "t")}, nil, "s t", ErrOldLayout},
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

// TestExists has stores that have no dataset, and some that may have one.
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

// TestTables has the tables of a dataset in their order. Those made after the first question are
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

// TestNames has names of files and folders, and what they are in a dataset.
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

// TestSelects checks that each option that leaves out rows is one of those.
func TestSelects(t *testing.T) {
	some := []string{"x"}
	for _, o := range []RecordOptions{{From: "1"}, {To: "1"}, {Providers: some}, {Events: some}, {Processes: some}, {Tables: some}, {Columns: some}} {
		if !o.selects() {
			t.Errorf("%+v leaves out rows", o)
		}
	}
	if o := (RecordOptions{Payload: "all", Messages: "all", Compression: "zstd", Fields: true, MaxTables: 7}); o.selects() {
		t.Error("these options leave out no rows")
	}
}

// TestWriteFile writes a small file, and lets each operation fail.
func TestWriteFile(t *testing.T) {
	for _, fails := range []string{"", "create x", "stage x", "publish x", "sync x"} {
		m := new(storetest.Memory)
		m.FailAt(func(operation string) error {
			if operation == fails {
				return errFull
			}
			return nil
		})
		err := New(m).writeFile(t.Context(), "x", []byte("contents"))
		if errors.Is(err, errFull) != (fails != "") {
			t.Errorf("%s fails: %v", fails, err)
		}
		if left, err := m.Leftovers(t.Context()); err != nil || len(left) > 0 {
			t.Errorf("%s fails: left over: %+v, %v", fails, left, err)
		}
		if fails != "" {
			continue
		}
		if log := m.Log(); !slices.Equal(log, []string{"create x", "stage x", "publish x", "sync x"}) || m.Files()["x"] != "contents" {
			t.Errorf("%q, %q", log, m.Files())
		}
	}
}

// TestWhole checks that the files of a bundle are looked for once, as its traces share them, and
// those of a trace each time.
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
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil {
		t.Error("a file is no folder")
	}
}
