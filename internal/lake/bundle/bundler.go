package bundle

import (
	"context"
	"errors"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// DefaultBundleBytes is the default size of a bundle, in bytes of input.
const DefaultBundleBytes = 256 << 20

// Bundler converts traces that share files. It adds traces to a bundle in the order of
// the calls, and commits the bundle when its inputs have the target size.
//
// Traces may be prepared concurrently. They are added one after another, and the output
// depends on their order.
type Bundler struct {
	dataset *Dataset
	target  int64
	bundle  *openBundle     // of new traces; nil if none is begun
	added   map[string]bool // new traces of this run

	mu   sync.Mutex
	seen map[string]bool // the traces of bundles that were among the inputs

	rewrites map[*dataset.Record]*rewrite // that have not ended, by the bundle
	last     *rewrite                     // the one that got a trace last
}

// Done is called once with the result of a trace, when its bundle is committed or has
// failed.
type Done func(*Report, error)

// openBundle is a bundle that is not committed yet.
type openBundle struct {
	*openPart
	reports []pendingReport // to make when it is committed or lost
}

type pendingReport struct {
	report *Report
	done   Done
}

// Bundle returns a bundler that commits a bundle when its inputs have target bytes.
func (d *Dataset) Bundle(ctx context.Context, target int64) (*Bundler, error) {
	if err := d.Load(ctx); err != nil {
		return nil, err
	}
	return &Bundler{
		dataset: d, target: target, added: make(map[string]bool), seen: make(map[string]bool),
		rewrites: make(map[*dataset.Record]*rewrite),
	}, nil
}

// IsBundled reports whether a trace is in a bundle of the dataset. Such a trace stays in
// its bundle, so only the bundler can convert it again.
func (b *Bundler) IsBundled(trace string) bool { return b.dataset.BundleOf(trace) != nil }

// Converted is [Dataset.Converted].
func (b *Bundler) Converted(ctx context.Context, in pipeline.Input, trace string, o *Options) (*Report, error) {
	report, _, err := b.dataset.Converted(ctx, in, trace, o)
	if report != nil || err != nil {
		b.see(trace)
	}
	return report, err
}

// see records that a trace is among the inputs.
func (b *Bundler) see(trace string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen[trace] = true
}

// Add adds a trace, and calls done, at once or later. A changed trace of an existing
// bundle waits until all inputs were seen; see [Bundler.Changed]. Add returns the error
// of the context.
func (b *Bundler) Add(ctx context.Context, p *Prepared, done Done) error {
	switch {
	case p.err != nil || p.unchanged != nil:
		return report(ctx, done, skipped(p.unchanged), p.err)
	case p.old != nil:
		b.change(p.old, changedTrace{p.trace, p.again, done})
		return nil
	case b.added[p.trace]:
		return report(ctx, done, nil, errAddedBefore)
	}
	return b.addNew(ctx, p, done)
}

var errAddedBefore = errors.New("another trace of this run has the same path")

// report calls done with the result of a trace, unless the run was interrupted.
func report(ctx context.Context, done Done, report *Report, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	done(report, err)
	return nil
}

func (b *Bundler) addNew(ctx context.Context, p *Prepared, done Done) error {
	if b.bundle == nil {
		b.bundle = b.begin(p)
	}
	g := b.bundle
	if err := g.add(ctx, p, done); err != nil {
		lost := g.out.lost()
		if lost != nil || len(g.reports) == 0 { // a bundle is named after its first trace
			b.bundle = nil
		}
		if lost != nil {
			g.reports = append(g.reports, pendingReport{done: done})
			return g.lose(ctx, lost)
		}
		return report(ctx, done, nil, err)
	}
	b.added[p.trace] = true
	if g.size >= b.target || g.isFull() {
		return b.Flush(ctx)
	}
	return nil
}

// begin begins a bundle, named after its first trace, which is in no other bundle.
func (b *Bundler) begin(p *Prepared) *openBundle {
	return &openBundle{openPart: b.dataset.begin(p, partname.OfBundle(p.trace))}
}

// add adds a trace, which is reported when the bundle is committed, unless done is nil.
func (g *openBundle) add(ctx context.Context, p *Prepared, done Done) error {
	report, err := g.openPart.add(ctx, p)
	if err == nil && done != nil {
		g.reports = append(g.reports, pendingReport{report, done})
	}
	return err
}

// commit commits a bundle, and reports its traces.
func (g *openBundle) commit(ctx context.Context) error {
	if err := g.openPart.commit(ctx); err != nil {
		return g.lose(ctx, err)
	}
	files := g.record.Files
	for _, r := range g.reports {
		r.report.Files, files = files, nil
		r.done(r.report, nil)
	}
	return nil
}

// lose discards a bundle because of an error, and reports the error for all its traces.
func (g *openBundle) lose(ctx context.Context, because error) error {
	because = g.out.Abandon(ctx, because)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, r := range g.reports {
		r.done(nil, because)
	}
	return nil
}

// Flush commits the bundle of new traces, whatever its size.
func (b *Bundler) Flush(ctx context.Context) error {
	g := b.bundle
	if g == nil {
		return nil
	}
	b.bundle = nil
	if traces := g.record.Traces; len(traces) == 1 && g.out.Len() == 0 { // a trace alone has its own name
		g.record.Part = traces[0].Trace
		g.out.Rename(g.record.Part)
	}
	return g.commit(ctx)
}

// Abandon discards all bundles that are not committed.
func (b *Bundler) Abandon(ctx context.Context) error {
	open := []*openBundle{b.bundle}
	for _, r := range b.rewrites {
		open = append(open, r.bundle)
	}
	var errs []error
	for _, g := range open {
		if g != nil {
			errs = append(errs, g.out.Discard(ctx))
		}
	}
	return errors.Join(errs...)
}
