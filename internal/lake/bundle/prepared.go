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

// Prepared is a trace that is about to share files with others. Its rows are made, or
// will be made when it is added, if it is too large to hold them.
type Prepared struct {
	trace     string
	options   Options
	record    *dataset.Recorded
	old       *dataset.Record   // of its present bundle
	unchanged *dataset.Recorded // its record in that bundle, if it need not be converted again
	err       error
	again     string // see [Report]

	open  *openTrace
	held  *heldTrace
	large bool
}

// Prepare prepares a trace for [Bundler.Add]. The result must be closed after Add, and
// before the input.
func (b *Bundler) Prepare(ctx context.Context, in pipeline.Input, trace string, o Options) *Prepared {
	p := &Prepared{trace: trace, options: o, record: o.record(&in, trace), old: b.dataset.BundleOf(trace)}
	if p.old == nil {
		if _, p.err = b.dataset.Record(ctx, trace); p.err == nil { // else a later version wrote it
			p.err = p.make(ctx, in)
		}
		return p
	}
	b.see(trace)
	p.unchanged, p.again, p.err = b.dataset.unchanged(ctx, &in, p.record, &o)
	return p
}

// PrepareAgain prepares a trace for [Bundler.AddAgain].
func (b *Bundler) PrepareAgain(ctx context.Context, in pipeline.Input, trace string, o Options) *Prepared {
	p := &Prepared{trace: trace, options: o, record: o.record(&in, trace)}
	p.err = p.make(ctx, in)
	return p
}

// Failed returns a trace that cannot be read, for [Bundler.AddAgain].
func Failed(trace string, err error) *Prepared { return &Prepared{trace: trace, err: err} }

// Known reports whether the dataset already has the trace.
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

// Close must be called before the input is closed.
func (p *Prepared) Close() {
	if p.open != nil {
		p.open.close()
	}
}
