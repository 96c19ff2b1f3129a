package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/schema"
)

const aBundle, otherBundle = "bundle_0123456789abcdef", "bundle_fedcba9876543210"

// golden compares text with a file in testdata, or writes the file with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *decodetest.Update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("-want +got, or use -update:\n%s", diff)
	}
}

// tables are numbers of rows, by the name of a table.
type tables map[string]int

// output returns an output with files of these tables.
func output(t testing.TB, d *Dataset, part string, of tables) *Output {
	t.Helper()
	o := d.NewOutput(part)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		addFile(t, o, name, of[name])
	}
	return o
}

// addFile adds a file with rows to an output.
func addFile(t testing.TB, o *Output, table string, rows int) *parquet.File {
	t.Helper()
	codec, err := parquet.NewCodec("")
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.NewFile(nil, &schema.Table{Name: table, Columns: []schema.Column{{Name: "x", Type: schema.Int32}}}, codec)
	if err != nil {
		t.Fatal(err)
	}
	w, err := o.Create(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	file.SetWriter(w)
	b := columns.NewBatch(file.Table)
	for range rows {
		b.Columns[0].Int32(int32(rows))
		b.Rows++
	}
	g := file.RowGroup()
	if err := errors.Join(g.Write(b), g.Finish(), g.Commit()); err != nil {
		t.Fatal(err)
	}
	return file
}

// recordOf returns a record of a part, not yet committed.
func recordOf(part string, traces ...string) *Record {
	r := &Record{Tool: "test", Part: part}
	for _, trace := range traces {
		r.Traces = append(r.Traces, TraceRecord{Trace: trace, Input: trace + ".etl"})
	}
	return r
}

// loaded returns the dataset in a store.
func loaded(t testing.TB, m *storetest.Memory) *Dataset {
	t.Helper()
	d := New(m)
	if err := d.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// commit commits a trace with these tables.
func commit(t testing.TB, m *storetest.Memory, trace string, of tables) {
	t.Helper()
	d := loaded(t, m)
	r := recordOf(trace, trace)
	r.Traces[0].Events = int64(of["event_header"])
	if err := output(t, d, trace, of).CommitTrace(t.Context(), &Recorded{r, &r.Traces[0]}, nil); err != nil {
		t.Fatal(err)
	}
}

// commitBundle commits a bundle with these tables.
func commitBundle(t testing.TB, m *storetest.Memory, bundle string, of tables, traces ...string) {
	t.Helper()
	r := recordOf(bundle, traces...)
	r.Traces[0].Events = int64(of["event_header"])
	if err := output(t, loaded(t, m), bundle, of).Commit(t.Context(), r, nil, nil); err != nil {
		t.Fatal(err)
	}
}

// commitCase is a commit into a dataset.
type commitCase struct {
	name   string
	before func(t *testing.T, m *storetest.Memory) // makes the dataset
	part   string
	tables tables
	old    string // the trace whose record is replaced; "" if there is none
}

var commitCases = []commitCase{
	{"a new trace beside another", func(t *testing.T, m *storetest.Memory) {
		commit(t, m, "other", tables{"traces": 1, "event_header": 2, "events/P/E": 2})
	}, "t", tables{"traces": 1, "event_header": 3, "events/P/New": 3}, ""},
	{"a new trace, of which an interrupted run has left files", func(t *testing.T, m *storetest.Memory) {
		commit(t, m, "other", tables{"traces": 1, "event_header": 2, "events/P/E": 2})
		commit(t, m, "t", tables{"event_header": 1, "events/P/E": 1})
		forget(t, m, "t")
	}, "t", tables{"traces": 1, "event_header": 3}, ""},
	{"a trace with other tables than before", func(t *testing.T, m *storetest.Memory) {
		commit(t, m, "t", tables{"traces": 1, "event_header": 1, "events/P/Old": 1})
	}, "t", tables{"traces": 1, "event_header": 3, "events/P/New": 3}, "t"},
	{"a bundle", func(*testing.T, *storetest.Memory) {}, aBundle, tables{"traces": 2, "event_header": 3}, ""},
	{"a bundle instead of another", func(t *testing.T, m *storetest.Memory) {
		commitBundle(t, m, otherBundle, tables{"traces": 2, "event_header": 1}, "t", "u")
	}, aBundle, tables{"traces": 2, "event_header": 3}, "t"},
	{"a bundle, of which an interrupted run has left files", func(t *testing.T, m *storetest.Memory) {
		commitBundle(t, m, otherBundle, tables{"events/P/E": 1}, "x")
		commitBundle(t, m, aBundle, tables{"event_header": 1, "events/P/E": 1}, "t", "u")
		forget(t, m, aBundle)
	}, aBundle, tables{"traces": 2, "event_header": 3}, ""},
	{"a part without files", func(t *testing.T, m *storetest.Memory) {
		commit(t, m, "t", tables{"traces": 1})
	}, "t", nil, "t"},
}

// forget removes the record of a part, as a crash does.
func forget(t *testing.T, m *storetest.Memory, part string) {
	t.Helper()
	if err := m.Remove(t.Context(), recordFile(part)); err != nil {
		t.Fatal(err)
	}
}

// run commits into a store, and returns the output's error.
func (c *commitCase) run(t *testing.T, m *storetest.Memory, p *Progress) error {
	t.Helper()
	d := loaded(t, m)
	var old *Record
	if c.old != "" {
		r, err := d.Record(t.Context(), c.old)
		if err != nil || r == nil {
			t.Fatalf("no record of %s: %v", c.old, err)
		}
		old = r.Record
	}
	traces := []string{c.part}
	if isBundle(c.part) {
		traces = []string{"t", "u"}
	}
	o := output(t, d, c.part, c.tables)
	m.Log() // the files that were begun
	r := recordOf(c.part, traces...)
	err := o.Commit(t.Context(), r, old, p)
	return errors.Join(err, checkIndex(d, c, r, old, err))
}

// checkIndex checks the dataset's index of bundles after a commit.
func checkIndex(d *Dataset, c *commitCase, r, old *Record, err error) error {
	want := r
	switch {
	case !isBundle(c.part):
		return nil
	case errors.Is(err, errFull) && old != nil && d.BundleOf("t") == old:
		return nil // nothing was replaced
	case err != nil:
		want = nil
	}
	if got := d.BundleOf("t"); got != want {
		return fmt.Errorf("the index has the bundle %+v, want %+v", got, want)
	}
	return nil
}

// prepared returns a store with the dataset before the commit.
func (c *commitCase) prepared(t *testing.T) *storetest.Memory {
	t.Helper()
	m := new(storetest.Memory)
	c.before(t, m)
	m = m.Crash(false) // which has synced everything
	m.Interrupted = false
	return m
}

// TestCommitOrder has the operations of commits in their order.
func TestCommitOrder(t *testing.T) {
	var b strings.Builder
	for _, c := range commitCases {
		m := c.prepared(t)
		p := &Progress{Files: new(atomic.Int64), Staged: new(atomic.Int64)}
		if err := c.run(t, m, p); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if n := int64(len(c.tables)); p.Files.Load() != n || p.Staged.Load() != n {
			t.Errorf("%s: %d of %d files are staged, want %d", c.name, p.Staged.Load(), p.Files.Load(), n)
		}
		fmt.Fprintf(&b, "%s\n\t%s\n", c.name, shortNames.Replace(strings.Join(m.Log(), "\n\t")))
		if left, err := m.Leftovers(t.Context()); err != nil || len(left) > 0 {
			t.Errorf("%s: left over: %+v, %v", c.name, left, err)
		}
		result, err := loaded(t, m).Check(t.Context(), CheckOptions{}, func(f *Finding) error {
			if f.Code != "views_missing" && f.Code != "rows_differ" { // the records say nothing of events
				t.Errorf("%s: %+v", c.name, f)
			}
			return nil
		})
		if err != nil || result.Traces == 0 {
			t.Errorf("%s: %+v, %v", c.name, result, err)
		}
	}
	golden(t, "commit_order", b.String())
}

// stateOf returns what a store has of the parts of a commit, against what it had before and has
// after: old, new, or gone files.
func stateOf(files, before, after map[string]string) string {
	names := make(map[string]bool)
	for _, list := range []map[string]string{before, after} {
		for name := range list {
			names[name] = true
		}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		contents, has := files[name]
		_, wasThere := before[name]
		switch {
		case !has && wasThere:
			list = append(list, name+" gone")
		case !has || before[name] == after[name] && contents == before[name]:
		case contents == before[name]:
			list = append(list, name+" old")
		case contents == after[name]:
			list = append(list, name+" new")
		default:
			list = append(list, name+" DAMAGED")
		}
	}
	return shortNames.Replace(strings.Join(list, ", "))
}

// shortNames makes lines of goldens shorter.
var shortNames = strings.NewReplacer(aBundle, "bundle_A", otherBundle, "bundle_B")

// TestCommitCrash ends the process before each operation of a commit. The golden has what is left
// if the file system undoes what was not synced and, where that differs, if it does not. A part
// with a record is whole in any case, and the next run gives the same files as an undisturbed one.
func TestCommitCrash(t *testing.T) {
	var b strings.Builder
	for _, c := range commitCases {
		fmt.Fprintf(&b, "%s\n", c.name)
		undisturbed := c.prepared(t)
		before := undisturbed.Files()
		if err := c.run(t, undisturbed, nil); err != nil {
			t.Fatal(err)
		}
		operations, after := undisturbed.Log(), undisturbed.Files()
		for i := range operations {
			m := c.prepared(t)
			done, ended := -len(c.tables), "" // the files are begun first
			m.FailAt(func(operation string) error {
				if done++; done > i {
					ended = operation
					return storetest.ErrEnded
				}
				return nil
			})
			if err := c.run(t, m, nil); !errors.Is(err, storetest.ErrEnded) {
				t.Errorf("%s, ended at %q: error %v", c.name, ended, err)
			}
			verb, _, _ := strings.Cut(operations[i], " ")
			var states []string
			for _, lose := range []bool{true, false} {
				crashed := m.Crash(lose)
				if state := stateOf(crashed.Files(), before, after); !slices.Contains(states, state) {
					states = append(states, state)
				}
				checkCrashed(t, &c, crashed, after)
			}
			if i > 0 && strings.HasPrefix(operations[i-1], verb+" ") && verb != "remove" {
				continue // several goroutines do these
			}
			fmt.Fprintf(&b, "\tbefore %s: %s\n", shortNames.Replace(operations[i]), strings.Join(states, "\n\t\tor "))
		}
	}
	golden(t, "commit_crash", b.String())
}

// checkCrashed checks the dataset that a crash has left, and commits again.
func checkCrashed(t *testing.T, c *commitCase, m *storetest.Memory, after map[string]string) {
	t.Helper()
	d := loaded(t, m)
	if err := d.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := d.Check(t.Context(), CheckOptions{}, func(f *Finding) error {
		if !slices.Contains([]string{"no_trace", "views_missing", "rows_differ"}, f.Code) {
			t.Errorf("%s: after a crash: %+v", c.name, f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	again := *c
	if r, err := d.Record(t.Context(), c.old); c.old != "" && (err != nil || r == nil) {
		again.old = ""
	}
	if r, _ := d.Record(t.Context(), c.part); r != nil {
		again.old = c.part
	}
	if isBundle(c.part) && d.BundleOf("t") != nil {
		again.old = "t"
	}
	if err := again.run(t, m, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(m.Files()))); diff != "" {
		t.Errorf("%s: -undisturbed +again: %s", c.name, diff)
	}
}

var errFull = errors.New("the disk is full")

// TestCommitFails makes each operation of a commit fail once. Either nothing has changed or, once
// the old record is removed, nothing of the part is left. The output's temporary files are
// discarded by the caller.
func TestCommitFails(t *testing.T) {
	var b strings.Builder
	for _, c := range commitCases {
		fmt.Fprintf(&b, "%s\n", c.name)
		undisturbed := c.prepared(t)
		before := undisturbed.Files()
		if err := c.run(t, undisturbed, nil); err != nil {
			t.Fatal(err)
		}
		operations, after := undisturbed.Log(), undisturbed.Files()
		for i, operation := range operations {
			verb, _, _ := strings.Cut(operation, " ")
			m := c.prepared(t)
			failed := false
			m.FailAt(func(now string) error {
				if now == operation && !failed {
					failed = true
					return errFull
				}
				return nil
			})
			if err := c.run(t, m, nil); !errors.Is(err, errFull) || errors.Is(err, errLeft) {
				t.Errorf("%s: %s fails: error %v", c.name, operation, err)
			}
			left, err := m.Leftovers(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range left {
				if isRecordFile(l.Name) {
					t.Errorf("%s: %s fails: left over: %s", c.name, operation, l.Name)
				}
			}
			if i > 0 && strings.HasPrefix(operations[i-1], verb+" ") && verb != "remove" {
				continue
			}
			fmt.Fprintf(&b, "\t%s fails: %s\n", shortNames.Replace(operation), stateOf(m.Files(), before, after))
		}
	}
	golden(t, "commit_fails", b.String())
}

// TestCommitCleanUpFails has failures of a commit whose files cannot be removed either.
func TestCommitCleanUpFails(t *testing.T) {
	for _, test := range []struct{ first, second, want string }{
		{"publish event_header/t.parquet", "remove event_header/t.parquet", "the disk is full; and what was written could not be removed: no network"},
		{"publish event_header/t.parquet", "discard _traces/t.json", "the disk is full; and what was written could not be removed: no network"},
		{"stage _traces/t.json", "discard _traces/t.json", "the disk is full; and what was written could not be removed: no network"},
		{"stage event_header/t.parquet", "discard event_header/t.parquet", "the disk is full; and what was written could not be removed: no network"},
		{"publish event_header/t.parquet", "", "the disk is full"},
	} {
		m := new(storetest.Memory)
		d := loaded(t, m)
		o := output(t, d, "t", tables{"event_header": 1})
		failed := false
		m.FailAt(func(operation string) error {
			switch {
			case operation == test.first && !failed:
				failed = true
				return errFull
			case operation == test.second && failed:
				return errors.New("no network")
			}
			return nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		err := o.Commit(ctx, recordOf("t", "t"), nil, nil)
		cancel() // cleaning up goes on
		if err = o.Abandon(ctx, err); err == nil || err.Error() != test.want {
			t.Errorf("%s and %s fail: error %v, want %s", test.first, test.second, err, test.want)
		}
		left, err := m.Leftovers(t.Context())
		if isLeft := strings.HasPrefix(test.second, "discard"); err != nil || (len(left) > 0) != isLeft {
			t.Errorf("%s and %s fail: left over: %+v, %v", test.first, test.second, left, err)
		}
	}
}

// TestCommitCancelled cancels commits: before files are replaced that ends them, later it does not.
func TestCommitCancelled(t *testing.T) {
	for operation, isEnd := range map[string]bool{"": true, "stage _traces/t.json": true, "remove _traces/t.json": false, "publish event_header/t.parquet": false} {
		m := new(storetest.Memory)
		o := output(t, loaded(t, m), "t", tables{"event_header": 1})
		ctx, cancel := context.WithCancel(t.Context())
		if operation == "" {
			cancel()
		}
		m.FailAt(func(now string) error {
			if now == operation {
				cancel()
			}
			return nil
		})
		err := o.Commit(ctx, recordOf("t", "t"), nil, nil)
		if errors.Is(err, context.Canceled) != isEnd || !isEnd && err != nil {
			t.Errorf("cancelled at %q: error %v", operation, err)
		}
		if _, has := m.Files()[recordFile("t")]; has == isEnd {
			t.Errorf("cancelled at %q: record %t", operation, has)
		}
		cancel()
	}
}

// TestCommitForeign commits beside files of other programs: they are neither removed nor replaced.
func TestCommitForeign(t *testing.T) {
	for _, test := range []struct{ file, part, want string }{
		{"event_header/t.parquet", "t", "another program wrote event_header/t.parquet: move it away, or convert into another folder"},
		{"traces/t.parquet", "t", ""}, // of a table without a file in this commit
		{"event_header/u.parquet", "t", ""},
		{"traces/" + aBundle + ".parquet", aBundle, ""},
		{"event_header/" + aBundle + ".parquet", aBundle, "another program wrote event_header/" + aBundle + ".parquet: move it away, or convert into another folder"},
	} {
		m := new(storetest.Memory)
		m.Put(test.file, "no Parquet", time.Now())
		o := output(t, loaded(t, m), test.part, tables{"event_header": 1})
		m.Log()
		err := o.Commit(t.Context(), recordOf(test.part, "t"), nil, nil)
		if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != test.want) {
			t.Errorf("%s: error %v, want %q", test.file, err, test.want)
		}
		if got := m.Files()[test.file]; got != "no Parquet" {
			t.Errorf("%s is now %.20q", test.file, got)
		}
		if test.want == "" {
			continue
		}
		if log := m.Log(); slices.ContainsFunc(log, func(line string) bool { return strings.HasPrefix(line, "publish") || strings.HasPrefix(line, "remove") }) {
			t.Errorf("%s: %q", test.file, log)
		}
	}
}

// TestCommitHostileRecord replaces a record that names files of others: they are kept.
func TestCommitHostileRecord(t *testing.T) {
	m := new(storetest.Memory)
	commit(t, m, "other", tables{"traces": 1, "events/P/E": 1})
	commit(t, m, "t", tables{"traces": 1})
	d := loaded(t, m)
	old, err := d.Record(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	old.Files = append(old.Files, RecordFile{File: "events/P/E/other.parquet"}, RecordFile{File: "../t.parquet"}, RecordFile{File: recordFile("other")}, RecordFile{File: "mine/t.parquet"})
	m.Put("mine/t.parquet", "mine", time.Now())
	if err := output(t, d, "t", tables{"event_header": 1}).Commit(t.Context(), recordOf("t", "t"), old.Record, nil); err != nil {
		t.Fatal(err)
	}
	want := []string{recordFile("other"), recordFile("t"), "event_header/t.parquet", "events/P/E/other.parquet", "mine/t.parquet", "traces/other.parquet"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(m.Files()))); diff != "" {
		t.Errorf("-want +left:\n%s", diff)
	}
}

// TestOutputFiles checks the names of files, and which files are abandoned.
func TestOutputFiles(t *testing.T) {
	m := new(storetest.Memory)
	o := loaded(t, m).NewOutput("t")
	var files []*parquet.File
	for _, table := range []string{"events/P/E", "events/p/e", "event_header", "events/P/E"} {
		files = append(files, addFile(t, o, table, 1))
	}
	if o.Len() != 4 {
		t.Errorf("%d files", o.Len())
	}
	if err := o.AbandonFiles(t.Context(), errFull, func(f *parquet.File) bool { return f == files[3] || f == files[2] }); err != errFull {
		t.Errorf("error %v", err)
	}
	addFile(t, o, "event_header", 2)
	addFile(t, o, "EVENTS/P/E", 2)
	want := []string{
		"create events/P/E/t.parquet", "create events/p/e/t_1.parquet", "create event_header/t.parquet", "create events/P/E/t_2.parquet",
		"discard event_header/t.parquet", "discard events/P/E/t_2.parquet", "create event_header/t.parquet", "create EVENTS/P/E/t_2.parquet",
	}
	slices.Sort(want[:4])
	slices.Sort(want[6:])
	if diff := cmp.Diff(want, m.Log()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	m.FailAt(func(operation string) error {
		if strings.HasPrefix(operation, "discard") {
			return errors.New("no network")
		}
		return nil
	})
	if err := o.AbandonFiles(t.Context(), errFull, func(f *parquet.File) bool { return f == files[0] }); !errors.Is(err, errFull) || !errors.Is(err, errLeft) {
		t.Errorf("error %v", err)
	}
	m.FailAt(nil)
	if err := o.Discard(t.Context()); err != nil || o.Len() != 3 {
		t.Errorf("%d files, %v", o.Len(), err)
	}
	m.FailAt(func(operation string) error { return errFull })
	if _, err := o.Create(t.Context(), files[0]); err != errFull || o.Len() != 3 {
		t.Errorf("%d files, %v", o.Len(), err)
	}
}

// TestCommitRecord has the record that a commit writes.
func TestCommitRecord(t *testing.T) {
	m := new(storetest.Memory)
	for range 2 { // the second replaces the first
		d := loaded(t, m)
		r := recordOf("t")
		of := tables{"event_header": 3, "system_trace_header": 2, "events/P/E": 7, "traces": 1}
		if err := output(t, d, "t", of).CommitTrace(t.Context(), &Recorded{r, &TraceRecord{Trace: "t", Events: 5}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	text := m.Files()[recordFile("t")]
	golden(t, "record", text)
	var r Record
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		contents := m.Files()[f.File]
		if sum := parquet.Checksum(0).Add([]byte(contents)).String(); sum != f.CRC32C || int64(len(contents)) != f.Bytes {
			t.Errorf("%s has %d bytes and the checksum %s: %+v", f.File, len(contents), sum, f)
		}
	}
}
