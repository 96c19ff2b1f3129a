package bundle

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// Prepared is a trace that is about to be added to a part. Its rows are made, or will be made when
// it is added, if they are not to be held.
type Prepared struct {
	earlier // what the dataset has of the trace
	trace   string
	options Options
	record  *dataset.Recorded
	old     *dataset.Record // of its present bundle
	err     error

	read *openTrace
	sink *traceSink
	late bool // the rows are made when the trace is added
}

func newPrepared(in *pipeline.Input, trace string, o Options) *Prepared {
	return &Prepared{trace: trace, options: o, record: o.record(in, trace)}
}

// Prepare prepares a trace for [Bundler.Add]. The result must be closed after Add, and
// before the input.
func (b *Bundler) Prepare(ctx context.Context, in pipeline.Input, trace string, o Options) *Prepared {
	p := newPrepared(&in, trace, o)
	if p.old = b.dataset.BundleOf(trace); p.old != nil {
		b.see(trace)
	} else if own, err := b.dataset.Record(ctx, trace); err != nil || own == nil {
		if p.err = err; err == nil { // else a later version wrote it
			p.err = p.make(ctx, in)
		}
		return p
	}
	p.earlier, p.err = b.dataset.unchanged(ctx, &in, p.record, &o)
	if p.old == nil && p.unchanged == nil && p.err == nil {
		p.err = errAlone
	}
	return p
}

var errAlone = errors.New("it was converted before, into files of its own: Dataset.Convert converts it")

// PrepareAgain prepares a trace for [Bundler.AddAgain].
func (b *Bundler) PrepareAgain(ctx context.Context, in pipeline.Input, trace string, o Options) *Prepared {
	p := newPrepared(&in, trace, o)
	var old *dataset.Recorded
	if old, p.err = b.dataset.Record(ctx, trace); p.err == nil {
		p.keeps = old != nil && keepsRows(old)
		p.err = p.make(ctx, in)
	}
	return p
}

// Failed returns a trace that cannot be read, for [Bundler.AddAgain].
func Failed(trace string, err error) *Prepared { return &Prepared{trace: trace, err: err} }

// Known reports whether the dataset already has the trace.
func (p *Prepared) Known() bool { return p.old != nil }

// open makes the index pass.
func (p *Prepared) open(ctx context.Context, in pipeline.Input) error {
	codec, err := parquet.NewCodec(p.options.Compression)
	if err != nil {
		return err
	}
	if p.read, err = p.options.open(ctx, in, p.record, p.keeps); err != nil {
		return in.Because(err)
	}
	signed, err := parquet.SignedInts(p.options.Unsigned)
	if err != nil {
		return err
	}
	form := parquet.Options{Codec: codec, CreatedBy: p.options.CreatedBy, SignedInts: signed}
	p.sink = &traceSink{trace: p.trace, form: form, most: math.MaxInt64}
	return nil
}

// make makes the rows to be shared, unless the trace is large.
func (p *Prepared) make(ctx context.Context, in pipeline.Input) error {
	if err := p.open(ctx, in); err != nil {
		return err
	}
	if l := p.options.outputLimits(); pipeline.BytesInMemory(p.read.index.File) >= l.large {
		p.late, p.sink.most = true, l.held
		return nil
	}
	return p.fill(ctx)
}

// fill makes the rows.
func (p *Prepared) fill(ctx context.Context) error {
	return p.read.input.Because(p.fillSink(ctx))
}

func (p *Prepared) fillSink(ctx context.Context) error {
	o, x, filter := &p.options, p.read.index, p.read.filter
	made := o.Options
	made.Uncounted = o.Transient
	decoding, used, err := pipeline.Events(ctx, x, &made, filter, p.sink, p.sink.alone)
	if err != nil {
		return err
	}
	p.record.Decoding, p.record.Symbols = dataset.RecordOf(decoding), used
	if err := p.read.complete(ctx, p.record, o); err != nil {
		return err
	}
	if p.sink.alone {
		return pipeline.WriteFixed(ctx, x, sourceOf(p.record), filter, p.sink, o.Workers)
	}
	return cmp.Or(pipeline.FixedRows(ctx, x, sourceOf(p.record), filter, o.Workers, p.sink.hold), ctx.Err())
}

// Close must be called before the input is closed.
func (p *Prepared) Close() {
	if p.read != nil {
		p.read.close()
	}
}
