package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// Options are the options of a run.
type Options struct {
	Program string // version, for the report
	Workers []int  // numbers of workers to measure
	Rounds  int
	Part    int64             // bytes of a trace to measure; 0 measures all
	Convert bundle.Options    // of conversions, except workers
	Notice  func(text string) // called before each round; may be nil
	JSON    bool              // print an object for each trace, on a line of its own
	Width   int               // of a page
	Style   texts.Style
}

// NewReport returns a report on this machine.
func NewReport(o *Options) *Report {
	r := &Report{Version: FormatVersion, Program: o.Program, GoVersion: runtime.Version(), Machine: ThisMachine()}
	r.Settings.Workers, r.Settings.Rounds, r.Settings.Memory = o.Workers, o.Rounds, o.Convert.Memory
	return r
}

// Begin prints what a report says of the machine.
func (r *Report) Begin(w io.Writer, o *Options) {
	if !o.JSON {
		r.writeMachine(w, o)
	}
}

// Add measures a trace, and prints the result.
func (r *Report) Add(ctx context.Context, w io.Writer, in pipeline.Input, o *Options) error {
	t, err := measureTrace(ctx, in, o)
	if err != nil {
		return err
	}
	if o.JSON {
		return texts.WriteJSONLine(w, result{r, t})
	}
	t.write(w, o)
	return nil
}

// A round runs each stage repeatedly until it has taken leastRound of processor time, or until longestRound has
// passed: a small trace mostly waits for the disk.
const (
	leastRound   = 250 * time.Millisecond
	longestRound = 4 * leastRound
)

// measureTrace measures a trace: a conversion as a warm-up, and then the rounds.
func measureTrace(ctx context.Context, in pipeline.Input, o *Options) (t *Trace, err error) {
	folder, err := os.MkdirTemp(o.Convert.TempDir, "etl2parquet-bench-")
	if err != nil {
		return nil, err
	}
	m := &measurement{ctx: ctx, in: in, o: o, folder: folder, least: leastRound, longest: longestRound}
	if err = m.cut(); err == nil {
		t, err = m.trace()
	}
	return t, errors.Join(err, os.RemoveAll(folder))
}

// trace measures the trace.
func (m *measurement) trace() (*Trace, error) {
	m.notice("warm-up")
	report, err := m.convert(m.o.Workers[0])
	if err != nil {
		return nil, err
	}
	shape, err := m.shape(report)
	if err != nil {
		return nil, err
	}
	runs := make([]run, len(m.o.Workers))
	for i := range m.o.Rounds {
		m.notice(fmt.Sprintf("round %d of %d", i+1, m.o.Rounds))
		for k, n := range m.o.Workers {
			if err := m.round(&runs[k], n); err != nil {
				return nil, err
			}
		}
	}
	t := &Trace{Shape: *shape}
	for k, n := range m.o.Workers {
		c := runs[k].conversion(n, shape)
		t.Conversions = append(t.Conversions, c)
		t.Stages = append(t.Stages, runs[k].stages(&c, shape)...)
	}
	t.estimate()
	return t, nil
}

// measurement is the measurement of a trace.
type measurement struct {
	ctx    context.Context
	in     pipeline.Input // its part that is measured
	whole  int64          // bytes of the trace
	o      *Options
	folder string
	done   int // conversions

	least, longest time.Duration // of a round: processor time, and elapsed time
}

func (m *measurement) notice(text string) {
	if m.o.Notice != nil {
		m.o.Notice(m.in.Name + ": " + text)
	}
}

// round runs the trace up to each stage, once or more, until that is long enough.
func (m *measurement) round(r *run, workers int) error {
	if *r == nil {
		*r = make(run, len(stages))
	}
	for stage := range stages {
		var sum Cost
		runs := 0
		for runs == 0 || sum.CPU < m.least && sum.Wall < m.longest {
			cost, err := measure(workers, func() error { return m.through(stage, workers) })
			if err != nil {
				return err
			}
			sum.add(cost)
			runs++
		}
		n := time.Duration(runs)
		(*r)[stage] = append((*r)[stage], Cost{sum.Wall / n, sum.CPU / n})
	}
	return m.clear()
}

// convert converts the trace into a folder of its own.
func (m *measurement) convert(workers int) (*bundle.Report, error) {
	m.done++
	d, err := bundle.OpenDataset(filepath.Join(m.folder, strconv.Itoa(m.done)))
	if err != nil {
		return nil, err
	}
	o := m.o.Convert
	o.Workers = workers
	return d.Convert(m.ctx, m.in, "trace", o)
}

// clear removes the datasets of earlier conversions.
func (m *measurement) clear() error {
	for ; m.done > 0; m.done-- {
		if err := os.RemoveAll(filepath.Join(m.folder, strconv.Itoa(m.done))); err != nil {
			return err
		}
	}
	return nil
}

// shape describes the trace, by its index and the report of a conversion.
func (m *measurement) shape(report *bundle.Report) (_ *Shape, err error) {
	o := m.o.Convert
	o.Workers = m.o.Workers[0]
	source, err := pipeline.OpenSource(m.ctx, m.in, &o.Options)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	s, err := source.Index.Summary(m.ctx, m.in.Name, 1)
	if err != nil {
		return nil, err
	}
	shape := &Shape{
		File: s.File, Size: m.whole, Measured: m.in.Size, Uncompressed: s.Uncompressed, Buffers: s.Buffers,
		Compressed: s.Compressed, Compression: s.CompressionRatio,
		Events: s.Events, EventsByHeader: s.EventsByHeader, EventTypes: int64(len(s.EventTypes)),
		NotDecoded: s.Decoding.Raw, Stacks: source.Index.Tables().Stacks.Any(),
	}
	for _, f := range report.Files {
		shape.Rows += f.Rows
		shape.Parquet += f.Bytes
		if f.Rows > 0 {
			shape.Tables++
		}
	}
	return shape, nil
}
