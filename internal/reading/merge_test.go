package reading_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/reading"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// hops makes traces that overlap in turns: trace i has events at i, i+stride, i+2*stride, ... ms, and
// some at the same time as others.
func hops(t *testing.T, traces, events, stride int) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for i := range traces {
		text := fmt.Sprintf("trace buffersize=4096\nstream\nrepeat %d t=+%dms dt=%dms { event64 provider=11111111-2222-3333-4444-555555555555 chan=11 level=5 pid=%d tid=1 schema=Hop(A:u32,B:str16) payload=u32:$i,str16:\"x$i\" }\n",
			events, i%5, stride, 10+i)
		trace := etltest.MustParse(t, text)
		path := filepath.Join(dir, fmt.Sprintf("%03d.etl", i))
		testenv.WriteFile(t, path, trace)
		paths = append(paths, path)
	}
	return paths
}

var hopEvents = selection.Selection{Selection: facts.Selection{Events: []string{"Hop"}}}

// openAll opens traces until the test ends.
func openAll(t *testing.T, paths []string) *reading.Traces {
	t.Helper()
	traces, err := reading.OpenAll(t.Context(), paths, reading.Options{Options: pipeline.Options{Workers: 2}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := traces.Close(); err != nil {
			t.Error(err)
		}
	})
	return traces
}

// written returns the rows of traces in a format.
func written(t *testing.T, traces *reading.Traces, s reading.Scan, f *formats.Format) []byte {
	t.Helper()
	var out bytes.Buffer
	rows, err := traces.Write(t.Context(), &out, s, reading.WriteOptions{Format: f.Name})
	if err != nil || s.Limit > 0 && rows != s.Limit {
		t.Fatalf("%d rows, %v", rows, err)
	}
	return out.Bytes()
}

// TestMergedBytes checks that the bytes of merged rows depend neither on the memory, which decides how
// many events are in memory at a time, nor on the workers.
func TestMergedBytes(t *testing.T) {
	events := testenv.Times(t, 700, 700, 3000, 3000) // several windows with little memory: see smallestWhole
	traces := openAll(t, hops(t, 12, events, 7))
	for _, format := range formats.All() {
		scan := reading.Scan{Columns: []string{"time_ns", "process_id", "fields"}, Selection: hopEvents}
		if format.IsWhole {
			scan.Columns = nil
		}
		want := written(t, traces, scan, format)
		if format == formats.CSV && bytes.Count(want, []byte("\n")) != 1+12*events {
			t.Errorf("%d lines", bytes.Count(want, []byte("\n")))
		}
		for _, o := range []struct {
			workers int
			memory  int64
		}{{1, 1 << 20}, {8, 20 << 20}, {3, 1 << 30}}[:testenv.Times(t, 2, 2, 3, 3)] {
			scan.Workers, scan.Memory = o.workers, o.memory
			if got := written(t, traces, scan, format); !bytes.Equal(got, want) {
				t.Errorf("%s with %d workers and %d MiB: other bytes", format, o.workers, o.memory>>20)
			}
		}
		limits := []int64{777, 1, int64(7 * events)}
		if format != formats.CSV {
			limits = limits[:testenv.Times(t, 1, 1, 3, 3)]
		}
		for _, limit := range limits {
			scan.Limit = limit
			got := written(t, traces, scan, format)
			if format == formats.CSV && !bytes.HasPrefix(want, got) {
				t.Errorf("the first %d rows differ", limit)
			}
		}
	}
}

// TestTraceFails checks that a trace that changes does not end the others, and that the output is
// complete without it.
func TestTraceFails(t *testing.T) {
	for name, stride := range map[string]int{"overlapping": 7, "one after another": 0} {
		t.Run(name, func(t *testing.T) {
			paths := hops(t, 4, 200, stride)
			traces := openAll(t, paths)
			if err := os.Truncate(paths[2], 4096); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			_, err := traces.Write(t.Context(), &out, reading.Scan{Columns: []string{"process_id"}, Selection: hopEvents}, reading.WriteOptions{Format: formats.JSON.Name})
			failed := new(facts.InputError)
			if !errors.As(err, &failed) || failed.Input != paths[2] {
				t.Errorf("%v, want an error of %s", err, paths[2])
			}
			if text := out.String(); !strings.HasSuffix(text, "\n]\n") || strings.Count(text, `"process_id":10`) != 200 || strings.Count(text, `"process_id":13`) != 200 {
				t.Errorf("%d bytes, with %d rows of the first and %d of the last trace", len(text), strings.Count(text, `"process_id":10`), strings.Count(text, `"process_id":13`))
			}
		})
	}
}

// row identifies a row of several traces.
type row struct {
	trace string
	time  int64
	ref   int64
}

// TestMergedByTime compares the merged rows of traces with those of each, sorted by time.
func TestMergedByTime(t *testing.T) {
	paths := testenv.SharedOr(t, "traces/diaghub*.etl", "../../testdata/sample.etl", "../../testdata/sample-compressed.etl")
	for _, table := range []string{"", "event_header", "processes"} {
		t.Run("table "+table, func(t *testing.T) {
			traces := openAll(t, paths)
			columns := []string{"time_ns", "event_ref"}
			if table == "processes" {
				columns = []string{"process_id", "parent_process_id"}
			}
			var want []row
			for _, trace := range traces.All() {
				for _, r := range scanned(t, trace, reading.Scan{Table: table, Columns: columns}, "") {
					r.trace = trace.Name()
					want = append(want, r)
				}
			}
			if table != "processes" {
				slices.SortStableFunc(want, func(a, b row) int { return cmp.Compare(a.time, b.time) })
			}
			got := scanned(t, traces, reading.Scan{Table: table, Columns: columns}, "trace")
			if !slices.Equal(got, want) || len(got) == 0 {
				t.Errorf("%d rows, want %d; they differ from row %d on", len(got), len(want), firstDifference(got, want))
			}
			swapped := scanned(t, traces, reading.Scan{Table: table, Columns: columns[1:]}, "trace")
			if len(swapped) != len(want) || len(want) > 0 && swapped[len(want)-1].time != want[len(want)-1].ref {
				t.Errorf("%d rows without the time, want %d in the same order", len(swapped), len(want))
			}
		})
	}
}

func firstDifference(a, b []row) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// scannable is a trace, or several.
type scannable interface {
	Scan(ctx context.Context, s reading.Scan) (array.RecordReader, error)
}

// scanned returns the rows of a scan: the name of the trace, if it is a column, and the numbers that follow.
func scanned(t *testing.T, of scannable, s reading.Scan, trace string) (list []row) {
	t.Helper()
	reader, err := of.Scan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	for reader.Next() {
		columns := reader.RecordBatch().Columns()
		for i := range int(reader.RecordBatch().NumRows()) {
			var r row
			c := columns
			if trace != "" {
				r.trace, c = c[0].(*array.String).Value(i), c[1:]
			}
			numbers := []*int64{&r.time, &r.ref}
			for j := range c {
				if !c[j].IsNull(i) {
					*numbers[j] = c[j].(*array.Int64).Value(i)
				}
			}
			list = append(list, r)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}
