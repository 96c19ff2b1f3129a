package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// times matches the texts that differ between two equal runs.
var times = regexp.MustCompile(`(?m)^[\d,]+ events in .*$|"seconds": .*`)

// TestSideBySide checks that any number of workers writes the same files and prints the
// same lines in the same order: in a new dataset, when everything is converted again, and
// when traces share files.
func TestSideBySide(t *testing.T) {
	testenv.Slow(t, "20 traces by many workers; package bundle has small ones")
	in := filepath.Join(t.TempDir(), "in")
	writeBatch(t, in)
	writeLargeTrace(t, filepath.Join(in, "large.etl"), 300) // runs alone
	for i := range 12 {
		sample := testenv.ReadFile(t, sampleTrace)
		switch i % 4 {
		case 1:
			sample[0x98], sample[0x99] = 0xd2, 4 // lost events, which are reported
		case 3:
			sample = []byte("no trace")
		}
		testenv.WriteFile(t, filepath.Join(in, fmt.Sprintf("f%02d.etl", i)), sample)
	}
	t.Run("separate files", func(t *testing.T) { sideBySide(t, in) })
	t.Run("bundled", func(t *testing.T) { sideBySide(t, in, "--bundle=300KiB") })
}

func sideBySide(t *testing.T, in string, args ...string) {
	dir := t.TempDir()
	type result struct {
		stdout, stderr, report string
		files                  map[string]string
	}
	var want result
	for i, workers := range []string{"1", "16", "16", "2"}[:testenv.Times(t, 0, 3, 4, 4)] {
		out, report := filepath.Join(dir, "out"+workers), filepath.Join(dir, "r.json")
		args := append([]string{"convert", filepath.Join(in, "nosuch.etl"), in, "-o", out, "--workers", workers, "--report", report, "--temp-dir", dir, "--progress", "none", "--memory", "128MiB"}, args...)
		if i == 2 {
			args = append(args, "--force")
		}
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), args, nil, &stdout, &stderr)
		if status != exitSomeFailed {
			t.Fatalf("exit status %d: %s", status, &stderr)
		}
		text := testenv.ReadFile(t, report)
		clean := func(s string) string { return times.ReplaceAllString(strings.ReplaceAll(s, out, "OUT"), "") }
		got := result{clean(stdout.String()), clean(stderr.String()), clean(string(text)), contents(t, out)}
		if want.files == nil {
			want = got
			if n := strings.Count(got.stderr, "\n"); n != 1+3+1 {
				t.Errorf("%d complaints: %s", n, got.stderr)
			}
			continue
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{})); diff != "" {
			t.Errorf("run %d, %s workers: %.2000s", i, workers, diff)
		}
	}
}

// contents returns the files below a folder, and removes the folder's name from their text.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	files := testenv.Files(t, root)
	for name, text := range files {
		files[name] = strings.ReplaceAll(text, filepath.ToSlash(root), "OUT")
	}
	return files
}
