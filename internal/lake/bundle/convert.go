package bundle

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Options control a conversion. The zero value is not valid: Workers and Memory must be set.
type Options struct {
	pipeline.Options
	Tool        string  // version, for the commit record
	Compression string  // "" is parquet.DefaultCompression
	Force       bool    // convert even traces that the dataset has
	SHA256      bool    // also record the plain SHA-256 of large inputs, which reads them once more
	Transient   bool    // the dataset is removed after use: its records lack the hashes of the inputs
	lower       *limits // for tests; nil for the usual limits
}

// Report is the result of converting one input.
type Report struct {
	Trace    string
	Skipped  bool // it was converted before, and has not changed
	Events   int64
	Rows     int64                // in tables of events
	Decoding *index.Decoding      // nil if the version that converted the trace did not count payloads
	Files    []dataset.RecordFile // new files; the files of a bundle are in the report of its first trace
	Problems []problems.Problem
	// Mismatches are the parts of the selection that match nothing in the trace, and Empty
	// whether no event was selected for that reason. Both are unset for a skipped trace.
	Mismatches []selection.Mismatch
	Empty      bool
	Again      string // why it was converted again, if its session or the symbols have changed
}

// Convert converts one trace into the dataset, under a name. If it fails, it leaves
// nothing behind, and an earlier conversion stays. A trace that was converted with
// other options is replaced only with Force; without it, the error is a
// [DifferentError].
func (d *Dataset) Convert(ctx context.Context, in pipeline.Input, trace string, o Options) (*Report, error) {
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
		return nil, in.Because(err)
	}
	defer t.close()
	out := d.NewOutput(trace)
	if err := writeTrace(ctx, out, t, record, &o); err != nil {
		return nil, out.Abandon(ctx, in.Because(err))
	}
	report := reportOf(record, &t.mismatches)
	report.Again = again
	return report, nil
}

var errBundled = errors.New("it was converted before, and shares files with other traces: a Bundler converts it")

// record returns the record of a trace, as far as known before the trace is read.
func (o *Options) record(in *pipeline.Input, trace string) *dataset.Recorded {
	r := &dataset.Record{
		Tool: o.Tool, Part: trace,
		Options: dataset.RecordOptions{
			Payload: o.Payload.String(), Messages: o.Messages.String(), Compression: o.Compression,
			Fields: o.Fields, Descriptions: o.Schemas.Record(), MaxTables: o.MaxTables, From: o.Selection.From.Text, To: o.Selection.To.Text,
			Providers: o.Selection.Providers, Events: o.Selection.Events, Processes: o.Selection.Processes, Tables: o.Selection.Tables, Columns: o.Selection.Columns,
		},
	}
	return &dataset.Recorded{Record: r, TraceRecord: &dataset.TraceRecord{
		Trace: trace, Input: filepath.ToSlash(in.Name), InputSize: in.Size, InputTime: in.ModTime.UTC().Round(0),
		Siblings: siblingRecords(in.Siblings),
	}}
}

// unchanged returns the record of an earlier conversion with the same result: of an
// input with the same size, and the same time or contents.
func (d *Dataset) unchanged(ctx context.Context, in *pipeline.Input, now *dataset.Recorded, o *Options) (old *dataset.Recorded, again string, err error) {
	old, again, err = d.earlier(ctx, now, o)
	if err != nil || old == nil || sameTime(old, now) {
		return old, again, err
	}
	same, err := sameContents(ctx, in, old.TraceRecord, o.Workers)
	if err != nil || !same {
		return nil, "", in.Because(err)
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
	if err = convertEvents(ctx, t, opt, sink, record, true); err != nil {
		return err
	}
	if err := t.complete(record, opt); err != nil {
		return err
	}
	if err := pipeline.WriteFixed(ctx, t.index, sourceOf(record), t.filter, sink, opt.Workers); err != nil {
		return err
	}
	return out.CommitTrace(ctx, record, opt.staging())
}

// convertEvents makes the convert pass and completes the record. With beside it makes rows of other
// tables, too; see [pipeline.Events].
func convertEvents(ctx context.Context, t *openTrace, o *Options, sink pipeline.Sink, record *dataset.Recorded, beside bool) (err error) {
	record.Decoding, record.Symbols, err = pipeline.Events(ctx, t.index, &o.Options, t.filter, sink, beside)
	return err
}

// staging returns the part of the progress that belongs to the commit, or nil if there is no
// progress.
func (o *Options) staging() *dataset.Progress {
	if o.Progress == nil {
		return nil
	}
	return &dataset.Progress{Files: &o.Progress.Files, Staged: &o.Progress.Staged}
}

func sourceOf(r *dataset.Recorded) fixed.Source {
	return fixed.Source{Trace: r.Trace, File: filepath.Base(r.Input), SHA256: r.SHA256, ChunksSHA256: r.ChunksSHA256}
}
