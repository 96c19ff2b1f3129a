package dataset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
)

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
	err := o.Commit(t.Context(), r, p)
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

// TestCommitOrder checks the operations of commits and their order.
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

// stateOf compares the files of a commit's parts in a store with those before and after the commit:
// old, new, or gone.
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

// TestCommitCrash ends the process before each operation of a commit. The golden has the remaining
// files if the file system undoes unsynced operations and, if that differs, if it does not. A part
// with a record is always whole, and the next run gives the same files as an undisturbed one.
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

// TestCommitFails makes each operation of a commit fail once. Either nothing has changed or, if the
// old record was removed, nothing of the part is left. The caller discards the output's temporary
// files.
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

// TestCommitCleanUpFails checks failures of a commit whose files cannot be removed either.
func TestCommitCleanUpFails(t *testing.T) {
	for _, test := range []struct{ first, second, want string }{
		{"publish event_header/t.parquet", "remove event_header/t.parquet", "the disk is full; and the written files could not be removed: no network"},
		{"publish event_header/t.parquet", "discard _traces/t.json", "the disk is full; and the written files could not be removed: no network"},
		{"stage _traces/t.json", "discard _traces/t.json", "the disk is full; and the written files could not be removed: no network"},
		{"stage event_header/t.parquet", "discard event_header/t.parquet", "the disk is full; and the written files could not be removed: no network"},
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
		err := o.Commit(ctx, recordOf("t", "t"), nil)
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

// TestCommitCancelled cancels commits: that ends a commit only before files are replaced.
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
		err := o.Commit(ctx, recordOf("t", "t"), nil)
		if errors.Is(err, context.Canceled) != isEnd || !isEnd && err != nil {
			t.Errorf("cancelled at %q: error %v", operation, err)
		}
		if _, has := m.Files()[recordFile("t")]; has == isEnd {
			t.Errorf("cancelled at %q: record %t", operation, has)
		}
		cancel()
	}
}
