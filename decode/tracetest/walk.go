// Package tracetest walks the real traces, for the tests of packages that read
// what traces say about themselves.
package tracetest

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Shared returns the files of ../shared that match a pattern, at least so many,
// or skips the test where they are not at hand. Packages that use it lie two
// folders below the project's.
func Shared(t testing.TB, pattern string, least int) []string {
	t.Helper()
	const shared = "../../../shared"
	if _, err := os.Stat(shared); errors.Is(err, os.ErrNotExist) {
		t.Skipf("SKIPPED: the real files are not at hand: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(shared, pattern))
	if err != nil || len(files) < least {
		t.Fatalf("%d files of %s: %v", len(files), pattern, err)
	}
	return files
}

// Each calls visit with every event of every real trace, and after behind the
// last event of each.
func Each(t testing.TB, visit func(ev *decode.Event), after func(trace string)) {
	t.Helper()
	for _, path := range Shared(t, "traces/*.etl", 1) {
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
