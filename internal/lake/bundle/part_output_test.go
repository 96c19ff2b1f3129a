package bundle

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// fullStore fails one operation, the one at which left becomes 0. An operation begins,
// writes, stages or publishes a file.
type fullStore struct {
	store.Store
	left *atomic.Int64
}

type fullFile struct {
	store.File
	left *atomic.Int64
}

var errFull = errors.New("the disk is full")

func take(left *atomic.Int64) error {
	if left.Add(-1) == 0 { // later operations succeed again
		return errFull
	}
	return nil
}

func (s *fullStore) Create(ctx context.Context, name string) (store.File, error) {
	if err := take(s.left); err != nil {
		return nil, err
	}
	f, err := s.Store.Create(ctx, name)
	return &fullFile{f, s.left}, err
}

func (f *fullFile) Write(p []byte) (int, error) {
	if err := take(f.left); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

func (f *fullFile) Stage(ctx context.Context) (int64, error) {
	if err := take(f.left); err != nil {
		return 0, err
	}
	return f.File.Stage(ctx)
}

func (f *fullFile) Publish(ctx context.Context) error {
	if err := take(f.left); err != nil {
		return err
	}
	return f.File.Publish(ctx)
}

// TestBundledOutputFails makes the output fail once, at each operation. Only the traces
// that are in the bundle by then fail; none of their files is left, and the next run
// converts them. If a whole bundle failed, that run gives the dataset of an undisturbed
// run. If a bundle fails early, the next trace begins a new bundle.
func TestBundledOutputFails(t *testing.T) {
	t.Parallel()
	testenv.RacedElsewhere(t)
	operations := int64(testenv.Times(t, 3, 8, 12, 40))
	traces := mixedTraces(t)
	for _, lower := range []*limits{lowLimits, nil} {
		o := testOptions
		o.lower = lower
		undisturbed := t.TempDir()
		left := new(atomic.Int64)
		if came := bundleInto(t, undisturbed, left, traces, o); len(came) != len(traces) {
			t.Fatal(came)
		}
		want, all := sums(testenv.Files(t, undisturbed)), -left.Load()
		rows, bundles := bundledRows(t, testenv.Files(t, undisturbed)), bundlesOf(t, undisturbed, traces)
		for at := int64(1); at <= all; at += 1 + all/operations {
			root := t.TempDir()
			left.Store(at)
			failed := make(map[string]bool)
			for trace, came := range bundleInto(t, root, left, traces, o) {
				switch {
				case strings.Contains(came, errFull.Error()):
					failed[trace] = true
				case came != "converted":
					t.Errorf("operation %d: %s: %s", at, trace, came)
				}
			}
			if len(failed) == 0 || len(failed) == len(traces) {
				t.Errorf("operation %d: %d traces failed", at, len(failed))
			}
			isWhole := slices.Contains(bundles, strings.Join(slices.Sorted(maps.Keys(failed)), " "))
			for file, sum := range sums(testenv.Files(t, root)) {
				if isWhole && want[file] != sum {
					t.Errorf("operation %d: %s is left", at, file)
				}
			}
			left.Store(0)
			bundleInto(t, root, left, traces, o)
			if diff := testenv.Diff(rows, bundledRows(t, testenv.Files(t, root))); diff != "" {
				t.Fatalf("limits %v, operation %d: rows %s", lower, at, diff)
			}
			if !isWhole {
				continue
			}
			if diff := cmp.Diff(want, sums(testenv.Files(t, root))); diff != "" {
				t.Fatalf("limits %v, operation %d: %s", lower, at, diff)
			}
		}
	}
}

// bundlesOf returns the traces of each bundle of a dataset, by name.
func bundlesOf(t *testing.T, root string, traces []namedTrace) (list []string) {
	t.Helper()
	d := openDataset(t, root)
	in := make(map[string][]string)
	for _, trace := range traces {
		r, err := d.Record(t.Context(), trace.name)
		if err != nil {
			t.Fatal(err)
		}
		in[r.Part] = append(in[r.Part], trace.name)
	}
	for names := range maps.Values(in) {
		slices.Sort(names)
		list = append(list, strings.Join(names, " "))
	}
	return list
}

func bundleInto(t *testing.T, root string, left *atomic.Int64, traces []namedTrace, o Options) outcomes {
	t.Helper()
	d := NewDataset(&fullStore{preparedFolder(t, root), left})
	got := make(outcomes)
	b, err := d.Bundle(t.Context(), 50<<10)
	if err != nil {
		t.Fatal(err)
	}
	if err := addAll(t.Context(), b, traces, o, got); err != nil {
		t.Fatal(err)
	}
	if reported := slices.Sorted(maps.Keys(got)); len(reported) != len(traces) {
		t.Errorf("only %v were reported", reported)
	}
	return got
}
