package etl2parquet_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/testenv"
)

// writeIndex writes the indexes of traces to a file.
func writeIndex(t testing.TB, traces ...*etl2parquet.Trace) string {
	t.Helper()
	var b bytes.Buffer
	for _, trace := range traces {
		if err := trace.WriteIndex(&b); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "index")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// openIndexed opens a trace with an index.
func openIndexed(t testing.TB, path, index string) *etl2parquet.Trace {
	t.Helper()
	trace, err := etl2parquet.Open(t.Context(), path, etl2parquet.Options{Workers: 2, Index: index})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := trace.Close(); err != nil {
			t.Error(err)
		}
	})
	return trace
}

// TestIndexFile checks for all traces that one opened with its index has the same summary,
// tables, rows and splits as without.
func TestIndexFile(t *testing.T) {
	paths := append(testenv.SharedTraces(t), sample, "testdata/sample-compressed.etl")
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			r := testenv.Seeded(path)
			trace := open(t, path, 2)
			index := writeIndex(t, open(t, sample, 1), trace)
			indexed := openIndexed(t, path, index)
			if diff := cmp.Diff(trace.Info(), indexed.Info()); diff != "" {
				t.Fatal(diff)
			}
			tables, again := trace.Tables(), indexed.Tables()
			if !slices.EqualFunc(tables, again, func(a, b etl2parquet.Table) bool {
				return a.Name == b.Name && a.Rows == b.Rows && a.Schema.Equal(b.Schema)
			}) {
				t.Fatal("other tables")
			}
			if testing.Short() {
				tables = spread(r, tables, trace.Info().Events)
			}
			for _, table := range tables {
				s := etl2parquet.Scan{Table: table.Name}
				list := splitsOf(t, trace, s, 1+r.IntN(5))
				if diff := cmp.Diff(list, splitsOf(t, indexed, s, max(len(list), 1))); diff != "" && len(list) == 1 {
					t.Errorf("%s: other splits: %s", table.Name, diff)
				}
				checkUnion(t, indexed, tokensOf(list), hashesOf(t, trace, s))
			}
			if data, err := os.ReadFile(writeIndex(t, open(t, sample, 7), indexed)); err != nil || !bytes.Equal(data, read(t, index)) {
				t.Errorf("an index that was read is written as other bytes, error %v", err)
			}
		})
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestIndexOfChangedTrace checks that the index of a trace that has changed is refused: when the
// trace is opened, or when a buffer is read that has changed.
func TestIndexOfChangedTrace(t *testing.T) {
	for _, path := range []string{sample, "testdata/sample-compressed.etl"} {
		data := read(t, path)
		trace := open(t, path, 2)
		index := writeIndex(t, trace)
		want := hashesOf(t, trace, etl2parquet.Scan{Table: "event_header"})
		r := testenv.Seeded("changed")
		changed := [][]byte{data[:len(data)-1], append(slices.Clone(data), 0), nil}
		for range 60 {
			other, at := slices.Clone(data), r.IntN(len(data))
			other[at] ^= 1 << r.IntN(8)
			changed = append(changed, other)
		}
		refused := 0
		for _, data := range changed {
			rows, err := rowsWith(t, data, index)
			if errors.Is(err, etl2parquet.ErrStaleIndex) {
				refused++
			} else if err != nil || !slices.Equal(rows, want) {
				t.Errorf("%s: %d rows, want %d, error %v", path, len(rows), len(want), err)
			}
		}
		if refused < len(changed)/3 {
			t.Errorf("%s: only %d of %d changed traces are refused", path, refused, len(changed))
		}
	}
}

// rowsWith reads the table event_header of a trace that is opened with an index.
func rowsWith(t *testing.T, data []byte, index string) ([]uint64, error) {
	trace, err := etl2parquet.OpenReader(t.Context(), bytes.NewReader(data), int64(len(data)), "changed.etl", etl2parquet.Options{Index: index})
	if err != nil {
		return nil, err
	}
	defer trace.Close()
	reader, err := trace.Scan(t.Context(), etl2parquet.Scan{Table: "event_header"})
	if err != nil {
		return nil, err
	}
	for reader.Next() {
	}
	err = reader.Err()
	reader.Release()
	if err != nil {
		return nil, err
	}
	return hashesOf(t, trace, etl2parquet.Scan{Table: "event_header"}), nil
}
