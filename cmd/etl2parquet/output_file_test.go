package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestOutputFile writes a file by its name and by a link, both completely and incompletely.
func TestOutputFile(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "file")
	names := []string{name}
	if link := filepath.Join(folder, "link"); os.Symlink(name, link) == nil {
		names = append(names, link)
	}
	for _, by := range names {
		for _, keep := range []bool{false, true} {
			testenv.WriteFile(t, name, "old")
			writeOutput(t, by, keep)
			want := map[bool]string{false: "old", true: "new"}[keep]
			if got, err := os.ReadFile(name); err != nil || string(got) != want {
				t.Errorf("%s, keep %v: %q, %v", by, keep, got, err)
			}
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != len(names) {
		t.Errorf("%v is there, %v", left, err)
	}
}

// TestOutputOpen writes to an open descriptor, which must not be replaced: it may be standard output.
func TestOutputOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the names of open files are those of Linux")
	}
	open, err := os.Create(filepath.Join(t.TempDir(), "open"))
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	writeOutput(t, fmt.Sprintf("/proc/self/fd/%d", open.Fd()), true)
	got := make([]byte, 3)
	if _, err := open.ReadAt(got, 0); err != nil || string(got) != "new" {
		t.Errorf("%q, %v", got, err)
	}
}

func writeOutput(t *testing.T, path string, keep bool) {
	t.Helper()
	f, err := createOutput(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if err := f.end(keep); err != nil {
		t.Fatal(err)
	}
}
