package bundle

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var errDead = errors.New("the process has ended")

// mortalStore is a store whose process ends at a call: that call and all later ones do
// nothing.
type mortalStore struct {
	store.Store
	calls, last atomic.Int64
}

// dead counts a call that changes something.
func (s *mortalStore) dead() bool { return s.calls.Add(1) > s.last.Load() }

func (s *mortalStore) Create(ctx context.Context, name string) (store.File, error) {
	if s.dead() {
		return nil, errDead
	}
	f, err := s.Store.Create(ctx, name)
	return &mortalFile{f, s}, err
}

func (s *mortalStore) Remove(ctx context.Context, names ...string) error {
	for _, name := range names { // one at a time, because a crash may come between
		if s.dead() {
			return errDead
		}
		if err := s.Store.Remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (s *mortalStore) Sync(ctx context.Context, names ...string) error {
	if s.dead() {
		return errDead
	}
	return s.Store.Sync(ctx, names...)
}

type mortalFile struct {
	store.File
	store *mortalStore
}

func (f *mortalFile) Write(p []byte) (int, error) {
	if f.store.dead() {
		n, _ := f.File.Write(p[:len(p)/2]) // the crash is in the middle
		return n, errDead
	}
	return f.File.Write(p)
}

func (f *mortalFile) Stage(ctx context.Context) (int64, error) {
	if f.store.dead() {
		return 0, errDead
	}
	return f.File.Stage(ctx)
}

func (f *mortalFile) Publish(ctx context.Context) error {
	if f.store.dead() {
		return errDead
	}
	return f.File.Publish(ctx)
}

func (f *mortalFile) Discard(ctx context.Context) error {
	if f.store.dead() {
		return errDead
	}
	return f.File.Discard(ctx)
}

// TestCrashPoints ends the process at every kind of call that changes a dataset, in a
// new dataset and in one where the trace was converted before. Every part with a record
// is whole, check and clean recognise all other files, and after the next run the
// dataset is that of an undisturbed run.
func TestCrashPoints(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "a.etl", newTraceOfEvents(t, 3))
	want := sums(testenv.Files(t, newDataset(t, path)))
	for _, before := range []bool{false, true} {
		convertUntil := func(root string, last int64) (*mortalStore, error) {
			mortal := &mortalStore{Store: preparedFolder(t, root)}
			mortal.last.Store(last)
			_, err := convertFile(t.Context(), NewDataset(mortal), path, "t", testOptions)
			return mortal, err
		}
		fresh := func() string {
			root := filepath.Join(t.TempDir(), "out")
			if before {
				o := testOptions
				o.Payload, o.Fields = rows.PayloadAll, true
				convertedEarlier(t, root, path, o)
			}
			return root
		}
		all, err := convertUntil(fresh(), 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		states := make(map[string]int)
		for last := range all.calls.Load() {
			if testing.Short() && last%7 != 0 {
				continue
			}
			root := fresh()
			if _, err := convertUntil(root, last); !errors.Is(err, errDead) {
				t.Fatalf("call %d of %d: error %v", last, all.calls.Load(), err)
			}
			found, result := check(t, root, false)
			codes := make(map[string]bool)
			for _, line := range found {
				codes[strings.Fields(line)[1]] = true
			}
			switch {
			case codes["no_record"]:
				states["files without a record"]++
			case result.Traces == 1:
				states["as it was before"]++
			case codes["temporary_file"]:
				states["temporary files"]++
			default:
				states["nothing"]++
			}
			for code := range codes {
				if !slices.Contains([]string{"no_record", "no_trace", "temporary_file", "empty_folder", "views_missing"}, code) {
					t.Errorf("call %d: %v", last, found)
				}
			}
			d := openDataset(t, root)
			if _, err := d.Clean(t.Context(), dataset.CleanOptions{}, func(*dataset.Stray) {}); err != nil {
				t.Error(err)
			}
			if found, _ := check(t, root, false); slices.ContainsFunc(found, func(line string) bool {
				return line != "error no_trace _traces" && line != "info views_missing views.sql"
			}) {
				t.Errorf("call %d, and cleaned: %v", last, found)
			}
			convertTo(t, root, path, testOptions)
			if diff := cmp.Diff(want, sums(testenv.Files(t, root))); diff != "" {
				t.Errorf("call %d: -undisturbed +again:\n%s", last, diff)
			}
		}
		t.Logf("converted before: %t; %d calls; the crashes left %v", before, all.calls.Load(), states)
	}
}
