package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/convert"
)

// writeLargeTrace makes a trace of the sample: its first buffer, and the
// others again and again.
func writeLargeTrace(t *testing.T, path string, times int) {
	t.Helper()
	sample, err := os.ReadFile(sampleTrace)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, largeTrace(sample, times), 0o666); err != nil {
		t.Fatal(err)
	}
}

func largeTrace(sample []byte, times int) []byte {
	first := binary.LittleEndian.Uint32(sample) // WMI_BUFFER_HEADER.BufferSize
	return append(bytes.Clone(sample[:first]), bytes.Repeat(sample[first:], times)...)
}

// TestInterruptInTrace interrupts a conversion while files are being written.
func TestInterruptInTrace(t *testing.T) {
	dir := t.TempDir()
	writeLargeTrace(t, filepath.Join(dir, "large.etl"), 1200)
	t.Chdir(dir)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // until a file is there, under its temporary name
		for ctx.Err() == nil {
			if found, _ := filepath.Glob("out/*/trace=large/.*.tmp"); len(found) > 0 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var stdout, stderr bytes.Buffer
	status := run(ctx, []string{"convert", "large.etl", "-o", "out"}, nil, &stdout, &stderr)
	if status != exitInterrupted || !strings.HasSuffix(stderr.String(), "etl2parquet: interrupted\n") {
		t.Errorf("exit status %d, %s%s", status, &stdout, &stderr)
	}
	if _, err := os.Stat("out"); !os.IsNotExist(err) {
		t.Errorf("something is left: %v", files(t, "out"))
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

// TestInterruptBetweenTraces interrupts a run after some traces: those are
// part of the dataset, and the next run does the others.
func TestInterruptBetweenTraces(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.etl", "b.etl", "c.etl"} {
		writeLargeTrace(t, filepath.Join(dir, name), 2)
	}
	t.Chdir(dir)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stdout := &interrupter{at: "b ", cancel: cancel}
	var stderr bytes.Buffer
	if status := run(ctx, []string{"convert", ".", "-o", "out", "--workers", "1"}, nil, stdout, &stderr); status != exitInterrupted {
		t.Errorf("exit status %d", status)
	}
	if !strings.Contains(stderr.String(), "2 traces done") {
		t.Errorf("said: %s", &stderr)
	}
	d, err := convert.OpenDataset("out")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a": true, "b": true, "c": false} {
		r, err := d.Record(t.Context(), name)
		if err != nil || (r != nil) != want {
			t.Fatalf("%s: record %v, %v", name, r, err)
		}
		if r == nil {
			continue
		}
		if whole, err := d.Whole(t.Context(), r); err != nil || !whole {
			t.Errorf("%s is not whole: %v", name, err)
		}
	}
	for _, file := range files(t, "out") {
		if strings.HasSuffix(file, ".tmp") || strings.Contains(file, "trace=c") {
			t.Errorf("left behind: %s", file)
		}
	}
	if _, err := os.Stat("out/views.sql"); err != nil {
		t.Error(err)
	}
	var again bytes.Buffer
	if status := run(t.Context(), []string{"convert", ".", "-o", "out"}, nil, &again, &stderr); status != exitDone || !strings.Contains(again.String(), "1 trace converted, 2 skipped") {
		t.Errorf("exit status %d, %s", status, &again)
	}
}

// TestInterruptBefore does nothing at all.
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

func files(t *testing.T, root string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return list
}
