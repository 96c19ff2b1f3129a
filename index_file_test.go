package etl2parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
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
	testenv.WriteFile(t, path, b.Bytes())
	return path
}

// openIndexed opens a trace with an index.
func openIndexed(t testing.TB, path, index string) *etl2parquet.Trace {
	t.Helper()
	return openWith(t, path, etl2parquet.Options{Workers: 2, Index: index})
}

// TestIndexFile checks for all traces that a trace opened with its index has the same summary,
// tables, rows and splits as without.
func TestIndexFile(t *testing.T) {
	paths := append(testenv.SharedTraces(t), sample, "testdata/sample-compressed.etl")
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			r := testenv.Seeded(path)
			trace := open(t, path, 2)
			index := writeIndex(t, open(t, sample, 1), trace)
			indexed := openIndexed(t, path, index)
			if diff := cmp.Diff(infoOf(t, trace), infoOf(t, indexed), cmp.AllowUnexported(facts.Info{})); diff != "" {
				t.Fatal(diff)
			}
			tables, again := trace.Tables(), indexed.Tables()
			if !slices.EqualFunc(tables, again, func(a, b etl2parquet.Table) bool {
				return a.Name == b.Name && a.Rows == b.Rows && a.Schema.Equal(b.Schema)
			}) {
				t.Fatal("other tables")
			}
			if testing.Short() {
				tables = spread(r, tables, infoOf(t, trace).Events)
			}
			for _, table := range tables {
				s := etl2parquet.Scan{Table: table.Name}
				n := 1 + r.IntN(5)
				list := splitsOf(t, trace, s, n)
				if diff := cmp.Diff(list, splitsOf(t, indexed, s, n)); diff != "" {
					t.Errorf("%s: other splits: %s", table.Name, diff)
				}
				checkUnion(t, indexed, tokensOf(list), hashesOf(t, trace, s))
			}
			if data, err := os.ReadFile(writeIndex(t, open(t, sample, 7), indexed)); err != nil || !bytes.Equal(data, testenv.ReadFile(t, index)) {
				t.Errorf("an index that was read is written as other bytes, error %v", err)
			}
		})
	}
}

// TestIndexOfChangedTrace checks that the index of a trace that has changed is refused: when the
// trace is opened, or when a buffer is read that has changed.
func TestIndexOfChangedTrace(t *testing.T) {
	for _, path := range []string{sample, "testdata/sample-compressed.etl"} {
		data := testenv.ReadFile(t, path)
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

// TestSameIndexFile checks that the index has the same bytes for any number of workers and any
// memory.
func TestSameIndexFile(t *testing.T) {
	for _, path := range append(testenv.SharedOr(t, "traces/net.4.5.2.x86.etl"), sample) {
		var want []byte
		for _, o := range []etl2parquet.Options{{Workers: 1}, {Workers: 3, Memory: 128 << 20}, {Workers: 16, Memory: 4 << 30}} {
			trace, err := etl2parquet.Open(t.Context(), path, o)
			if err != nil {
				t.Fatal(err)
			}
			got := testenv.ReadFile(t, writeIndex(t, trace))
			if err := trace.Close(); err != nil {
				t.Error(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %+v writes other bytes", path, o)
			}
		}
	}
}

// TestIndexOfSession checks that splits and an index that were made with other traces of the
// session are refused.
func TestIndexOfSession(t *testing.T) {
	siblings := []string{testenv.Shared(t, "traces/diaghub.kernel.1.etl")}
	path := testenv.Shared(t, "traces/diaghub.user_paged.1.etl")
	with := openWith(t, path, etl2parquet.Options{Siblings: siblings})
	file := writeIndex(t, with)
	if _, err := etl2parquet.Open(t.Context(), path, etl2parquet.Options{Index: file}); !errors.Is(err, index.ErrSession) {
		t.Errorf("without the siblings: error %v", err)
	}
	again := openWith(t, path, etl2parquet.Options{Index: file, Siblings: siblings})
	if diff := cmp.Diff(infoOf(t, with), infoOf(t, again), cmp.AllowUnexported(facts.Info{})); diff != "" {
		t.Error(diff)
	}
	token := splitsOf(t, with, etl2parquet.Scan{Table: "images"}, 1)[0].Token
	if got, want := hashesOf(t, again, etl2parquet.Scan{Split: token}), hashesOf(t, with, etl2parquet.Scan{Table: "images"}); !slices.Equal(got, want) {
		t.Errorf("%d images, want %d", len(got), len(want))
	}
	if _, err := open(t, path, 2).Scan(t.Context(), etl2parquet.Scan{Split: token}); !errors.Is(err, etl2parquet.ErrContext) {
		t.Errorf("a split, without the siblings: error %v", err)
	}
}

// TestDamagedIndex checks that an index with any changed byte, or without its end, is refused.
func TestDamagedIndex(t *testing.T) {
	trace := testenv.ReadFile(t, sample)
	whole := testenv.ReadFile(t, writeIndex(t, open(t, sample, 2)))
	r := testenv.Seeded("damaged")
	damaged := [][]byte{nil, whole[:1], whole[:0x40], whole[:len(whole)-1], []byte("no index, but a text that is longer than the header of a section")}
	for range 200 {
		other := slices.Clone(whole)
		other[r.IntN(len(other))] ^= 1 << r.IntN(8)
		damaged = append(damaged, other)
	}
	for i, data := range damaged {
		rows, err := rowsOfIndex(t, trace, data, nil)
		isRefused := errors.Is(err, index.ErrForm) || errors.Is(err, index.ErrDamaged) || errors.Is(err, index.ErrStale) || errors.Is(err, index.ErrSession)
		if !isRefused {
			t.Errorf("damage %d: %d rows, error %v", i, rows, err)
		}
	}
}

// rowsOfIndex opens a trace with an index, and reads tables to their end; nil is all of them.
func rowsOfIndex(t testing.TB, data, index []byte, tables []string) (rows int64, err error) {
	path := filepath.Join(t.TempDir(), "index")
	testenv.WriteFile(t, path, index)
	trace, err := etl2parquet.OpenReader(t.Context(), bytes.NewReader(data), int64(len(data)), "a.etl", etl2parquet.Options{Index: path, Workers: 1})
	if err != nil {
		return 0, err
	}
	defer trace.Close()
	if _, err := trace.Info(t.Context()); err != nil {
		return 0, err
	}
	for _, table := range trace.Tables() {
		if len(tables) > 0 && !slices.Contains(tables, table.Name) {
			continue
		}
		s := etl2parquet.Scan{Table: table.Name}
		if _, err := trace.Splits(t.Context(), s, 9); err != nil {
			return rows, err
		}
		reader, err := trace.Scan(t.Context(), s)
		if err != nil {
			return rows, err
		}
		for reader.Next() {
			rows += reader.RecordBatch().NumRows()
		}
		err = reader.Err()
		reader.Release()
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// FuzzIndex checks that no file that is accepted as an index makes the reader panic.
func FuzzIndex(f *testing.F) {
	trace := testenv.ReadFile(f, sample)
	whole := testenv.ReadFile(f, writeIndex(f, open(f, sample, 2)))
	header := slices.Clone(whole[:0x40])
	f.Add(whole[0x40:])
	tables := []string{"events", "stack_events", "stacks", "processes", "threads", "images", "methods", "files", "event_types", "buffers"}
	f.Fuzz(func(t *testing.T, body []byte) {
		index := append(slices.Clone(header), body...)
		binary.LittleEndian.PutUint64(index[0x30:], uint64(len(body)))
		h := xxh3.New()
		h.Write(index[:0x38])
		h.Write(body)
		binary.LittleEndian.PutUint64(index[0x38:], h.Sum64())
		if rows, err := rowsOfIndex(t, trace, index, tables); err == nil {
			t.Logf("%d rows", rows)
		}
	})
}
