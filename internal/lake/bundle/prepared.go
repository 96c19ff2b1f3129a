package bundle

import (
	"cmp"
	"context"
	"math"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// Prepared is a trace that is about to share files with others: its rows are
// made, or, of one that is too large to hold them, will be when it is added.
type Prepared struct {
	trace     string
	options   Options
	record    *dataset.Recorded
	old       *dataset.Record   // of the bundle that it is in
	unchanged *dataset.Recorded // in that bundle, if it need not be converted again
	err       error
	again     string // see [Report]

	open  *openTrace
	held  *heldTrace
	large bool
}

// Prepare prepares to add a trace. It has to be closed after that, and before
// the input is.
func (b *Bundler) Prepare(ctx context.Context, in pipeline.Input, trace string, o Options) *Prepared {
	p := &Prepared{trace: trace, options: o, record: o.record(&in, trace), old: b.dataset.BundleOf(trace)}
	if p.old == nil {
		if _, p.err = b.dataset.Record(ctx, trace); p.err == nil { // it can be of a later version
			p.err = p.make(ctx, in)
		}
		return p
	}
	b.see(trace)
	p.unchanged, p.again, p.err = b.dataset.unchanged(ctx, &in, p.record, &o)
	return p
}

// PrepareAgain prepares for [Bundler.AddAgain].
func (b *Bundler) PrepareAgain(ctx context.Context, in pipeline.Input, trace string, o Options) *Prepared {
	p := &Prepared{trace: trace, options: o, record: o.record(&in, trace)}
	p.err = p.make(ctx, in)
	return p
}

// Failed is a trace that cannot be read, for [Bundler.AddAgain].
func Failed(trace string, err error) *Prepared { return &Prepared{trace: trace, err: err} }

// Known reports whether the trace is in the dataset already.
func (p *Prepared) Known() bool { return p.old != nil }

// make makes the rows, unless the trace is large.
func (p *Prepared) make(ctx context.Context, in pipeline.Input) error {
	compression, err := parquet.NewCodec(p.options.Compression)
	if err != nil {
		return err
	}
	if p.open, err = p.options.open(ctx, in, p.record); err != nil {
		return in.Because(err)
	}
	p.held = &heldTrace{trace: p.trace, codec: compression, most: math.MaxInt64}
	if l := p.options.outputLimits(); pipeline.BytesInMemory(p.open.index.File) >= l.large {
		p.large, p.held.most = true, l.held
		return nil
	}
	return p.fill(ctx)
}

// fill makes the rows.
func (p *Prepared) fill(ctx context.Context) error {
	return p.open.input.Because(p.fillHeld(ctx))
}

func (p *Prepared) fillHeld(ctx context.Context) (err error) {
	x := p.open.index
	if err = convertEvents(ctx, p.open, &p.options, p.held, p.record, false); err != nil {
		return err
	}
	if err := p.open.complete(p.record, &p.options); err != nil {
		return err
	}
	err = pipeline.FixedRows(ctx, x, sourceOf(p.record), p.open.filter, p.options.Workers, func(b *columns.Batch) error {
		p.held.fixed = append(p.held.fixed, b)
		return nil
	})
	return cmp.Or(err, ctx.Err())
}

// Close is to be called before the input is closed.
func (p *Prepared) Close() {
	if p.open != nil {
		p.open.close()
	}
}
