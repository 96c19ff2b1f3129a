package main

import (
	"context"
	"errors"
	"time"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/batch"
)

// run converts the traces of all inputs, as many at a time as workers and
// memory go round for. What came of them is told in their order.
func (c *conversion) run(ctx context.Context, s *source, in *inputs) error {
	c.budget = batch.NewBudget(c.options.Workers, c.options.Memory, c.files.Traces)
	c.turns = batch.NewTurns()
	s.fail = func(in *input, name string, err error) { c.failIn(ctx, in, name, err) }
	s.visit = func(t *trace) error { return c.visit(ctx, t) }
	c.progress.start(c.app.ticker)
	stopped := s.each(ctx, in.files)
	c.running.Wait()
	if stopped == nil {
		stopped = ctx.Err() // after the last was visited
	}
	stopped = c.endBundles(ctx, s, in, stopped)
	c.progress.end()
	return stopped
}

// failIn tells of an input, or a part of one, when it is its turn.
func (c *conversion) failIn(ctx context.Context, in *input, name string, err error) {
	c.progress.fail()
	turn, stopped := c.turns.Take(ctx)
	if stopped == nil {
		c.turns.Tell(turn, func() { c.now(func() { c.fail(in, name, err) }) })
	}
}

// outcome is what came of a trace.
type outcome struct {
	report *convert.Report
	err    error
	took   time.Duration
}

// visit begins to convert a trace when there is room for it. Those that follow
// are visited meanwhile.
func (c *conversion) visit(ctx context.Context, t *trace) error {
	turn, err := c.turns.Take(ctx)
	if err != nil {
		return errors.Join(err, t.close())
	}
	begin := time.Now()
	name, report, err := c.prepare(ctx, t)
	if err != nil || report != nil {
		c.progress.pass()
		c.finish(ctx, turn, t, outcome{report, err, time.Since(begin)})
		return ctx.Err()
	}
	prepared := time.Since(begin)
	if c.bundler.takes(t, name, !c.names.hadBefore(name)) {
		return c.bundle(ctx, turn, t, name, prepared)
	}
	o, memory, work, err := c.takeShare(ctx, turn, t)
	if err != nil {
		return err
	}
	c.running.Go(func() {
		begin := time.Now()
		report, err := c.dataset.Convert(ctx, t.input(), name, o)
		c.progress.finish(work, err == nil && report.Skipped)
		c.finish(ctx, turn, t, outcome{report, err, prepared + time.Since(begin)})
		c.budget.Give(o.Workers, memory)
	})
	return nil
}

// takeShare takes what a trace needs of the budget, and begins its progress. If the
// run ends first, the trace is closed and its turn told.
func (c *conversion) takeShare(ctx context.Context, turn int, t *trace) (o convert.Options, memory int64, begun *work, err error) {
	o = *c.options
	o.Workers, memory = o.Share(t.input())
	if err := c.budget.Take(ctx, o.Workers, memory); err != nil {
		c.turns.Tell(turn, nil)
		return o, 0, nil, errors.Join(err, t.close())
	}
	begun = c.progress.next(t.name(), t.read)
	o.Progress = &begun.Progress
	return o, memory, begun, nil
}

// prepare names a trace and makes its contents accessible. What tells by its
// size that it was converted before, or was converted with other options, is not
// even read.
func (c *conversion) prepare(ctx context.Context, t *trace) (name string, converted *convert.Report, err error) {
	if name, err = c.name(ctx, t); err != nil {
		return "", nil, err
	}
	c.bundler.from[name] = t.in
	if c.names.hadBefore(name) {
		if converted, err = c.bundler.Converted(ctx, t.input(), name, c.options); err != nil || converted != nil {
			return name, converted, err
		}
	}
	return name, nil, t.open()
}

// finish closes a trace, and tells what came of it when it is its turn.
func (c *conversion) finish(ctx context.Context, turn int, t *trace, o outcome) {
	if err := t.close(); o.err == nil {
		o.err = err
	}
	if o.err != nil && ctx.Err() != nil {
		c.turns.Tell(turn, nil) // it was interrupted
		return
	}
	c.judge(&o)
	c.turns.Tell(turn, func() { c.now(func() { c.tell(t, &o) }) })
}

// judge decides whether a trace has failed.
func (c *conversion) judge(o *outcome) {
	if o.err == nil && o.report.Skipped && c.options.Strict && worst(o.report.Problems) == convert.Failure {
		o.err = convert.ErrStrict // it was converted without --strict
	}
	if o.err != nil {
		c.progress.fail()
	}
}

// now tells of an input, whose turn it is, beside the bar: when the bundles that
// traces before it are in are committed.
func (c *conversion) now(tell func()) {
	c.bundler.outcomes.now(func() { c.progress.aside(tell) })
}
