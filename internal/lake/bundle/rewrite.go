package bundle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// rewrite is the rewriting of a bundle that has changed traces. It waits until all inputs were
// seen. Then the traces of the bundle are added to a new one, which replaces the old one when it
// has all of them. A rewrite has ended when it is no longer among those of the Bundler.
type rewrite struct {
	old     *dataset.Record
	changed []changedTrace
	bundle  *openBundle // the new one; nil until its first trace is added
}

// changedTrace is a trace to report. Its unchanged neighbours are not reported.
type changedTrace struct {
	trace string
	again string // see [Report]
	done  Done
}

// missing returns the inputs of the bundle whose traces were not seen, as they were named.
func (r *rewrite) missing(seen map[string]bool) (list []string) {
	for i := range r.old.Traces {
		if t := &r.old.Traces[i]; !seen[t.Trace] {
			list = append(list, t.Input)
		}
	}
	return list
}

// has reports whether the new bundle has a trace.
func (r *rewrite) has(trace string) bool {
	return r.bundle != nil && slices.ContainsFunc(r.bundle.record.Traces, func(t dataset.TraceRecord) bool { return t.Trace == trace })
}

// isComplete reports whether the new bundle has all traces of the old one.
func (r *rewrite) isComplete() bool { return len(r.bundle.record.Traces) == len(r.old.Traces) }

// change returns the change of a trace, or a zero one if the trace is unchanged.
func (r *rewrite) change(trace string) changedTrace {
	if i := slices.IndexFunc(r.changed, func(t changedTrace) bool { return t.trace == trace }); i >= 0 {
		return r.changed[i]
	}
	return changedTrace{}
}

// fail reports an error for the changed traces. It is the error of a trace, or of all if failed is
// "".
func (r *rewrite) fail(failed string, because error) {
	for _, t := range r.changed {
		err := because
		if failed != "" && t.trace != failed {
			err = fmt.Errorf("it shares files with %s, which cannot be converted again: %w", failed, because)
		}
		t.done(nil, err)
	}
}

// NeighboursError means that a changed trace cannot be converted: its bundle has traces
// that are not among the inputs.
type NeighboursError struct {
	Missing []string // their inputs, as they were named
	Record  string   // the file of the dataset that lists all
}

// namedNeighbours bounds the traces that an error names.
const namedNeighbours = 5

func (e *NeighboursError) Error() string {
	var named []string
	for _, input := range e.Missing[:min(len(e.Missing), namedNeighbours)] {
		named = append(named, texts.ShellWord(input))
	}
	more := ""
	if n := len(e.Missing) - namedNeighbours; n > 0 {
		more = fmt.Sprintf(" and %d more, which %s lists", n, e.Record)
	}
	return fmt.Sprintf("it was converted before, and shares files with traces that are not among the inputs: convert it together with %s%s", strings.Join(named, " "), more)
}

// change notes a changed trace of a bundle.
func (b *Bundler) change(old *dataset.Record, t changedTrace) {
	r := b.rewrites[old]
	if r == nil {
		r = &rewrite{old: old}
		b.rewrites[old] = r
	}
	r.changed = append(r.changed, t)
}

// Changed returns the traces to pass to [Bundler.AddAgain] after all inputs were seen:
// changed traces, and their neighbours. It reports a [NeighboursError] for changed traces
// whose neighbours are not among the inputs.
func (b *Bundler) Changed() map[string]bool {
	again := make(map[string]bool)
	for _, r := range b.byName() {
		if missing := r.missing(b.seen); len(missing) > 0 {
			b.end(r)
			r.fail("", &NeighboursError{missing, r.old.File()})
			continue
		}
		for i := range r.old.Traces {
			again[r.old.Traces[i].Trace] = true
		}
	}
	return again
}

// byName returns the rewrites that have not ended, by the names of their bundles.
func (b *Bundler) byName() []*rewrite {
	return slices.SortedFunc(maps.Values(b.rewrites), func(x, y *rewrite) int { return strings.Compare(x.old.Part, y.old.Part) })
}

// AddAgain adds a trace to its rewritten bundle. When all traces of the bundle were added,
// the new bundle replaces the old one. If one of them fails, the old bundle stays.
// Unchanged traces are not reported. AddAgain returns the error of the context.
func (b *Bundler) AddAgain(ctx context.Context, p *Prepared) error {
	r := b.rewrites[b.dataset.BundleOf(p.trace)]
	switch {
	case r == nil:
		return nil // its bundle is committed or abandoned
	case p.err != nil:
		return b.abandon(ctx, r, p.trace, p.err)
	case r.has(p.trace):
		return nil // an archive may have the trace twice
	}
	if r.bundle == nil {
		r.bundle = b.begin(p)
	}
	if err := b.flushLast(ctx, r, p.options.Workers); err != nil {
		return err
	}
	change := r.change(p.trace)
	p.again = change.again
	if err := r.bundle.add(ctx, p, change.done); err != nil {
		return b.abandon(ctx, r, p.trace, err)
	}
	if !r.isComplete() {
		return nil
	}
	b.end(r)
	return r.bundle.commit(ctx)
}

// flushLast frees memory for a rewrite: it flushes the rows of the one used last.
func (b *Bundler) flushLast(ctx context.Context, r *rewrite, workers int) error {
	last := b.last
	b.last = r
	if last == nil || last == r {
		return nil
	}
	if err := last.bundle.out.flushAll(ctx, workers); err != nil {
		return b.abandon(ctx, last, "", err)
	}
	return nil
}

// end ends a rewrite: its bundle is about to be committed, or is abandoned.
func (b *Bundler) end(r *rewrite) {
	if b.last == r {
		b.last = nil
	}
	delete(b.rewrites, r.old)
}

// abandon ends a rewrite because of an error, and reports that; see [rewrite.fail]. The old bundle
// stays.
func (b *Bundler) abandon(ctx context.Context, r *rewrite, failed string, because error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.end(r)
	if r.bundle != nil {
		_ = r.bundle.out.Discard(ctx) // because is what the user can act on
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	r.fail(failed, because)
	return nil
}

var errNotSeenAgain = errors.New("a trace that shares files with it, or it itself, is not there again, as from standard input")

// Finish ends the rewriting of bundles. The old bundle stays if an input was not found
// again.
func (b *Bundler) Finish(ctx context.Context) error {
	for _, r := range b.byName() {
		if err := b.abandon(ctx, r, "", errNotSeenAgain); err != nil {
			return err
		}
	}
	return nil
}
