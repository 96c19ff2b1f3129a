package bench

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// samples are traces whose buffers are plain and compressed, and real ones with stacks.
func samples(t *testing.T) []string {
	return testenv.Unraced(testenv.SharedOr(t, "traces/net.4.5.2.x86.etl"), "../../../testdata/sample.etl", "../../../testdata/sample-compressed.etl")
}

func measurementOf(t *testing.T, path string) *measurement {
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
	o := &Options{Workers: []int{1, 3}, Rounds: 1, Convert: bundle.Options{Options: pipeline.Options{Memory: pipeline.DefaultMemory, TempDir: t.TempDir()}}}
	return &measurement{ctx: t.Context(), in: pipeline.Input{Name: filepath.Base(path), Size: info.Size(), Trace: f}, o: o, folder: t.TempDir()}
}

// TestMeasure checks that the whole conversion is measured: its events, rows and bytes, and that
// stages add up to the conversion.
func TestMeasure(t *testing.T) {
	for _, path := range samples(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if filepath.Base(path) == "net.4.5.2.x86.etl" {
				testenv.Slow(t, "a real trace, several times")
			}
			m := measurementOf(t, path)
			report, err := m.convert(1)
			if err != nil {
				t.Fatal(err)
			}
			trace, err := m.trace() // with one run a round
			if err != nil {
				t.Fatal(err)
			}
			var rows, bytes int64
			for _, f := range report.Files {
				rows, bytes = rows+f.Rows, bytes+f.Bytes
			}
			if s := trace.Shape; s.Events != report.Events || s.Rows != rows || s.Parquet != bytes || s.Uncompressed <= 0 {
				t.Errorf("%+v, a conversion has %d events, %d rows and %d bytes", s, report.Events, rows, bytes)
			}
			if left, err := os.ReadDir(m.folder); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
			if len(trace.Conversions) != len(m.o.Workers) || len(trace.Stages) != len(m.o.Workers)*len(stages) {
				t.Fatalf("%d conversions, %d stages", len(trace.Conversions), len(trace.Stages))
			}
			for i, c := range trace.Conversions {
				if c.Workers != m.o.Workers[i] || c.Wall.Median <= 0 || c.EventsPerSecond <= 0 || c.BytesPerSecond <= 0 {
					t.Errorf("%+v", c)
				}
			}
			trace.write(io.Discard, &Options{Width: 80})
		})
	}
}

// TestStages divides a conversion among its stages: each has what its runs took more than the shorter ones, a
// stage that seems to take less than nothing has nothing, and the report is JSON if nothing was measured.
func TestStages(t *testing.T) {
	s := &Shape{Events: 10, Uncompressed: 20}
	for _, c := range []struct {
		cpu   [3]time.Duration
		want  [3]float64 // seconds
		share [3]float64
	}{
		{[3]time.Duration{time.Second, 3 * time.Second, 4 * time.Second}, [3]float64{1, 2, 1}, [3]float64{0.25, 0.5, 0.25}},
		{[3]time.Duration{2 * time.Second, time.Second, 4 * time.Second}, [3]float64{2, 0, 2}, [3]float64{0.5, 0, 0.5}},
		{},
	} {
		r := make(run, len(stages))
		for i, cpu := range c.cpu {
			r[i] = []Cost{{CPU: cpu}}
		}
		whole := r.conversion(1, s)
		trace := &Trace{Shape: *s, Conversions: []Conversion{whole}, Stages: r.stages(&whole, s)}
		for i, got := range trace.Stages {
			if got.CPU != c.want[i] || got.Share != c.share[i] || got.NSPerEvent != c.want[i]*1e9/10 {
				t.Errorf("%v: %+v", c.cpu, got)
			}
		}
		if _, err := json.Marshal(trace); err != nil {
			t.Error(err)
		}
		trace.write(io.Discard, &Options{Width: 80})
	}
}

// TestPart checks that only the first buffers of a trace are measured, and that the estimate of the whole
// is theirs times its size.
func TestPart(t *testing.T) {
	const path = "../../../testdata/sample.etl"
	whole := measurementOf(t, path)
	if err := whole.cut(); err != nil {
		t.Fatal(err)
	}
	all, err := whole.trace()
	if err != nil {
		t.Fatal(err)
	}
	if s := all.Shape; s.Measured != s.Size || s.WholeParquet != s.Parquet {
		t.Errorf("all of it: %+v", s)
	}
	m := measurementOf(t, path)
	m.o.Part = all.Shape.Size / 2
	if err := m.cut(); err != nil {
		t.Fatal(err)
	}
	half, err := m.trace()
	if err != nil {
		t.Fatal(err)
	}
	s := half.Shape
	if s.Size != all.Shape.Size || s.Measured <= 0 || s.Measured > m.o.Part || s.Events <= 0 || s.Events >= all.Shape.Events {
		t.Errorf("a half of it: %+v", s)
	}
	f, err := decode.NewFile(m.in.Trace, m.in.Size)
	if err != nil {
		t.Fatal(err)
	}
	if faults, _ := f.Faults(); len(faults) > 0 {
		t.Errorf("the part ends within a buffer: %v", faults[0].Err)
	}
	for _, c := range half.Conversions {
		if c.WholeCPU <= c.CPU.Median || c.WholeWall <= c.Wall.Median {
			t.Errorf("the whole takes no more than its half: %+v", c)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		rounds []time.Duration
		want   Spread
	}{
		{[]time.Duration{time.Second}, Spread{1, 1, 1}},
		{[]time.Duration{3 * time.Second, time.Second}, Spread{2, 1, 3}},
		{[]time.Duration{9 * time.Second, time.Second, 2 * time.Second}, Spread{2, 1, 9}},
	} {
		if got := spreadOf(c.rounds); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.rounds, got, c.want)
		}
	}
}
