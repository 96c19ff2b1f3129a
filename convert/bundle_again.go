package convert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/dataset"
)

// NeighboursError is the error of a trace that has changed, and whose bundle
// cannot be made anew: not all of its traces are among the inputs.
type NeighboursError struct{ Missing []string }

// namedNeighbours is how many traces an error names.
const namedNeighbours = 5

func (e *NeighboursError) Error() string {
	named, more := e.Missing, ""
	if n := len(named) - namedNeighbours; n > 0 {
		named, more = named[:namedNeighbours], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("it was converted before, and shares files with traces that are not among the inputs: convert it together with %s%s", strings.Join(named, ", "), more)
}

// Changed returns the traces of the bundles that are to be made anew, when all
// inputs were seen: those that have changed and all that share files with
// them. They are to be given to [Bundler.AddAgain]. What cannot be converted
// because others are missing is told so.
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

// changedBundles returns the bundles that have to be made anew, by name.
func (b *Bundler) changedBundles() []*dataset.Record {
	var list []*dataset.Record
	for g := range b.changed {
		list = append(list, g)
	}
	slices.SortFunc(list, func(x, y *dataset.Record) int { return strings.Compare(x.Part, y.Part) })
	return list
}

// AddAgain converts a trace of a bundle that is made anew. The bundle is
// committed, in the place of the old one, when all its traces were added; if
// one of them fails the old one stays. A trace that had not changed has no
// report of its own. The error is that of the context.
func (b *Bundler) AddAgain(ctx context.Context, p *Prepared) error {
	old := b.dataset.BundleOf(p.trace)
	if old == nil || b.changed[old] == nil {
		return nil // its bundle is made, or given up
	}
	if p.err != nil {
		return b.giveUp(ctx, old, p.trace, p.err)
	}
	g := b.again[old]
	if g == nil {
		g = b.begin(p, old)
		b.again[old] = g
	}
	if slices.ContainsFunc(g.record.Traces, func(t dataset.TraceRecord) bool { return t.Trace == p.trace }) {
		return nil // an archive may have it twice
	}
	if err := b.park(ctx, g, p.options.Workers); err != nil {
		return err
	}
	if err := g.add(ctx, p, b.doneOf(old, p.trace)); err != nil {
		return b.giveUp(ctx, old, p.trace, err)
	}
	if len(g.record.Traces) < len(old.Traces) {
		return nil
	}
	b.forget(old)
	return b.commit(ctx, g)
}

// park makes room for a bundle: of others that are not complete no rows wait.
func (b *Bundler) park(ctx context.Context, g *openBundle, workers int) error {
	last := b.last
	b.last = g
	if last == nil || last == g {
		return nil
	}
	if err := last.out.flushAll(ctx, workers); err != nil {
		return b.giveUp(ctx, last.old, "", err)
	}
	return nil
}

// forget ends the making of a bundle.
func (b *Bundler) forget(old *dataset.Record) {
	if b.last == b.again[old] {
		b.last = nil
	}
	delete(b.again, old)
	delete(b.changed, old)
}

// doneOf returns who is told of a trace of a bundle that is made anew: nobody if
// it has not changed.
func (b *Bundler) doneOf(old *dataset.Record, trace string) Done {
	for _, t := range b.changed[old] {
		if t.trace == trace {
			return t.done
		}
	}
	return nil
}

// giveUp keeps a bundle as it was, because of an error of one of its traces, or
// of its output.
func (b *Bundler) giveUp(ctx context.Context, old *dataset.Record, trace string, because error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	g, changed := b.again[old], b.changed[old]
	b.forget(old)
	if g != nil {
		g.reports = nil // told below
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

// Finish ends the making of bundles anew: of those that are not complete,
// because an input was not found again, the old one stays.
func (b *Bundler) Finish(ctx context.Context) error {
	for _, old := range b.changedBundles() {
		if err := b.giveUp(ctx, old, "", errNotSeenAgain); err != nil {
			return err
		}
	}
	return nil
}
