package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// times are what differs between two runs that do the same.
var times = regexp.MustCompile(`(?m)^[\d,]+ events in .*$|"seconds": .*`)

// TestSideBySide has any number of workers write the same files, and say the
// same in the same order; again, where all has to be made anew; and also where
// traces share files.
func TestSideBySide(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	writeBatch(t, in)
	writeLargeTrace(t, filepath.Join(in, "large.etl"), 300) // runs alone
	for i := range 12 {
		sample, err := os.ReadFile(sampleTrace)
		if err != nil {
			t.Fatal(err)
		}
		switch i % 4 {
		case 1:
			sample[0x98], sample[0x99] = 0xd2, 4 // events lost, which is told
		case 3:
			sample = []byte("no trace")
		}
		if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("f%02d.etl", i)), sample, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("files of its own", func(t *testing.T) { sideBySide(t, in) })
	t.Run("bundled", func(t *testing.T) { sideBySide(t, in, "--bundle=300KiB") })
}

func sideBySide(t *testing.T, in string, args ...string) {
	dir := t.TempDir()
	type result struct {
		stdout, stderr, report string
		files                  map[string]string
	}
	var want result
	for i, workers := range []string{"1", "2", "16", "2"} {
		out, report := filepath.Join(dir, "out"+workers), filepath.Join(dir, "r.json")
		args := append([]string{"convert", filepath.Join(in, "nosuch.etl"), in, "-o", out, "--workers", workers, "--report", report, "--temp-dir", dir, "--progress", "none", "--memory", "128MiB"}, args...)
		if i == 3 {
			args = append(args, "--force")
		}
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), args, nil, &stdout, &stderr)
		if status != exitSomeFailed {
			t.Fatalf("exit status %d: %s", status, &stderr)
		}
		text, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		clean := func(s string) string { return times.ReplaceAllString(strings.ReplaceAll(s, out, "OUT"), "") }
		got := result{clean(stdout.String()), clean(stderr.String()), clean(string(text)), contents(t, out)}
		if want.files == nil {
			want = got
			if n := strings.Count(got.stderr, "\n"); n != 1+3+3 {
				t.Errorf("%d complaints: %s", n, got.stderr)
			}
			continue
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{})); diff != "" {
			t.Errorf("run %d, %s workers: %.2000s", i, workers, diff)
		}
	}
}

// contents returns the files below a folder, whose own name is not in them.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for _, path := range files(t, root) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = strings.ReplaceAll(string(b), filepath.ToSlash(root), "OUT")
	}
	return found
}

func TestTurns(t *testing.T) {
	q := newTurns()
	var told []int
	for i := range 4 {
		if turn, err := q.take(t.Context()); err != nil || turn != i {
			t.Fatalf("turn %d, %v", turn, err)
		}
	}
	q.tell(2, func() { told = append(told, 2) })
	q.tell(1, nil)
	if len(told) > 0 {
		t.Errorf("told %v before the first", told)
	}
	q.tell(0, func() { told = append(told, 0) })
	q.tell(3, func() { told = append(told, 3) })
	if !slices.Equal(told, []int{0, 2, 3}) || len(q.ahead) > 0 {
		t.Errorf("told %v, %d ahead", told, len(q.ahead))
	}
}

// TestTurnsAhead bounds what waits for its turn.
func TestTurnsAhead(t *testing.T) {
	q := newTurns()
	for range mostAhead + 1 {
		if _, err := q.take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.take(stopped); err == nil {
		t.Error("there is no bound")
	}
	go q.tell(0, nil)
	if turn, err := q.take(t.Context()); err != nil || turn != mostAhead+1 {
		t.Errorf("turn %d, %v", turn, err)
	}
}

func TestBudget(t *testing.T) {
	b := newBudget(4, 100, 3)
	take := func(workers int, memory int64) {
		t.Helper()
		if err := b.take(t.Context(), workers, memory); err != nil {
			t.Fatal(err)
		}
	}
	take(1, 50)
	take(1, 50)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if b.take(stopped, 1, 1) == nil || b.take(stopped, 3, 0) == nil {
		t.Error("more than there is")
	}
	take(2, 0)
	b.give(2, 0)
	var given atomic.Bool
	go func() {
		given.Store(true)
		b.give(1, 50)
		b.give(1, 50)
	}()
	take(4, 100)
	if !given.Load() {
		t.Error("it did not wait")
	}
	take(0, 0)
	take(0, 0)
	if b.take(stopped, 0, 0) == nil {
		t.Error("more traces than there may be")
	}
}
