package main

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// tarOf writes a compressed tar with files.
func tarOf(t *testing.T, files ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.tar.gz")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(out)
	w := tar.NewWriter(z)
	for i, name := range files {
		contents, err := os.ReadFile(name)
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: fmt.Sprint(i) + filepath.Base(name), Mode: 0o600, Size: int64(len(contents))})
		}
		if err == nil {
			_, err = w.Write(contents)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []interface{ Close() error }{w, z, out} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestTemporarySpace reads archives whose traces do not fit into the temporary space together, by
// commands that keep them open: they once waited for themselves.
func TestTemporarySpace(t *testing.T) {
	info, err := os.Stat(sampleTrace)
	if err != nil {
		t.Fatal(err)
	}
	room := fmt.Sprint(info.Size() + 1000)
	r := runImpatient(t.Context(), "cat", tarOf(t, sampleTrace, sampleTrace), "--limit", "1", "--temp-max-bytes", room)
	if r.status != exitSomeFailed || strings.Count(r.stdout, "\n") != 1 || !strings.Contains(r.stderr, "1sample.etl: refused: more than "+room+" bytes to keep in temporary files") || !strings.Contains(r.stderr, "see --temp-max-bytes") {
		t.Errorf("cat: exit status %d: %s%s", r.status, r.stdout, r.stderr)
	}
	session := testenv.SharedFiles(t, "traces/diaghub*.etl")
	for _, limit := range []string{"7MiB", "13MiB", "17MiB"}[:testenv.Times(t, 1, 3, 3, 3)] {
		r := runImpatient(t.Context(), "convert", tarOf(t, session...), "-o", filepath.Join(t.TempDir(), "out"), "--table", "event_header", "--progress", "none", "--temp-max-bytes", limit)
		if r.status != exitSomeFailed || !strings.Contains(r.stderr, "see --temp-max-bytes") {
			t.Errorf("%s: exit status %d: %s%s", limit, r.status, r.stdout, r.stderr)
		}
	}
}
