package batch

import (
	"context"
	"errors"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// BundleMode selects the new traces that share files. A trace that the dataset has
// stays bundled, or stays in files of its own.
type BundleMode int

// The modes.
const (
	BundleAuto    BundleMode = iota // traces smaller than [inputs.SmallTrace], if there are several
	BundleNever                     // no traces
	BundleSmaller                   // traces smaller than Bundling.Bytes
)

// Bundling selects the traces that share files, and the size of bundles.
type Bundling struct {
	Mode  BundleMode
	Bytes int64 // of the inputs of a bundle
}

// bundler converts the traces that share files.
type bundler struct {
	*bundle.Bundler
	outcomes outcomes
	mode     Bundling
	small    int                     // number of small inputs
	from     map[string]*inputs.File // by trace: the input that it is in
}

func newBundler(ctx context.Context, d *bundle.Dataset, mode Bundling, in *inputs.List) (*bundler, error) {
	b, err := d.Bundle(ctx, mode.Bytes)
	return &bundler{Bundler: b, mode: mode, small: in.Small, from: make(map[string]*inputs.File)}, err
}

// takes reports whether a trace goes into a bundle.
func (b *bundler) takes(t *inputs.Trace, name string, isNew bool) bool {
	switch {
	case b.IsBundled(name):
		return true
	case !isNew || b.mode.Mode == BundleNever:
		return false
	case b.mode.Mode == BundleAuto:
		return t.Size < inputs.SmallTrace && (b.small > 1 || t.Among)
	}
	return t.Size < b.mode.Bytes
}

// bundle prepares a trace concurrently with others, and adds it to a bundle when its
// turn has come. again is true for the second pass, which rewrites bundles.
func (c *Conversion) bundle(ctx context.Context, turn int, t *inputs.Trace, name string, took time.Duration, again bool) error {
	o, memory, work, err := c.takeShare(ctx, turn, t)
	if err != nil {
		return err
	}
	prepare, add := c.bundler.Prepare, c.addFirst
	if again {
		prepare, add = c.bundler.PrepareAgain, c.addAgain
	}
	c.running.Go(func() {
		begin := time.Now()
		p := prepare(ctx, c.sessions.input(t), name, o)
		c.turns.report(turn, func() {
			add(ctx, t, work, p, took+time.Since(begin))
			p.Close()
			if err := c.sessions.close(t); err != nil {
				c.Warn(t.Name(), err)
			}
			c.progress.Wait(work)            // unless it is done
			c.budget.give(o.Workers, memory) // not before: its rows were in memory
		})
	})
	return nil
}

// addFirst adds a trace to its bundle. It ignores the error of an interrupted run, which
// Run returns.
func (c *Conversion) addFirst(ctx context.Context, t *inputs.Trace, work *inputs.Work, p *bundle.Prepared, took time.Duration) {
	known := p.Known()
	place := c.bundler.outcomes.later()
	c.bundler.Add(ctx, p, func(report *bundle.Report, err error) {
		c.progress.Finish(work, known)
		r := c.resultOf(t, report, err, took)
		c.bundler.outcomes.ready(place, func() { c.report(r) })
	})
}

// addAgain adds a trace to its rewritten bundle. The result is reported by the callback of addFirst.
func (c *Conversion) addAgain(ctx context.Context, _ *inputs.Trace, work *inputs.Work, p *bundle.Prepared, _ time.Duration) {
	c.bundler.AddAgain(ctx, p)
	c.progress.Finish(work, p.Known())
}

// visitAgain converts a trace again if its bundle is rewritten: if it is one of these.
func (c *Conversion) visitAgain(ctx context.Context, t *inputs.Trace, rewritten map[string]bool) error {
	name, err := c.names.Of(ctx, t)
	if err != nil || !rewritten[name] {
		return c.sessions.close(t) // not in a rewritten bundle, or Finish reports it
	}
	turn, err := c.turns.take(ctx)
	if err != nil {
		return errors.Join(err, c.sessions.close(t))
	}
	if err := c.sessions.open(ctx, t); err != nil {
		failed := bundle.Failed(name, err)
		c.turns.report(turn, func() { c.bundler.AddAgain(ctx, failed) })
		return errors.Join(ctx.Err(), c.sessions.close(t))
	}
	return c.bundle(ctx, turn, t, name, 0, true)
}

// endBundles commits the last bundle, and rewrites the bundles with changed traces.
// stopped is the error of an interrupted run, or nil.
func (c *Conversion) endBundles(ctx context.Context, stopped error) error {
	if stopped == nil {
		stopped = c.bundler.Flush(ctx)
	}
	if stopped == nil {
		stopped = c.rewriteBundles(ctx)
	}
	if stopped != nil {
		if err := c.bundler.Abandon(ctx); err != nil {
			c.Warn("", err)
		}
	}
	c.bundler.outcomes.end()
	return stopped
}

// rewriteBundles is the second pass: it reads the inputs again that have traces of bundles to
// rewrite.
func (c *Conversion) rewriteBundles(ctx context.Context) error {
	rewritten := c.bundler.Changed()
	if len(rewritten) == 0 {
		return nil
	}
	wanted, traces := make(map[*inputs.File]bool), 0
	for name := range rewritten {
		if f := c.bundler.from[name]; f != nil && !f.IsPipe() {
			wanted[f] = true
			traces++
		}
	}
	var files []*inputs.File
	for _, f := range c.Inputs.Files {
		if wanted[f] {
			files = append(files, f)
		}
	}
	c.sessions.rewriting = true
	c.progress.Again(len(files), traces)
	c.Reader.Again = true
	c.Reader.Fail = func(*inputs.File, string, error) {} // it was reported
	c.Reader.Visit = func(t *inputs.Trace) error { return c.visitAgain(ctx, t, rewritten) }
	stopped := c.Reader.Each(ctx, files)
	c.running.Wait()
	if stopped != nil {
		return stopped
	}
	return c.bundler.Finish(ctx)
}
