package bundle

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// countingStore counts the calls to a store, the names in them, and the listed entries.
type countingStore struct {
	store.Store
	n atomic.Int64
}

func (s *countingStore) Create(ctx context.Context, name string) (store.File, error) {
	s.n.Add(1)
	return s.Store.Create(ctx, name)
}

func (s *countingStore) ReadFile(ctx context.Context, name string) ([]byte, error) {
	s.n.Add(1)
	return s.Store.ReadFile(ctx, name)
}

func (s *countingStore) Sizes(ctx context.Context, names ...string) ([]int64, error) {
	s.n.Add(int64(len(names)))
	return s.Store.Sizes(ctx, names...)
}

func (s *countingStore) Folders(ctx context.Context, folder string) ([]string, error) {
	names, err := s.Store.Folders(ctx, folder)
	s.n.Add(int64(1 + len(names)))
	return names, err
}

func (s *countingStore) List(ctx context.Context, folder string) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for e, err := range s.Store.List(ctx, folder) {
			s.n.Add(1)
			if !yield(e, err) {
				return
			}
		}
	}
}

func (s *countingStore) Remove(ctx context.Context, names ...string) error {
	s.n.Add(int64(len(names)))
	return s.Store.Remove(ctx, names...)
}

// TestManyTraces checks that twice as many traces cost twice as many calls to the store, if
// each has a table that no other has. It converts them, converts them again with other
// options, and skips them, and writes the views at the end of each run.
func TestManyTraces(t *testing.T) {
	t.Parallel()
	some := 12
	if testing.Short() {
		some = 6
	}
	runs := []string{"converted", "converted again", "skipped"}
	costs := func(n int) []int64 {
		s := &countingStore{Store: store.NewFolder(t.TempDir())}
		if err := s.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		var costs []int64
		for run := range runs {
			s.n.Store(0)
			d := NewDataset(s)
			o := testOptions
			o.Force = run == 1
			for i := range n {
				data := etltest.MustParse(t, fmt.Sprintf("trace\nevent64 schema=Event%d(A:u32) payload=u32:%d\n", i, i))
				in := pipeline.Input{Name: fmt.Sprintf("/in/%d.etl", i), Size: int64(len(data)), Trace: bytes.NewReader(data)}
				report, err := d.Convert(t.Context(), in, fmt.Sprintf("t%d", i), o)
				if err != nil {
					t.Fatal(err)
				}
				if report.Skipped != (run == 2) {
					t.Fatalf("%s: trace %d: skipped %v", runs[run], i, report.Skipped)
				}
			}
			if err := views.Write(t.Context(), d.Dataset); err != nil {
				t.Fatal(err)
			}
			costs = append(costs, s.n.Load())
		}
		return costs
	}
	once, twice, fourTimes := costs(some), costs(2*some), costs(4*some)
	for i, run := range runs {
		first, second := twice[i]-once[i], fourTimes[i]-twice[i]
		t.Logf("%s: %d for %d traces, %d for %d, %d for %d", run, once[i], some, twice[i], 2*some, fourTimes[i], 4*some)
		if float64(second) > 2.1*float64(first) {
			t.Errorf("%s: the first %d more cost %d, the next %d more %d", run, some, first, 2*some, second)
		}
	}
}
