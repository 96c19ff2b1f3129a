package s3_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// TestUploadsOpenFiles begins thousands of files, which share one temporary file.
func TestUploadsOpenFiles(t *testing.T) {
	client := fake(t, func(http.ResponseWriter, *http.Request) {})
	s, err := client.Store("s3://bucket/set", remote.NewCache(t.TempDir(), 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	before := openFiles(t)
	var files []store.File
	for i := range 3000 {
		f, err := s.Create(t.Context(), fmt.Sprint(i))
		if err == nil {
			_, err = io.WriteString(f, "contents")
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if n := openFiles(t) - before; n > 10 {
		t.Errorf("%d more files are open", n)
	}
	for _, f := range files {
		if err := f.Discard(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}
