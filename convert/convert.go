package convert

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/distinct"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Compressions are the codecs that Options.Compression may name, and
// DefaultCompression is the one it names if it is empty.
var Compressions = parquet.Compressions

// DefaultCompression is zstd at its fastest level: a fifth smaller than snappy,
// and read nearly as fast.
const DefaultCompression = parquet.DefaultCompression

// Options are how to convert. The zero value is not valid: Workers and Memory
// must be set.
type Options struct {
	Tool        string // version, for the commit record
	Workers     int
	Memory      int64 // bytes
	Payload     PayloadMode
	Fields      bool // the decoded payloads also as JSON, in the tables of headers
	Compression string
	Selection   Selection
	Schemas     *SchemaFiles // of the user; nil: none
	Messages    MessageMode
	Symbols     *Symbols // name functions of native code; nil: none
	MaxTables   int      // for events that schemas describe; 0 is DefaultMaxTables
	SelectFrom  string   // as the user wrote it, for the commit record
	SelectTo    string
	Index       string // of a source: the path of a file of indexes, which has the trace's; "" makes the index pass
	Once        bool   // of a source: no rows are made of it but those that Selection takes, and its index is not written
	TempDir     string // for temporary files; "" is the system's
	Force       bool   // convert again what is converted
	SHA256      bool   // the records have the plain SHA-256 of large inputs, too, for which the input is read once more
	Transient   bool   // the dataset is removed after use: its records lack the hashes of the inputs
	Strict      bool   // damage is an error, and so is a selection that takes nothing
	Progress    *Progress
	part        *slabs.Slab // of the events; nil: all
	frames      int64       // of stacks, in memory; see index.Options
	stacks      int         // distinct ones whose ids are in memory; 0 is the default
	without     index.Facts // see index.Options
	lower       *limits     // nil: the usual ones
}

// Report is what came of one input.
type Report struct {
	Trace    string
	Skipped  bool // it was converted before, and has not changed
	Events   int64
	Rows     int64                // in tables of events
	Decoding *Decoding            // nil if it was converted by a version that did not count it
	Files    []dataset.RecordFile // new ones; those of a bundle in the report of its first trace
	Problems []Problem
	// What of the selection matches nothing in the trace, and whether for that
	// reason nothing of it was selected. A trace that is skipped says neither.
	Mismatches []Mismatch
	Empty      bool
	Again      string // why it was converted again, if that is because its session or the symbols have changed
}

// ErrStrict is the error of damage when it is not to be tolerated.
var ErrStrict = errors.New("the trace is damaged, and --strict is set")

// Convert converts one trace into the dataset, under a name. If it fails,
// nothing of it is left, and what was converted before is untouched. A trace that
// was converted with other options is replaced by force only; without it, that is
// a [DifferentError].
func (d *Dataset) Convert(ctx context.Context, in Input, trace string, o Options) (*Report, error) {
	record := o.record(&in, trace)
	old, again, err := d.unchanged(ctx, &in, record, &o)
	switch {
	case err != nil || old != nil:
		return skipped(old), err
	case d.BundleOf(trace) != nil:
		return nil, errBundled
	}
	t, err := o.open(ctx, in, record)
	if err != nil {
		return nil, in.because(err)
	}
	defer t.close()
	out := d.NewOutput(trace)
	if err := writeTrace(ctx, out, t, record, &o); err != nil {
		return nil, out.Abandon(ctx, in.because(err))
	}
	report := reportOf(record, &t.mismatches)
	report.Again = again
	return report, nil
}

var errBundled = errors.New("it was converted before, and shares files with other traces: a Bundler converts it")

// record returns the record of a trace as far as it is known before it is read.
func (o *Options) record(in *Input, trace string) *dataset.Recorded {
	r := &dataset.Record{
		Tool: o.Tool, Part: trace,
		Options: dataset.RecordOptions{
			Payload: o.Payload.String(), Messages: o.Messages.String(), Compression: o.Compression,
			Fields: o.Fields, Descriptions: o.Schemas.Record(), MaxTables: o.MaxTables, From: o.SelectFrom, To: o.SelectTo,
			Providers: o.Selection.Providers, Events: o.Selection.Events, Processes: o.Selection.Processes, Tables: o.Selection.Tables, Columns: o.Selection.Columns,
		},
	}
	return &dataset.Recorded{Record: r, TraceRecord: &dataset.TraceRecord{
		Trace: trace, Input: filepath.ToSlash(in.Name), InputSize: in.Size, InputTime: in.ModTime.UTC().Round(0),
		Siblings: siblingRecords(in.Siblings),
	}}
}

// unchanged returns the record of an earlier conversion that did the same: of
// an input of the same size, and the same time or the same contents.
func (d *Dataset) unchanged(ctx context.Context, in *Input, now *dataset.Recorded, o *Options) (old *dataset.Recorded, again string, err error) {
	old, again, err = d.same(ctx, now, o)
	if err != nil || old == nil || sameTime(old, now) {
		return old, again, err
	}
	same, err := sameContents(ctx, in, old.TraceRecord, o.Workers)
	if err != nil || !same {
		return nil, "", in.because(err)
	}
	return old, "", nil
}

func skipped(old *dataset.Recorded) *Report {
	if old == nil {
		return nil
	}
	r := reportOf(old, new(selection.Mismatches))
	r.Skipped = true
	return r
}

func reportOf(r *dataset.Recorded, m *selection.Mismatches) *Report {
	report := &Report{
		Trace: r.Trace, Events: r.Events, Rows: r.Rows, Decoding: r.Decoding, Files: r.Files, Problems: r.Problems,
		Mismatches: m.List, Empty: m.Nothing != "",
	}
	if r.IsBundled() {
		report.Files = nil
	}
	return report
}

// unneeded returns the facts that the rows of the selection do not need.
func (o *Options) unneeded() index.Facts {
	if o.Symbols != nil { // they are of images
		return o.without
	}
	return o.without | index.AllFacts&^o.Selection.Facts()
}

// index makes the index pass.
func (o *Options) index(ctx context.Context, f *decode.File, options index.Options) (*index.Index, error) {
	if p := o.Progress; p != nil {
		p.FileBytes.Store(f.Size())
		options.Progress = func(bytes, events int64) { p.IndexedBytes.Add(bytes); p.Events.Add(events) }
	}
	return index.Build(ctx, f, options)
}

func (o *Options) indexOptions(in *Input) index.Options {
	return index.Options{
		Workers: o.Workers, Schemas: o.Schemas, MaxTables: o.MaxTables, Messages: o.Messages, Memory: o.Memory, TempDir: o.TempDir,
		StackFrames: o.frames, Siblings: siblingsOf(in), Before: in.Before, Earlier: in.Earlier,
	}
}

// writeTrace makes the convert pass and commits the files.
func writeTrace(ctx context.Context, out *dataset.Output, t *openTrace, record *dataset.Recorded, opt *Options) error {
	compression, err := parquet.NewCodec(opt.Compression)
	if err != nil {
		return err
	}
	sink := &parquetSink{trace: record.Trace, create: func(t *schema.Table) (*parquet.File, error) {
		p, err := parquet.NewFile(nil, t.WithTrace(), compression)
		if err != nil {
			return nil, err
		}
		f, err := out.Create(ctx, p)
		p.SetWriter(f)
		return p, err
	}}
	if err = convertEvents(ctx, t, opt, sink, record, fixedJobs(t.index, t.filter)); err != nil {
		return err
	}
	if err := t.complete(record, opt); err != nil {
		return err
	}
	if err := writeFixed(ctx, t.index, sourceOf(record), t.filter, sink, opt.Workers, (*fixedTable).isAtEnd); err != nil {
		return err
	}
	return out.CommitTrace(ctx, record, opt.Progress.staging())
}

// convertEvents makes the convert pass, and notes in the record what it found. Beside the
// events it makes row groups of other tables.
func convertEvents(ctx context.Context, t *openTrace, o *Options, sink Sink, record *dataset.Recorded, others []*groupJob) (err error) {
	p := newPipeline(t.index, o, t.filter, sink)
	p.later = others
	p.rows.CountPayloads()
	if record.Decoding, err = runPipeline(ctx, t.index, p, o.Workers); err == nil {
		record.Symbols = p.rows.Symbols.Record()
	}
	return err
}

func runPipeline(ctx context.Context, x *index.Index, p *pipeline, workers int) (*Decoding, error) {
	if err := errors.Join(p.run(ctx, workers), p.rows.Seen.Close()); err != nil {
		return nil, err
	}
	for _, problem := range p.misfits.List {
		x.Problems.Add(problem)
	}
	p.stacks.Note(x.Problems)
	p.filter.Taken = p.taken
	if p.rows.CountsPayloads() {
		x.Counted(p.counts)
	}
	return x.Decoding(p.counts), nil
}

// seenShare is the share of memory for the ids of the stacks that a trace has had.
const seenShare = 16

func newPipeline(x *index.Index, o *Options, filter *rows.Filter, sink Sink) *pipeline {
	p := &pipeline{
		sink:     sink,
		x:        x,
		filter:   filter,
		plan:     filter.Plan(x),
		events:   filter.Events(),
		rows:     filter.Context(x, o.Payload, o.Fields, o.Symbols),
		progress: new(Progress),
		memory:   memoryForRows(o.Memory, x.Tables().Memory()),
		waiting:  o.outputLimits().waiting,
	}
	p.rows.Seen = distinct.NewSet(cmp.Or(o.stacks, int(o.Memory/seenShare/distinct.BytesPerID)), x.Temporary.Create)
	if o.Progress != nil {
		p.progress = o.Progress
	}
	p.tables = make([]*tableOutput, filter.Tables())
	return p
}
