package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// wholeReport is a report as other programs parse it.
type wholeReport struct {
	Inputs []struct{ Input, Result, Trace string }
	Run    batch.RunState
	Counts batch.Counts
}

func readReport(t *testing.T, path string) *wholeReport {
	t.Helper()
	text := testenv.ReadFile(t, path)
	var r wholeReport
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return &r
}

func (r *wholeReport) results() []string {
	var list []string
	for _, in := range r.Inputs {
		list = append(list, filepath.Base(in.Input)+" "+in.Result)
	}
	return list
}

// TestReportOrder checks that a report lists inputs in their order, including missing ones.
func TestReportOrder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.etl", "b.etl"} {
		writeLargeTrace(t, filepath.Join(dir, name), 2)
	}
	t.Chdir(dir)
	testenv.WriteFile(t, "c.etl", "no trace")
	for _, args := range [][]string{{"x.etl", "b.etl", "y.etl", "c.etl", "a.etl", "z.etl"}, {"x.etl"}} {
		var stdout, stderr bytes.Buffer
		run(t.Context(), append([]string{"convert", "-o", "out", "--report", "r.json"}, args...), nil, &stdout, &stderr)
		r := readReport(t, "r.json")
		want := []string{"x.etl failed", "b.etl converted", "y.etl failed", "c.etl failed", "a.etl converted", "z.etl failed"}[:len(args)]
		if !slices.Equal(r.results(), want) || r.Run != batch.RunComplete || r.Counts.Failed != strings.Count(strings.Join(want, ";"), "failed") {
			t.Errorf("%+v", r)
		}
	}
}

// TestReportInterrupted checks that the report of an interrupted run lists the finished
// inputs, and that no temporary file is left.
func TestReportInterrupted(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.etl", "b.etl", "c.etl"} {
		writeLargeTrace(t, filepath.Join(dir, name), 2)
	}
	t.Chdir(dir)
	testenv.WriteFile(t, "r.json", "{\n  \"tool\": \"an older report\"}")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := ""
	stdout := &interrupter{at: "b ", cancel: func() {
		text, err := os.ReadFile("r.json.partial")
		if _, gone := os.Stat("r.json"); err != nil || !os.IsNotExist(gone) {
			t.Errorf("%v, and a report exists: %v", err, gone)
		}
		seen = string(text)
		cancel()
	}}
	status := run(ctx, []string{"convert", ".", "-o", "out", "--bundle", "never", "--workers", "1", "--report", "r.json"}, nil, stdout, &bytes.Buffer{})
	if !strings.Contains(seen, `"input": "a.etl"`) {
		t.Errorf("while it ran: %s", seen)
	}
	r := readReport(t, "r.json")
	if !slices.Equal(r.results(), []string{"a.etl converted", "b.etl converted"}) || r.Run != batch.RunInterrupted || status != exitInterrupted {
		t.Errorf("exit status %d, %+v", status, r)
	}
	if _, err := os.Stat("r.json.partial"); !os.IsNotExist(err) {
		t.Errorf("something is left: %v", err)
	}
}
