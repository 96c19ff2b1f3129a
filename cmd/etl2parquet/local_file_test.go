package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestLocalFile has a file change in every way while it is open.
func TestLocalFile(t *testing.T) {
	contents := []byte("a trace that is long enough")
	hour := time.Now().Add(-time.Hour)
	rewrite := func(t *testing.T, path string, contents []byte) {
		t.Helper()
		if err := os.WriteFile(path, contents, 0o666); err != nil {
			t.Fatal(err)
		}
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
		before func(t *testing.T, path string) // it is opened, after it was found
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
	if runtime.GOOS == "windows" { // no other file takes the path of an open one
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
			in := findInputs([]string{path}, nil, nil, func(_ string, err error) { t.Fatal(err) }).files[0]
			test.before(t, path)
			s := &source{progress: newProgress(nil, noProgress, 1, in.size)}
			at, err := s.openInput(t.Context(), &in)
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

// changingOutput changes something when a text is printed.
type changingOutput struct {
	bytes.Buffer
	when   string
	change func()
}

func (o *changingOutput) Write(p []byte) (int, error) {
	if o.change != nil && strings.Contains(string(p), o.when) {
		o.change()
		o.change = nil
	}
	return o.Buffer.Write(p)
}

// TestChangedInputs has inputs change when the first trace is done, which is
// before the second begins: that one fails, and nothing of it is in the dataset.
func TestChangedInputs(t *testing.T) {
	sample, err := os.ReadFile(sampleTrace)
	if err != nil {
		t.Fatal(err)
	}
	const changed = ": it changed while it was read: convert it again when no program writes to it any more\n"
	for name, test := range map[string]struct {
		inputs []string
		change string // the file that changes
		want   string
	}{
		"file":                {[]string{"a.etl", "b.etl"}, "b.etl", "etl2parquet: b.etl" + changed},
		"stored in archive":   {[]string{"stored.zip"}, "stored.zip", "etl2parquet: stored.zip/b.etl" + changed},
		"packed in archive":   {[]string{"packed.zip"}, "packed.zip", "etl2parquet: packed.zip/b.etl" + changed},
		"unchanged neighbour": {[]string{"a.etl", "b.etl"}, "packed.zip", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, contents := range map[string][]byte{
				"a.etl": sample, "b.etl": sample, "stored.zip": zipped(t, zip.Store, sample), "packed.zip": zipped(t, zip.Deflate, sample),
			} {
				if err := os.WriteFile(file, contents, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			stdout := &changingOutput{when: "449", change: func() {
				file, err := os.OpenFile(test.change, os.O_WRONLY|os.O_APPEND, 0)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := file.WriteString("more"); err != nil {
					t.Error(err)
				}
				if err := file.Close(); err != nil {
					t.Error(err)
				}
			}}
			var stderr bytes.Buffer
			args := append([]string{"convert", "-o", "out", "--workers", "1", "--progress", "none", "--report", "r.json"}, test.inputs...)
			status := run(t.Context(), args, nil, stdout, &stderr)
			failed := test.want != ""
			if want := map[bool]int{true: exitSomeFailed, false: exitDone}[failed]; status != want || stderr.String() != test.want {
				t.Errorf("exit status %d, want %d: %s", status, want, &stderr)
			}
			if stdout.change != nil {
				t.Error("nothing has changed")
			}
			records, err := filepath.Glob("out/*/b*")
			if err != nil || (len(records) == 0) != failed {
				t.Errorf("of b: %v, %v", records, err)
			}
			report, err := os.ReadFile("r.json")
			if err != nil || strings.Contains(string(report), "it changed while it was read") != failed {
				t.Errorf("%v: %s", err, report)
			}
		})
	}
}

// zipped returns an archive with a trace as a.etl and b.etl.
func zipped(t *testing.T, method uint16, trace []byte) []byte {
	t.Helper()
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, name := range []string{"a.etl", "b.etl"} {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write(trace); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}
