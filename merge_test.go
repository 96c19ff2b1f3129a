package etl2parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
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

// written returns the rows of traces in a format.
func written(t *testing.T, traces *etl2parquet.Traces, s etl2parquet.Scan, f etl2parquet.Format) []byte {
	t.Helper()
	var out bytes.Buffer
	rows, err := traces.Write(t.Context(), &out, s, etl2parquet.WriteOptions{Format: f})
	if err != nil || s.Limit > 0 && rows != s.Limit {
		t.Fatalf("%d rows, %v", rows, err)
	}
	return out.Bytes()
}

// TestMergedBytes checks that the bytes of merged rows depend neither on the memory, which decides how
// many events are in memory at a time, nor on the workers.
func TestMergedBytes(t *testing.T) {
	events := testenv.Times(t, 700, 700, 3000, 3000) // several windows with little memory: see smallestWhole
	traces := openAll(t, hops(t, 12, events, 7), etl2parquet.Options{})
	for _, format := range etl2parquet.Formats() {
		scan := etl2parquet.Scan{Columns: []string{"time_ns", "process_id", "fields"}, Selection: facts.Selection{Events: []string{"Hop"}}}
		if isOfAll(format) {
			scan.Columns = nil
		}
		want := written(t, traces, scan, format)
		if format == etl2parquet.FormatCSV && bytes.Count(want, []byte("\n")) != 1+12*events {
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
		if format != etl2parquet.FormatCSV {
			limits = limits[:testenv.Times(t, 1, 1, 3, 3)]
		}
		for _, limit := range limits {
			scan.Limit = limit
			got := written(t, traces, scan, format)
			if format == etl2parquet.FormatCSV && !bytes.HasPrefix(want, got) {
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
			traces := openAll(t, paths, etl2parquet.Options{})
			if err := os.Truncate(paths[2], 4096); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			_, err := traces.Write(t.Context(), &out, etl2parquet.Scan{Columns: []string{"process_id"}, Selection: facts.Selection{Events: []string{"Hop"}}}, etl2parquet.WriteOptions{Format: etl2parquet.FormatJSON})
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
