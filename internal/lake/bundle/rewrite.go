package bundle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// NeighboursError means that a changed trace cannot be converted: its bundle has traces
// that are not among the inputs.
type NeighboursError struct{ Missing []string }

// namedNeighbours bounds the traces that an error names.
const namedNeighbours = 5

func (e *NeighboursError) Error() string {
	named, more := e.Missing, ""
	if n := len(named) - namedNeighbours; n > 0 {
		named, more = named[:namedNeighbours], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("it was converted before, and shares files with traces that are not among the inputs: convert it together with %s%s", strings.Join(named, ", "), more)
}

// Changed returns the traces to pass to [Bundler.AddAgain] after all inputs were seen:
// changed traces, and their neighbours. It reports a [NeighboursError] for changed traces
// whose neighbours are not among the inputs.
func (b *Bundler) Changed() map[string]bool {
	again := make(map[string]bool)
	for _, g := range b.changedBundles() {
		var missing []string
		for i := range g.Traces {
			if name := g.Traces[i].Trace; !b.seen[name] {
				missing = append(missing, name)
			}
		}
		if len(missing) == 0 {
			for i := range g.Traces {
				again[g.Traces[i].Trace] = true
			}
			continue
		}
		for _, t := range b.changed[g] {
			t.done(nil, &NeighboursError{missing})
		}
		delete(b.changed, g)
	}
	return again
}

// changedBundles returns the bundles to rewrite, by name.
func (b *Bundler) changedBundles() []*dataset.Record {
	var list []*dataset.Record
	for g := range b.changed {
		list = append(list, g)
	}
	slices.SortFunc(list, func(x, y *dataset.Record) int { return strings.Compare(x.Part, y.Part) })
	return list
}

// AddAgain adds a trace to its rewritten bundle. When all traces of the bundle were added,
// the new bundle replaces the old one. If one of them fails, the old bundle stays.
// Unchanged traces are not reported. AddAgain returns the error of the context.
func (b *Bundler) AddAgain(ctx context.Context, p *Prepared) error {
	old := b.dataset.BundleOf(p.trace)
	if old == nil || b.changed[old] == nil {
		return nil // its bundle is committed or abandoned
	}
	if p.err != nil {
		return b.abandon(ctx, old, p.trace, p.err)
	}
	g := b.rewrites[old]
	if g == nil {
		g = b.begin(p, old)
		b.rewrites[old] = g
	}
	if slices.ContainsFunc(g.record.Traces, func(t dataset.TraceRecord) bool { return t.Trace == p.trace }) {
		return nil // an archive may have the trace twice
	}
	if err := b.flushLast(ctx, g, p.options.Workers); err != nil {
		return err
	}
	changed := b.changedOf(old, p.trace)
	p.again = changed.again
	if err := g.add(ctx, p, changed.done); err != nil {
		return b.abandon(ctx, old, p.trace, err)
	}
	if len(g.record.Traces) < len(old.Traces) {
		return nil
	}
	b.forget(old)
	return b.commit(ctx, g)
}

// flushLast frees memory for a bundle: it flushes the rows of the bundle used last.
func (b *Bundler) flushLast(ctx context.Context, g *openBundle, workers int) error {
	last := b.last
	b.last = g
	if last == nil || last == g {
		return nil
	}
	if err := last.out.flushAll(ctx, workers); err != nil {
		return b.abandon(ctx, last.old, "", err)
	}
	return nil
}

// forget removes a bundle from those to rewrite.
func (b *Bundler) forget(old *dataset.Record) {
	if b.last == b.rewrites[old] {
		b.last = nil
	}
	delete(b.rewrites, old)
	delete(b.changed, old)
}

// changedOf returns the change of a trace of a rewritten bundle. The callback is nil if the
// trace is unchanged.
func (b *Bundler) changedOf(old *dataset.Record, trace string) changedTrace {
	for _, t := range b.changed[old] {
		if t.trace == trace {
			return t
		}
	}
	return changedTrace{}
}

// abandon abandons the rewrite of a bundle because of an error of a trace, or of the output
// if trace is "". The old bundle stays.
func (b *Bundler) abandon(ctx context.Context, old *dataset.Record, trace string, because error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	g, changed := b.rewrites[old], b.changed[old]
	b.forget(old)
	if g != nil {
		g.reports = nil // reported below
		if err := b.lose(ctx, g, because, nil); err != nil {
			return err
		}
	}
	for _, t := range changed {
		err := because
		if trace != "" && t.trace != trace {
			err = fmt.Errorf("it shares files with %s, which cannot be converted again: %w", trace, because)
		}
		t.done(nil, err)
	}
	return nil
}

var errNotSeenAgain = errors.New("a trace that shares files with it, or it itself, is not there again, as from standard input")

// Finish ends the rewriting of bundles. The old bundle stays if an input was not found
// again.
func (b *Bundler) Finish(ctx context.Context) error {
	for _, old := range b.changedBundles() {
		if err := b.abandon(ctx, old, "", errNotSeenAgain); err != nil {
			return err
		}
	}
	return nil
}
