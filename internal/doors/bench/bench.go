// Package bench measures how fast a trace is read, decoded and encoded on this machine.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/cputime"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/schema"
)

// DefaultPart is how many bytes of a trace are measured, unless an option says otherwise. They take
// seconds, and the start of a run is less than a hundredth of them.
const DefaultPart = 256 << 20

// formatVersion is the version of the JSON form. Fields may be added to a version; none is renamed or changes its
// meaning.
const formatVersion = 5

// Options are the options of a measurement.
type Options struct {
	Program string // version, for the report
	Rounds  int
	Part    int64          // bytes of a trace to measure; 0 measures all
	Convert bundle.Options // of the runs
	Notice  func(string)   // called before each round; may be nil
	JSON    bool           // print an object for each trace, on a line of its own
	Width   int            // of the table
	Style   texts.Style
}

// result is the JSON form of a measurement. docs/bench.md explains each field.
type result struct {
	Version  int    `json:"version"`
	Machine  string `json:"machine"`
	Workers  int    `json:"workers"`
	Rounds   int    `json:"rounds"`
	File     string `json:"file"`
	Size     int64  `json:"size"`
	Measured int64  `json:"measured_bytes"`
	Events   int64  `json:"events"`
	Runs     []run  `json:"runs"` // in the order of stages
}

// run sums up the rounds of the runs that stop after a stage.
type run struct {
	Through         string  `json:"through"`
	Wall            float64 `json:"wall_seconds"` // median
	CPU             float64 `json:"cpu_seconds"`  // median
	EventsPerSecond float64 `json:"events_per_second"`
	BytesPerSecond  float64 `json:"bytes_per_second"`
	Spread          float64 `json:"spread"`
}

// measurement is the measurement of a trace.
type measurement struct {
	ctx    context.Context
	in     pipeline.Input // ends with the part that is measured
	o      *Options
	folder string
	events int64
}

// stages are the stages of a conversion. The runs of each pass through those before it, too.
var stages = []struct {
	name string
	run  func(*measurement) error
}{{"read", (*measurement).read}, {"decode", (*measurement).decode}, {"encode", (*measurement).encode}}

// Trace measures a trace, and prints the result. The runs of the first round are not measured.
func Trace(ctx context.Context, w io.Writer, in pipeline.Input, o *Options) (err error) {
	r := &result{Version: formatVersion, Workers: o.Convert.Workers, Rounds: o.Rounds, File: in.Name, Size: in.Size}
	r.Machine = fmt.Sprintf("etl2parquet %s, %s, %s/%s, %s", o.Program, runtime.Version(), runtime.GOOS, runtime.GOARCH, texts.Counted(int64(runtime.NumCPU()), "core"))
	m := &measurement{ctx: ctx, in: in, o: o}
	if m.in.Size, err = partOf(in, o.Part); err != nil {
		return err
	}
	if m.folder, err = os.MkdirTemp(o.Convert.TempDir, "etl2parquet-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.folder)) }()
	wall, cpu := make([][]time.Duration, len(stages)), make([][]time.Duration, len(stages))
	for round := range o.Rounds + 1 {
		if o.Notice != nil {
			o.Notice(fmt.Sprintf("%s: round %d of %d, after one to warm up", in.Name, round, o.Rounds))
		}
		for i := range stages {
			start, used := time.Now(), cputime.Used()
			if err := stages[i].run(m); err != nil {
				return err
			}
			if round > 0 {
				wall[i], cpu[i] = append(wall[i], time.Since(start)), append(cpu[i], cputime.Used()-used)
			}
		}
		if err := os.RemoveAll(m.dataset()); err != nil {
			return err
		}
	}
	r.Measured, r.Events = m.in.Size, m.events
	for i, stage := range stages {
		r.Runs = append(r.Runs, r.sumUp(stage.name, wall[i], cpu[i]))
	}
	if o.JSON {
		return texts.WriteJSONLine(w, r)
	}
	r.print(w, o)
	return nil
}

// partOf returns the end of the last whole buffer in the first bytes of a trace; the end of the trace if part is 0.
func partOf(in pipeline.Input, part int64) (int64, error) {
	if part <= 0 || in.Size <= part {
		return in.Size, nil
	}
	f, err := decode.NewFile(in.Trace, part)
	if err != nil {
		return 0, err
	}
	for i := f.Buffers() - 1; i >= 0; i-- {
		b := f.BufferInfo(i)
		if end := b.Offset + int64(b.Header.BufferSize); end <= part { // b.Size ends with the part
			return end, nil
		}
	}
	return in.Size, nil
}

// read runs the first pass.
func (m *measurement) read() error {
	source, err := pipeline.OpenSource(m.ctx, m.in, &m.o.Convert.Options)
	if err != nil {
		return err
	}
	return source.Close()
}

// decode runs both passes, and drops the rows.
func (m *measurement) decode() error {
	source, err := pipeline.OpenSource(m.ctx, m.in, &m.o.Convert.Options)
	if err != nil {
		return err
	}
	_, err = source.Rows(m.ctx, &m.o.Convert.Options, noSink{})
	return errors.Join(err, source.Close())
}

func (m *measurement) dataset() string { return filepath.Join(m.folder, "dataset") }

// encode converts the trace into a new dataset.
func (m *measurement) encode() error {
	d, err := bundle.OpenDataset(m.dataset())
	if err != nil {
		return err
	}
	report, err := d.Convert(m.ctx, m.in, "trace", m.o.Convert)
	if err == nil {
		m.events = report.Events
	}
	return err
}

// noSink drops rows.
type noSink struct{}

func (noSink) Table(*schema.Table) (pipeline.Writer, error)     { return noSink{}, nil }
func (noSink) Encode(*pipeline.Group) (pipeline.Encoded, error) { return noSink{}, nil }
func (noSink) Commit() error                                    { return nil }

// sumUp computes the medians and rates of the rounds of a stage.
func (r *result) sumUp(stage string, walls, cpus []time.Duration) run {
	wall, cpu := median(walls), median(cpus)
	seconds := max(wall, time.Nanosecond).Seconds() // a clock may not have moved
	return run{
		Through: stage, Wall: wall.Seconds(), CPU: cpu.Seconds(),
		EventsPerSecond: float64(r.Events) / seconds, BytesPerSecond: float64(r.Measured) / seconds,
		Spread: (slices.Max(walls) - slices.Min(walls)).Seconds() / seconds,
	}
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// print prints a line about the measurement, and the table.
func (r *result) print(w io.Writer, o *Options) {
	size := texts.RoundSize(r.Size)
	if r.Measured < r.Size {
		size = "the first " + texts.PartOfSize(r.Measured, r.Size)
	}
	fmt.Fprintf(w, "%s\n%s: %s, %s\n", r.Machine, texts.Printable(r.File), size, texts.Counted(r.Events, "event"))
	g := texts.Grid{Indent: "  ", Right: []bool{false, true, true, true, true, true}, Head: true, Style: o.Style}
	g.Add(texts.Counted(int64(r.Workers), "worker"), "events/s", "bytes/s", "elapsed", "processor", "spread")
	through := ""
	for i := range r.Runs {
		c := &r.Runs[i]
		through += c.Through
		g.Add(through, texts.PerSecond(c.EventsPerSecond), texts.PerSecond(c.BytesPerSecond), elapsed(c.Wall), elapsed(c.CPU), fmt.Sprintf("%.0f %%", 100*c.Spread))
		through += " + "
	}
	g.Print(w, o.Width)
}

func elapsed(seconds float64) string {
	return texts.Elapsed(time.Duration(seconds * float64(time.Second)))
}
