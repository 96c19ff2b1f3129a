package bench

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func inputOf(t *testing.T, path string) pipeline.Input {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return pipeline.Input{Name: filepath.Base(path), Size: info.Size(), Trace: f}
}

// TestTrace checks that all events of the trace, or of the part of it, are measured, and that nothing is left behind.
func TestTrace(t *testing.T) {
	for _, c := range []struct {
		file         string
		part, events int64
	}{
		{"sample.etl", 0, 449},
		{"sample.etl", 1 << 30, 449},
		{"sample.etl", 24<<10 + 100, 248},
		{"sample-compressed.etl", 0, 449},
	} {
		folder := t.TempDir()
		in := inputOf(t, filepath.Join("../../../testdata", c.file))
		o := &Options{Rounds: 2, Part: c.part, JSON: true, Convert: bundle.Options{Options: pipeline.Options{Workers: 2, Memory: pipeline.DefaultMemory, TempDir: folder}}}
		var out bytes.Buffer
		if err := Trace(t.Context(), &out, in, o); err != nil {
			t.Fatal(err)
		}
		var r result
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.Events != c.events || r.Size != in.Size || r.Measured > in.Size || r.Workers != 2 || len(r.Runs) != 3 {
			t.Errorf("%+v: %+v", c, r)
		}
		for _, run := range r.Runs {
			if run.Wall <= 0 || run.EventsPerSecond <= 0 || run.BytesPerSecond <= 0 {
				t.Errorf("%+v: %+v", c, run)
			}
		}
		f, err := decode.NewFile(in.Trace, r.Measured)
		if err != nil {
			t.Fatal(err)
		}
		if faults, _ := f.Faults(); len(faults) > 0 {
			t.Errorf("%+v: the part ends within a buffer: %v", c, faults[0].Err)
		}
		if rest, err := os.ReadDir(folder); err != nil || len(rest) > 0 {
			t.Errorf("%+v: left behind: %v, %v", c, rest, err)
		}
	}
}

func TestSumUp(t *testing.T) {
	r := &result{Events: 10, Measured: 20}
	for _, c := range []struct {
		walls []time.Duration
		want  run
	}{
		{[]time.Duration{time.Second}, run{Wall: 1, EventsPerSecond: 10, BytesPerSecond: 20}},
		{[]time.Duration{3 * time.Second, time.Second}, run{Wall: 2, EventsPerSecond: 5, BytesPerSecond: 10, Spread: 1}},
		{[]time.Duration{9 * time.Second, time.Second, 2 * time.Second}, run{Wall: 2, EventsPerSecond: 5, BytesPerSecond: 10, Spread: 4}},
		{[]time.Duration{0}, run{EventsPerSecond: 1e10, BytesPerSecond: 2e10}},
	} {
		c.want.Through, c.want.CPU = "read", c.want.Wall
		got := r.sumUp("read", c.walls, append([]time.Duration(nil), c.walls...))
		if diff := cmp.Diff(c.want, got, cmp.Comparer(func(a, b float64) bool { return a-b < 1e-3 && b-a < 1e-3 })); diff != "" {
			t.Errorf("%v: -want +got:\n%s", c.walls, diff)
		}
	}
}

// TestJSON compares a result with a golden file: programs that compare machines read it.
func TestJSON(t *testing.T) {
	r := &result{Version: formatVersion, Machine: "a machine", Workers: 2, Rounds: 1, File: "a.etl", Size: 40, Measured: 20, Events: 10}
	r.Runs = append(r.Runs, r.sumUp("read", []time.Duration{2 * time.Second}, []time.Duration{time.Second}))
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	testenv.Golden(t, "testdata/result.json", string(b)+"\n")
}
