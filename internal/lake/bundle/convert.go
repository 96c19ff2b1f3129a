package bundle

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// Options control a conversion. The zero value is not valid: Workers and Memory must be set.
type Options struct {
	pipeline.Options
	Tool        string  // version, for the commit record
	CreatedBy   string  // the program, for the files: see parquet.Options
	Compression string  // "" is parquet.DefaultCompression
	Unsigned    string  // type of unsigned 64-bit columns, one of parquet.UnsignedTypes; "" is the default
	Force       bool    // convert even traces that the dataset has
	SHA256      bool    // also record the plain SHA-256 of inputs, which reads them once more
	Transient   bool    // the dataset is removed after use: its records lack the hashes of the inputs, and counts of payloads
	lower       *limits // for tests; nil for the usual limits
}

// Report is the result of converting one input.
type Report struct {
	Trace    string
	Skipped  bool // it was converted before, and has not changed
	Events   int64
	Rows     int64                // in tables of events
	Decoding *facts.Decoding      // nil if payloads were not counted: the dataset is transient, or an earlier version made it
	Files    []dataset.RecordFile // new files; the files of a bundle are in the report of its first trace
	Problems []facts.Problem
	// Mismatches are the parts of the selection that match nothing in the trace, and Empty
	// whether no event was selected for that reason. Both are unset for a skipped trace.
	Mismatches []facts.Mismatch
	Empty      bool
	// Describes and Unknown are those of the record.
	Describes, Unknown []string
	Again              string // why it was converted again, if its session or the symbols have changed
}

// Convert converts one trace into files of its own, under a name: into a part with one trace. If it
// fails, it leaves nothing behind, and an earlier conversion stays. A trace that was converted with
// other options is replaced only with Force; without it, the error is a [DifferentError].
func (d *Dataset) Convert(ctx context.Context, in pipeline.Input, trace string, o Options) (*Report, error) {
	p := newPrepared(&in, trace, o)
	var err error
	switch p.earlier, err = d.unchanged(ctx, &in, p.record, &o); {
	case err != nil || p.unchanged != nil:
		return skipped(p.unchanged), err
	case d.BundleOf(trace) != nil:
		return nil, errBundled
	}
	defer p.Close()
	if err := p.open(ctx, in); err != nil {
		return nil, err
	}
	p.sink.alone, p.late = true, true
	g := d.begin(p, trace)
	g.progress = o.staging()
	report, err := g.add(ctx, p)
	if err == nil {
		err = g.commit(ctx)
	}
	if err != nil {
		return nil, g.out.Abandon(ctx, err)
	}
	report.Files = g.record.Files
	return report, nil
}

var errBundled = errors.New("it was converted before, and shares files with other traces: a Bundler converts it")

// record returns the record of a trace, as far as known before the trace is read.
func (o *Options) record(in *pipeline.Input, trace string) *dataset.Recorded {
	r := &dataset.Record{
		Tool: o.Tool, Part: trace,
		Options: dataset.RecordOptions{
			Payload: o.Payload.String(), Messages: o.Messages.String(), Compression: o.Compression, Unsigned: dataset.UnsignedOption(o.Unsigned),
			Fields: o.Fields, Descriptions: o.Schemas.For(in.Name).Record(), MaxTables: o.MaxTables, Selection: o.Selection.Selection,
			Tables: o.Selection.Tables, Columns: o.Selection.Columns, Needs: o.Selection.Needs,
		},
	}
	input := filepath.ToSlash(in.Name)
	if o.Redact != nil {
		r.Options.Redact, input = o.Redact.Fingerprint(), redact.FileName(trace)
	}
	return &dataset.Recorded{Record: r, TraceRecord: &dataset.TraceRecord{
		Trace: trace, Input: input, InputSize: in.Size, InputTime: in.ModTime.UTC().Round(0),
		Siblings: siblingRecords(in.Siblings), Place: placeRecord(&in.Place),
	}}
}

// unchanged is earlier, for an input whose time may have changed: then it compares the contents.
func (d *Dataset) unchanged(ctx context.Context, in *pipeline.Input, now *dataset.Recorded, o *Options) (earlier, error) {
	found, err := d.earlier(ctx, now, o)
	if err != nil || found.unchanged == nil || sameTime(found.unchanged, now) {
		return found, err
	}
	same, err := sameContents(ctx, in, found.unchanged.TraceRecord, o.Workers)
	if err != nil || !same {
		found.unchanged = nil
	}
	return found, in.Because(err)
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
		Trace: r.Trace, Events: r.Events, Rows: r.Rows, Decoding: r.Decoding.Decoding(), Files: r.Files, Problems: r.Problems,
		Mismatches: m.List, Empty: m.Nothing != "", Describes: r.Describes, Unknown: r.Unknown,
	}
	if r.IsBundled() {
		report.Files = nil
	}
	return report
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
	return fixed.Source{Trace: r.Trace, File: filepath.Base(r.Input), ChunksXXH3: r.ChunksXXH3, SHA256: r.SHA256}
}
