package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// writeLargeTrace writes a trace made from the sample: its first buffer, and then its
// other buffers a number of times.
func writeLargeTrace(t *testing.T, path string, times int) {
	t.Helper()
	sample := testenv.ReadFile(t, sampleTrace)
	testenv.WriteFile(t, path, largeTrace(sample, times))
}

func largeTrace(sample []byte, times int) []byte {
	first := binary.LittleEndian.Uint32(sample) // WMI_BUFFER_HEADER.BufferSize
	return append(bytes.Clone(sample[:first]), bytes.Repeat(sample[first:], times)...)
}

// TestInterruptInTrace interrupts a conversion while it writes files. If the conversion
// ends too early, the test uses a larger trace.
func TestInterruptInTrace(t *testing.T) {
	for times := 600; ; times *= 2 {
		dir := t.TempDir()
		writeLargeTrace(t, filepath.Join(dir, "large.etl"), times)
		t.Chdir(dir)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { // until a file exists under its temporary name
			for ctx.Err() == nil {
				if found, _ := filepath.Glob("out/*/.large.parquet.*.tmp"); len(found) > 0 {
					cancel()
				}
				time.Sleep(time.Millisecond)
			}
		}()
		var stdout, stderr bytes.Buffer
		status := run(ctx, []string{"convert", "large.etl", "-o", "out"}, nil, &stdout, &stderr)
		cancel()
		if status == exitDone {
			continue
		}
		if status != exitInterrupted || !strings.HasSuffix(stderr.String(), "etl2parquet: interrupted\n") {
			t.Errorf("exit status %d, %s%s", status, &stdout, &stderr)
		}
		if _, err := os.Stat("out"); !os.IsNotExist(err) {
			t.Errorf("something is left: %v", testenv.Files(t, "out"))
		}
		return
	}
}

// interrupter cancels a context when a line begins with a text.
type interrupter struct {
	bytes.Buffer
	at     string
	cancel context.CancelFunc
}

func (w *interrupter) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte(w.at)) {
		w.cancel()
	}
	return w.Buffer.Write(p)
}

// TestInterruptBefore interrupts before a command begins: it does nothing.
func TestInterruptBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"convert", sampleTrace, "-o", filepath.Join(t.TempDir(), "out")}, {"info", sampleTrace}, {"info", sampleTrace, "--json"}} {
		var stdout, stderr bytes.Buffer
		if status := run(ctx, args, nil, &stdout, &stderr); status != exitInterrupted || stdout.Len() > 0 {
			t.Errorf("%v: exit status %d, %s%s", args, status, &stdout, &stderr)
		}
	}
}

// TestInterruptSideBySide interrupts a run while it converts several traces, some of them
// in archives. Every reported trace is whole in the dataset, no other file is left, and
// running the same command again gives the dataset of an undisturbed run.
func TestInterruptSideBySide(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	writeBatch(t, filepath.Join(dir, "in"))
	t.Chdir(dir)
	var stderr bytes.Buffer
	convertTo := func(ctx context.Context, out io.Writer) int {
		stderr.Reset()
		return run(ctx, []string{"convert", "in", "-o", "out", "--workers", "8", "--bundle", "never", "--temp-dir", temp, "--report", "r.json", "--progress", "none"}, nil, out, &stderr)
	}
	if status := convertTo(t.Context(), io.Discard); status != exitDone {
		t.Fatalf("exit status %d", status)
	}
	want := contents(t, "out")
	for _, at := range []string{"d ", "trace ", "a ", "h "}[:testenv.Times(t, 1, 2, 4, 4)] { // the header, and some traces
		if err := os.RemoveAll("out"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		stdout := &interrupter{at: at, cancel: cancel}
		if status := convertTo(ctx, stdout); status != exitInterrupted {
			t.Errorf("at %q: exit status %d", at, status)
		}
		cancel()
		got := contents(t, "out")
		for name, content := range got {
			if want[name] != content && name != "views.sql" {
				t.Errorf("at %q: %s differs from the undisturbed run", at, name)
			}
		}
		if got["views.sql"] == "" {
			t.Errorf("at %q: no views", at)
		}
		done := readReport(t, "r.json").Inputs
		if said := counted(int64(len(done)), "trace") + " done"; len(done) > 0 && !strings.Contains(stderr.String(), said) {
			t.Errorf("at %q: not %s, but %s", at, said, &stderr)
		}
		for _, in := range done {
			if _, ok := got[filepath.Join("_traces", in.Trace+".json")]; !ok || in.Result != "converted" {
				t.Errorf("at %q: %+v", at, in)
			}
		}
		if left := testenv.Files(t, temp); len(left) > 0 {
			t.Errorf("at %q: %v is left", at, left)
		}
		var again bytes.Buffer
		if status := convertTo(t.Context(), &again); status != exitDone || !strings.Contains(again.String(), fmt.Sprintf(" converted, %d skipped", len(done))) && len(done) > 0 {
			t.Errorf("at %q: exit status %d of the next run, %s", at, status, &again)
		}
		if diff := cmp.Diff(want, contents(t, "out")); diff != "" {
			t.Errorf("at %q: %.1000s", at, diff)
		}
	}
}
