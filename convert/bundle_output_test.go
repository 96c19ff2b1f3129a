package convert

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/store"
)

// fullStore fails when so much was asked of it: to begin, write, stage or
// publish a file.
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
	if left.Add(-1) == 0 { // then there is room again
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

// TestBundledOutputFails has the output fail once, at any moment: that costs
// the bundle and no other, nothing is left of it, and a run after that makes it.
func TestBundledOutputFails(t *testing.T) {
	operations := int64(12)
	if testing.Short() {
		operations = 5
	}
	traces := mixedTraces(t)
	for _, memory := range []int64{100 << 10, DefaultMemory} {
		o := testOptions
		o.Memory = memory
		undisturbed := t.TempDir()
		left := new(atomic.Int64)
		if came := bundleInto(t, undisturbed, left, traces, o); len(came) != len(traces) {
			t.Fatal(came)
		}
		want, all := sums(filesIn(t, undisturbed)), -left.Load()
		for at := int64(1); at <= all; at += 1 + all/operations {
			root := t.TempDir()
			left.Store(at)
			failed := 0
			for trace, came := range bundleInto(t, root, left, traces, o) {
				switch {
				case strings.Contains(came, errFull.Error()):
					failed++
				case came != "converted":
					t.Errorf("operation %d: %s: %s", at, trace, came)
				}
			}
			if failed == 0 || failed == len(traces) {
				t.Errorf("operation %d: %d traces failed", at, failed)
			}
			for file, sum := range sums(filesIn(t, root)) {
				if want[file] != sum {
					t.Errorf("operation %d: %s is left", at, file)
				}
			}
			left.Store(0)
			bundleInto(t, root, left, traces, o)
			if diff := cmp.Diff(want, sums(filesIn(t, root))); diff != "" {
				t.Fatalf("memory %d, operation %d: %s", memory, at, diff)
			}
		}
	}
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
	if told := slices.Sorted(maps.Keys(got)); len(told) != len(traces) {
		t.Errorf("only %v were told", told)
	}
	return got
}
