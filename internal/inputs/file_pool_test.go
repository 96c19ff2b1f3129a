package inputs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestFilePool reads more files than may be open, from several goroutines.
func TestFilePool(t *testing.T) {
	dir := t.TempDir()
	pool := &filePool{most: 3}
	var files []*localFile
	for i := range 12 {
		path := filepath.Join(dir, fmt.Sprint(i))
		testenv.WriteFile(t, path, []byte{byte(i), 1})
		f, err := openLocal(&File{Path: path, Size: 2}, pool)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 50 {
				for i, f := range files {
					var b [2]byte
					if n, err := f.ReadAt(b[:], 0); n != 2 || err != nil || !bytes.Equal(b[:], []byte{byte(i), 1}) {
						t.Errorf("%d: %v, %d, %v", i, b, n, err)
					}
				}
			}
		})
	}
	wait.Wait()
	if pool.open > pool.most || pool.unused.Len() != pool.open {
		t.Errorf("%d open files, %d unused, want at most %d", pool.open, pool.unused.Len(), pool.most)
	}
	for _, f := range files {
		if err := errors.Join(f.check(), f.Close()); err != nil {
			t.Error(err)
		}
	}
	if pool.open != 0 {
		t.Errorf("%d files are left open", pool.open)
	}
}

// TestFilePoolChanges checks that a file that is opened again is still the same.
func TestFilePoolChanges(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"changed":  func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) },
		"longer":   func(path string) error { return os.WriteFile(path, []byte("longer"), 0o666) },
		"replaced": func(path string) error { return os.Rename(path+".new", path) },
		"removed":  os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a")
			for _, path := range []string{path, path + ".new", path + ".other"} {
				testenv.WriteFile(t, path, "ab")
			}
			pool := &filePool{most: 1}
			f, err := openLocal(&File{Path: path, Size: 2}, pool)
			if err != nil {
				t.Fatal(err)
			}
			other, err := openLocal(&File{Path: path + ".other", Size: 2}, pool) // closes the first one
			if err != nil {
				t.Fatal(err)
			}
			if err := change(path); err != nil {
				t.Fatal(err)
			}
			if _, err := f.ReadAt(make([]byte, 2), 0); err == nil {
				t.Error("no error")
			}
			if err := errors.Join(f.Close(), other.Close()); err != nil {
				t.Error(err)
			}
		})
	}
}
