package decodetest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// Open opens a trace in memory.
func Open(t testing.TB, trace []byte) *decode.File {
	t.Helper()
	return open(t, bytes.NewReader(trace), int64(len(trace)))
}

// OpenFile opens the trace of a file until the test ends.
func OpenFile(t testing.TB, path string) *decode.File {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return open(t, file, info.Size())
}

func open(t testing.TB, r io.ReaderAt, size int64) *decode.File {
	t.Helper()
	f, err := decode.NewFile(r, size)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// EachEvent calls visit with every event of every real trace, and after at the end
// of each trace.
func EachEvent(t testing.TB, visit func(ev *decode.Event), after func(trace string)) {
	t.Helper()
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		Walk(t, OpenFile(t, path), func(_ *decode.Buffer, ev *decode.Event) { visit(ev) })
		after(filepath.Base(path))
	}
}

// Walk calls visit with every event of a trace without damage, and its buffer, in the order of
// the file.
func Walk(t testing.TB, f *decode.File, visit func(b *decode.Buffer, ev *decode.Event)) {
	t.Helper()
	var buffer decode.Buffer
	var ev decode.Event
	for i := range f.Buffers() {
		if err := f.ReadBuffer(i, &buffer); err != nil {
			t.Fatal(err)
		}
		for {
			err := buffer.Next(&ev)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			visit(&buffer, &ev)
		}
	}
}
