package decodetest

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// EachEvent calls visit with every event of every real trace, and after at the end
// of each trace.
func EachEvent(t testing.TB, visit func(ev *decode.Event), after func(trace string)) {
	t.Helper()
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		Walk(t, path, visit)
		after(filepath.Base(path))
	}
}

// Walk calls visit with every event of a trace without damage, in the order of
// the file.
func Walk(t testing.TB, path string, visit func(ev *decode.Event)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := decode.NewFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
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
			visit(&ev)
		}
	}
}
