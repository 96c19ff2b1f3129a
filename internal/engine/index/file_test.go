package index_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestFileOverflow checks that an index has the same bytes, and gives the same index, if the
// frames of stack keys exceed the memory.
func TestFileOverflow(t *testing.T) {
	data := indextest.TraceIn(t, "../rows/testdata/attribution/stack-keys.txtar")
	var want []byte
	for _, frames := range []int64{0, 1} {
		o := index.Options{Workers: 1, StackFrames: frames, TempDir: t.TempDir(), Sums: true}
		f := decodetest.Open(t, data)
		x, err := index.Build(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		got := written(t, x)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("with %d bytes of frames in memory, the file has other bytes", frames)
		}
		again, err := openFile(data, want, o)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(written(t, again), want) {
			t.Errorf("with %d bytes of frames in memory, an index that is opened has other contents", frames)
		}
		if left, err := os.ReadDir(o.TempDir); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	}
	o := index.Options{StackFrames: 1, TempDir: filepath.Join(t.TempDir(), "none")}
	if _, err := openFile(data, want, o); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, index.ErrDamaged) {
		t.Errorf("without a folder for temporary files: error %v", err)
	}
}

// written returns the file of an index, which it closes.
func written(t *testing.T, x *index.Index) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := errors.Join(x.Write(&b, 7), x.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openFile(trace, file []byte, o index.Options) (*index.Index, error) {
	return index.Open(bytes.NewReader(trace), int64(len(trace)), bytes.NewReader(file), int64(len(file)), 7, o)
}

// TestFileOfSession checks that an index that was made with other siblings is rejected, and that a
// matching one after it is found.
func TestFileOfSession(t *testing.T) {
	data := testenv.ReadFile(t, "../../../testdata/sample.etl")
	f := decodetest.Open(t, data)
	x, err := index.Build(t.Context(), f, index.Options{Workers: 1, Sums: true})
	if err != nil {
		t.Fatal(err)
	}
	var other bytes.Buffer
	if err := x.Write(&other, 8); err != nil {
		t.Fatal(err)
	}
	if _, err := openFile(data, other.Bytes(), index.Options{}); !errors.Is(err, index.ErrSession) {
		t.Errorf("another session: error %v", err)
	}
	if _, err := openFile(data, append(other.Bytes(), written(t, x)...), index.Options{}); err != nil {
		t.Errorf("another session before: %v", err)
	}
}

// TestFileOfOtherEnds checks that an index is rejected as stale if a byte of the trace's first or
// last buffer has changed, and that opening the index reads nothing else of the trace.
func TestFileOfOtherEnds(t *testing.T) {
	trace := etltest.Trace{BufferSize: 4096}
	for i := range 4 {
		buffer := etltest.Buffer{}
		if err := buffer.Add(&etltest.Event{Kind: etltest.Event64, Time: int64(i), Payload: []byte{1, 2, 3, 4}}); err != nil {
			t.Fatal(err)
		}
		trace.Buffers = append(trace.Buffers, buffer)
	}
	data := trace.MustBytes(t)
	f := decodetest.Open(t, data)
	x, err := index.Build(t.Context(), f, index.Options{Workers: 1, Sums: true})
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, x)
	for i := range f.Buffers() {
		b := f.BufferInfo(i)
		for name, at := range map[string]int64{"first": b.Offset, "last": b.Offset + int64(b.Size) - 1} {
			changed := bytes.Clone(data)
			changed[at] ^= 1
			opened, err := openFile(changed, file, index.Options{})
			isEnd := i == 0 || i == f.Buffers()-1
			if isEnd != errors.Is(err, index.ErrStale) || !isEnd && err != nil {
				t.Errorf("the %s byte of buffer %d of %d has changed: error %v", name, i, f.Buffers(), err)
			}
			if err == nil {
				if err := opened.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
