package bundle

import (
	"context"

	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// openPart is a part of the dataset, a trace or a bundle, that is not committed yet.
type openPart struct {
	out      *partOutput
	record   *dataset.Record
	size     int64             // of the inputs
	progress *dataset.Progress // of the commit, or nil

	recordSize int // estimated bytes
	workers    int
}

// begin begins a part with this name, whose first trace is p.
func (d *Dataset) begin(p *Prepared, name string) *openPart {
	return &openPart{
		out:    d.newPartOutput(name, p.sink.form, p.options.outputLimits().bundled),
		record: &dataset.Record{Tool: p.options.Tool, Part: name, Options: p.record.Options}, workers: p.options.Workers,
	}
}

// add adds a trace. An error leaves the part as it was, unless its output is lost.
func (g *openPart) add(ctx context.Context, p *Prepared) (*Report, error) {
	if p.late {
		p.sink.begin = func(f *parquet.File) error { return g.out.open(ctx, f) }
		if err := p.fill(ctx); err != nil {
			return nil, g.out.AbandonFiles(ctx, err, p.sink.owns)
		}
	}
	if err := g.out.add(ctx, p.sink); err != nil {
		return nil, err
	}
	r := p.record
	r.Rows = p.sink.rows()
	g.size += r.InputSize
	g.recordSize += traceInRecord + len(r.Input) + problemInRecord*len(r.Problems)
	if d := r.Decoding; d != nil {
		g.recordSize += problemInRecord * (len(d.Providers) + len(d.PDBs))
	}
	g.record.Traces = append(g.record.Traces, *r.TraceRecord)
	if used := r.Options.Descriptions; used != nil {
		g.record.Options.Descriptions = g.record.Options.Descriptions.With(used.Used)
	}
	report := reportOf(r, &p.read.mismatches)
	report.Again = p.again
	return report, nil
}

// Estimated bytes in the record for a trace, and for a problem or an entry of Decoding.
const (
	traceInRecord   = 1 << 10
	problemInRecord = 1 << 9
)

// isFull reports whether the part has reached a limit.
func (g *openPart) isFull() bool { return g.out.isFull() || g.recordSize >= maxBundleRecord }

// commit writes the last row groups, and makes the part a part of the dataset.
func (g *openPart) commit(ctx context.Context) error {
	if err := g.out.flushAll(ctx, g.workers); err != nil {
		return err
	}
	return g.out.Commit(ctx, g.record, g.progress)
}
