package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// Options are what a run does.
type Options struct {
	Program string // version, for the report
	Workers []int  // numbers of workers to measure
	Rounds  int
	Convert bundle.Options    // of conversions, but for their workers
	Peer    *Peer             // to compare with; nil: none
	Notice  func(text string) // called before each round; nil: not called
}

// NewReport returns a report without traces.
func NewReport(o *Options) *Report {
	r := &Report{Version: FormatVersion, Program: o.Program, GoVersion: runtime.Version(), Machine: ThisMachine(), Traces: []*Trace{}}
	r.Settings.Workers, r.Settings.Rounds, r.Settings.Memory = o.Workers, o.Rounds, o.Convert.Memory
	return r
}

// Measure measures a trace: a warm-up with the first number of workers, and then the rounds.
func Measure(ctx context.Context, in pipeline.Input, o *Options) (t *Trace, err error) {
	folder, err := os.MkdirTemp(o.Convert.TempDir, "etl2parquet-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	m := &measurement{ctx: ctx, in: in, o: o, folder: folder, ledger: newLedger(), shape: new(Shape)}
	for i := range o.Rounds + 1 {
		workers, name := o.Workers, fmt.Sprintf("round %d of %d", i, o.Rounds)
		if i == 0 {
			workers, name = o.Workers[:1], "warm-up"
		}
		m.notice(name)
		if err := m.round(workers, i == 0); err != nil {
			return nil, err
		}
		m.ledger.endRound(i > 0)
	}
	t = m.trace()
	if o.Peer != nil {
		err = m.compare(t)
	}
	return t, err
}

// measurement is the measurement of a trace.
type measurement struct {
	ctx    context.Context
	in     pipeline.Input
	o      *Options
	folder string
	ledger *ledger
	shape  *Shape
}

func (m *measurement) notice(text string) {
	if m.o.Notice != nil {
		m.o.Notice(m.in.Name + ": " + text)
	}
}

// round measures all stages once.
func (m *measurement) round(workers []int, first bool) error {
	b, err := newBufferStages(m.in.Trace, m.in.Size, workers, m.ledger)
	if err != nil {
		return err
	}
	if err := b.round(m.ctx); err != nil {
		return err
	}
	for _, n := range workers {
		if err := m.index(n); err != nil {
			return err
		}
	}
	source, err := pipeline.OpenSource(m.ctx, m.in, &m.options(workers[0]).Options)
	if err != nil {
		return err
	}
	err = m.rows(source, workers, first)
	if err := errors.Join(err, source.Close()); err != nil {
		return err
	}
	for _, n := range workers {
		if err := m.convert(n); err != nil {
			return err
		}
	}
	return nil
}

// options returns the options of a conversion.
func (m *measurement) options(workers int) *bundle.Options {
	o := m.o.Convert
	o.Workers = workers
	return &o
}

func (m *measurement) index(n int) error {
	f, err := decode.NewFile(m.in.Trace, m.in.Size)
	if err != nil {
		return err
	}
	var x *index.Index
	o := m.options(n)
	cost, err := measure(n, func() (err error) {
		x, err = index.Build(m.ctx, f, index.Options{
			Workers: n, Schemas: o.Schemas, Messages: o.Messages, Memory: o.Memory, TempDir: o.TempDir,
		})
		return err
	})
	if err != nil {
		return err
	}
	m.ledger.add(Index, n, cost)
	return x.Close()
}

// rows measures what needs rows.
func (m *measurement) rows(source *pipeline.Source, workers []int, first bool) error {
	rows := func(workers int, sink pipeline.Sink) error {
		o := m.options(workers)
		o.Selection.Tables = allButTraces
		_, err := source.Rows(m.ctx, &o.Options, sink)
		return err
	}
	for _, n := range workers {
		cost, err := measure(n, func() error { return rows(n, new(pipeline.Counter)) })
		if err != nil {
			return err
		}
		m.ledger.add(Columns, n, cost)
	}
	h := newHeld(m.ctx, m.folder, workers, m.ledger)
	err := h.finish(rows(1, h))
	if err == nil && first {
		err = m.describe(source, h)
	}
	return err
}

// allButTraces are patterns of the tables of a conversion but for the table traces: its hash
// is a stage of its own. Names of all tables would do, but matching hundreds of them costs
// more than many a trace.
var allButTraces = []string{"[^t]*", "th*"}

func (m *measurement) convert(n int) error {
	folder := filepath.Join(m.folder, "dataset")
	cost, err := measure(n, func() error {
		d, err := bundle.OpenDataset(folder)
		if err != nil {
			return err
		}
		_, err = d.Convert(m.ctx, m.in, "trace", *m.options(n))
		return err
	})
	if err != nil {
		return err
	}
	m.ledger.add(Convert, n, cost)
	return os.RemoveAll(folder)
}

// describe notes the shape of the trace.
func (m *measurement) describe(source *pipeline.Source, h *held) error {
	s, err := source.Index.Summary(m.ctx, m.in.Name, 1)
	if err != nil {
		return err
	}
	*m.shape = Shape{
		File: s.File, Size: s.Size, Uncompressed: s.Uncompressed, Buffers: s.Buffers,
		Compressed: s.Compressed, Compression: s.CompressionRatio,
		Events: s.Events, EventsByHeader: s.EventsByHeader, EventTypes: int64(len(s.EventTypes)),
		Stacks: source.Index.Tables().Stacks.Any(), Columns: h.columnBytes, Parquet: h.parquetBytes,
	}
	m.shape.Rows, m.shape.Tables = h.rowCount()
	m.shape.NotDecoded = s.Decoding.Raw
	return nil
}

// trace returns what was measured.
func (m *measurement) trace() *Trace {
	s := m.shape
	bytes := map[Stage]int64{
		Read: s.Size, Hash: s.Size, Unpack: s.Uncompressed, Walk: s.Uncompressed, Index: s.Uncompressed, Columns: s.Uncompressed,
		Scatter: s.Columns, Encode: s.Columns, Write: s.Parquet, Convert: s.Uncompressed,
	}
	t := &Trace{Shape: *s, Stages: m.ledger.totals(m.o.Workers, s.Events, bytes)}
	t.Limit = limitOf(t.Stages)
	return t
}
