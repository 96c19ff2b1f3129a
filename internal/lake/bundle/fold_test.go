package bundle

import (
	"bytes"
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// foldingStore lists the tables of a class in another case than the records.
type foldingStore struct {
	store.Store
	folds bool // case does not matter, as on Windows
}

func (s *foldingStore) List(ctx context.Context, folder string) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for entry, err := range s.Store.List(ctx, folder) {
			if strings.HasSuffix(entry.Name, ".parquet") {
				entry.Name = strings.Replace(entry.Name, "Thread", "THREAD", 1)
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

func (s *foldingStore) Sizes(ctx context.Context, names ...string) ([]int64, error) {
	sizes := make([]int64, len(names))
	for i, name := range names {
		sizes[i] = -1
		for entry, err := range s.Store.List(ctx, "") {
			if err != nil {
				return nil, err
			}
			if entry.Name == name || s.folds && strings.EqualFold(entry.Name, name) {
				sizes[i] = entry.Size
			}
		}
	}
	return sizes, nil
}

// TestCommittedFolds checks that a file listed in another case than in its record belongs
// to the dataset only if case does not matter.
func TestCommittedFolds(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "a.etl", indextest.RandomTrace(t, testenv.Seeded("fold"), indextest.Shapes["in order"]))
	for _, folds := range []bool{true, false} {
		root := newDataset(t, path)
		var removed []string
		d := NewDataset(&foldingStore{preparedFolder(t, root), folds})
		if _, err := d.Clean(t.Context(), dataset.CleanOptions{DryRun: true}, func(s *dataset.Stray) { removed = append(removed, s.Name) }); err != nil {
			t.Fatal(err)
		}
		if (len(removed) == 0) != folds {
			t.Errorf("folds %t: clean would remove %q", folds, removed)
		}
	}
}

// TestBundledFolds checks that two tables of a bundle whose names differ only in case have
// files whose names differ in more than case.
func TestBundledFolds(t *testing.T) {
	t.Parallel()
	var traces []namedTrace
	for name, provider := range map[string]string{"a": "Case", "b": "cASE"} {
		text := "trace\nevent64 provider=00000000-0000-0000-0000-000000000001 traits=" + provider + " schema=Event(A:u8) payload=u8:1"
		data := etltest.MustParse(t, text)
		traces = append(traces, namedTrace{name: name, data: bytes.NewReader(data), size: int64(len(data))})
	}
	root := t.TempDir()
	bundleAll(t.Context(), t, root, 1<<20, traces, testOptions)
	names := make(map[string]string)
	for name := range testenv.Files(t, root) {
		if other := names[strings.ToLower(name)]; other != "" {
			t.Errorf("%s and %s are one file where case does not matter", other, name)
		}
		names[strings.ToLower(name)] = name
	}
}
