package inputs

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestLocalFile changes an open file in every way.
func TestLocalFile(t *testing.T) {
	contents := []byte("a trace that is long enough")
	hour := time.Now().Add(-time.Hour)
	rewrite := func(t *testing.T, path string, contents []byte) {
		t.Helper()
		testenv.WriteFile(t, path, contents)
	}
	replace := func(t *testing.T, path string) {
		t.Helper()
		rewrite(t, path+".new", contents)
		if err := os.Chtimes(path+".new", hour, hour); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		before func(t *testing.T, path string) // called after the file is listed and before it is opened
		change func(t *testing.T, path string)
		want   error
	}{
		"nothing":     {nil, func(*testing.T, string) {}, nil},
		"overwritten": {nil, func(t *testing.T, path string) { rewrite(t, path, bytes.ToUpper(contents)) }, errChanged},
		"appended":    {nil, func(t *testing.T, path string) { rewrite(t, path, append(contents[:len(contents):len(contents)], '.')) }, errChanged},
		"cut":         {nil, func(t *testing.T, path string) { rewrite(t, path, contents[:5]) }, errChanged},
		"touched": {nil, func(t *testing.T, path string) {
			if err := os.Chtimes(path, time.Time{}, hour.Add(time.Millisecond)); err != nil {
				t.Fatal(err)
			}
		}, errChanged},
		"longer, but with its time": {nil, func(t *testing.T, path string) {
			rewrite(t, path, append(contents[:len(contents):len(contents)], '.'))
			if err := os.Chtimes(path, hour, hour); err != nil {
				t.Fatal(err)
			}
		}, errChanged},
		"replaced": {nil, replace, errReplaced},
		"removed": {nil, func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, nil},
		"longer when it is opened":       {func(t *testing.T, path string) { rewrite(t, path, append(contents, '.')) }, func(*testing.T, string) {}, errChanged},
		"another file when it is opened": {replace, func(*testing.T, string) {}, nil},
	}
	if runtime.GOOS == "windows" { // another file cannot replace an open one
		delete(tests, "replaced")
		delete(tests, "removed")
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.etl")
			rewrite(t, path, contents)
			if err := os.Chtimes(path, hour, hour); err != nil {
				t.Fatal(err)
			}
			if test.before == nil {
				test.before = func(*testing.T, string) {}
			}
			f := Find([]string{path}, nil, nil, func(_ string, err error) { t.Fatal(err) }).Files[0]
			test.before(t, path)
			r := &Reader{Progress: NewProgress(1, f.Size)}
			at, err := r.open(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			defer at.release()
			test.change(t, path)
			if err := at.check(); !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
		})
	}
}
