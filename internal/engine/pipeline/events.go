package pipeline

import (
	"cmp"
	"context"
	"errors"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/distinct"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// Events makes the convert pass: the rows that a filter selects go to a sink. It returns how
// payloads were decoded, nil if they are not counted, and the symbols that were used. With beside, idle workers also make the
// rows of tables without events that need not wait for the end of the pass; [WriteFixed] makes the
// rest.
func Events(ctx context.Context, x *index.Index, o *Options, f *rows.Filter, sink Sink, beside bool) (*facts.Decoding, *symbols.Record, error) {
	p := newPipeline(x, o, f, sink)
	if beside {
		p.background = fixedJobs(x, f)
	}
	if !o.Uncounted || wantsPayloads(f) {
		p.rows.CountPayloads()
	}
	decoding, err := runPipeline(ctx, x, p, o.Workers)
	if err != nil {
		return nil, nil, err
	}
	return decoding, p.rows.Symbols.Record(), nil
}

func runPipeline(ctx context.Context, x *index.Index, p *pipeline, workers int) (*facts.Decoding, error) {
	if err := errors.Join(p.run(ctx, workers), p.rows.Seen.Close()); err != nil {
		return nil, err
	}
	if p.enough { // how much was read beyond the limit depends on the workers
		return nil, nil
	}
	for _, problem := range p.payloadProblems.List {
		x.Problems.Add(problem)
	}
	p.stacks.Note(x.Problems)
	p.filter.Taken = p.taken
	if !p.rows.CountsPayloads() {
		return nil, nil
	}
	x.Counted(p.counts)
	return x.Decoding(p.counts), nil
}

// seenShare is the share of memory for the ids of the stacks that a trace has had so far.
const seenShare = 16

func newPipeline(x *index.Index, o *Options, filter *rows.Filter, sink Sink) *pipeline {
	p := &pipeline{pass: pass{
		sink:     masked(sink, x.Mask),
		x:        x,
		filter:   filter,
		plan:     filter.Plan(x),
		events:   filter.Events(),
		rows:     filter.Context(x, o.Payload, o.Fields, o.Form, o.Symbols),
		progress: new(Progress),
		memory:   memoryForRows(o.Memory, x.Tables().Memory()),
		waiting:  cmp.Or(o.Limits.Waiting, rowsThatWait),
		limit:    o.limit(),
		times:    o.Times,
	}}
	p.rows.Seen = distinct.NewSet(cmp.Or(o.Limits.Stacks, int(o.Memory/seenShare/distinct.BytesPerID)), x.Temporary.Create)
	if o.Progress != nil {
		p.progress = o.Progress
	}
	p.tables = make([]*tableOutput, filter.Tables())
	return p
}
