package batch

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// Conversion converts the traces of many inputs into a dataset.
//
//  1. begin reads which traces the dataset has, names the files, and finds the
//     sessions.
//  2. run converts the traces. It visits them in input order; each waits for its
//     share of the workers, the memory and the open files. Results are reported in
//     input order.
//  3. Small traces are prepared like others, and added to bundles in input order.
//     Bundles with changed traces are rewritten at the end.
//
// Run does all of this; Preview lists what it would do.
type Conversion struct {
	Dataset  *bundle.Dataset // set by Run and Preview
	Options  *bundle.Options
	Inputs   *inputs.List
	Reader   *inputs.Reader // without Visit and Fail
	Bundling Bundling
	Siblings bool // traces that were recorded together share facts, and all of the run descriptions of events
	Traces   int  // limit on traces that are converted at the same time; see [OpenFiles]

	// Done is called with each result, in the order of the inputs, one after another.
	Done func(r *Result)
	// Warn is called with an error that fails no trace; name is the name of a trace,
	// or "".
	Warn func(name string, err error)

	names    *TraceNames
	budget   *budget
	turns    *turns
	running  sync.WaitGroup
	bundler  *bundler
	progress *inputs.Progress
	sessions *Sessions
	unknown  unknownEvents
	written  bool // the dataset has a trace of the inputs
	isRemote bool // the dataset is on a server
	stop     context.CancelCauseFunc
}

// OutputError is the error of a dataset that cannot be written.
type OutputError struct{ Err error }

func (e *OutputError) Error() string { return e.Err.Error() }

// Unwrap returns why it cannot be written.
func (e *OutputError) Unwrap() error { return e.Err }

// Run converts the traces of all inputs into the dataset in out, concurrently, within the limits on
// workers, memory and open files, and writes views.sql unless the dataset is transient. It calls
// begun before the first trace, when the files have their names. The errors are an [OutputError],
// and that of the context.
func (c *Conversion) Run(ctx context.Context, out store.Store, begun func()) (err error) {
	c.Dataset = bundle.NewDataset(out)
	c.isRemote = inputs.IsURL(out.URL(""))
	if err := out.Prepare(ctx); err != nil {
		return &OutputError{err}
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := c.begin(ctx); err != nil {
		return &OutputError{err}
	}
	begun()
	ctx, c.stop = context.WithCancelCause(ctx)
	defer c.stop(nil)
	interrupted := c.run(ctx)
	if cause := new(OutputError); errors.As(context.Cause(ctx), &cause) {
		return cause
	}
	if c.written && !c.Options.Transient {
		// Even if the run was interrupted, for the traces that are done.
		if err := views.Write(context.WithoutCancel(ctx), c.Dataset.Dataset); err != nil {
			return &OutputError{err}
		}
	}
	return interrupted
}

// begin reads which traces the dataset has, prepares to write it, and names the files.
func (c *Conversion) begin(ctx context.Context) (err error) {
	if err := c.Dataset.Load(ctx); err != nil {
		return err
	}
	if err := c.Dataset.CheckUnsigned(ctx, c.Options.Unsigned); err != nil {
		return err
	}
	if err := c.Dataset.Begin(ctx); err != nil {
		return err
	}
	if c.bundler, err = newBundler(ctx, c.Dataset, c.Bundling, c.Inputs); err != nil {
		return err
	}
	if c.names, err = NewTraceNames(ctx, c.Dataset, c.Inputs.Files); err != nil {
		return err
	}
	return c.findSessions(ctx)
}

// findSessions finds the sessions of the inputs, if they are wanted.
func (c *Conversion) findSessions(ctx context.Context) (err error) {
	c.sessions = new(Sessions)
	if c.Siblings {
		c.Options.Inputs = inputs.Descriptions(ctx, c.Reader.Options, c.Inputs.Files, c.Options.Workers, func(t *inputs.Trace) bool { return c.lacksDescriptions(ctx, t) })
		c.sessions, err = FindSessions(ctx, c.Reader.Options, c.Inputs.Files)
	}
	return err
}

// lacksDescriptions reports whether the dataset has a trace as it is now, and knows that it contains no descriptions.
func (c *Conversion) lacksDescriptions(ctx context.Context, t *inputs.Trace) bool {
	if !t.IsWhole() {
		return false // its name is not known yet
	}
	in := t.Input()
	return c.Dataset.LacksDescriptions(ctx, &in, c.Options.Redact.TraceName(c.names.files[t.File.Order]), c.Options)
}

// FileNames returns, for each file, the name of its trace in the dataset, or "" if the
// file is not itself a trace, or the name is unknown.
func (c *Conversion) FileNames() []string { return c.names.files }

// run converts the traces. It returns the error of the context.
func (c *Conversion) run(ctx context.Context) error {
	c.budget = newBudget(c.Options.Workers, c.Options.Memory, c.Traces)
	c.turns = newTurns()
	c.progress = c.Reader.Progress
	c.Reader.Fail = func(f *inputs.File, name string, err error) { c.fail(ctx, failed(f, name, err)) }
	c.Reader.Visit = func(t *inputs.Trace) error { return c.visit(ctx, t) }
	stopped := c.Reader.Each(ctx, c.Inputs.Files)
	c.running.Wait()
	if stopped == nil {
		stopped = ctx.Err() // interrupted after the last visit
	}
	stopped = c.endBundles(ctx, stopped)
	if err := c.sessions.end(); err != nil {
		c.Warn("", err)
	}
	c.unknown.tell(c.Warn)
	return stopped
}

// fail reports an input, or a part of one, that cannot be read, when its turn has come.
func (c *Conversion) fail(ctx context.Context, r *Result) {
	c.progress.Fail()
	turn, stopped := c.turns.take(ctx)
	if stopped == nil {
		c.turns.report(turn, func() { c.done(r) })
	}
}

// visit starts to convert a trace when the budget allows, and returns without waiting
// for the conversion.
func (c *Conversion) visit(ctx context.Context, t *inputs.Trace) error {
	turn, err := c.turns.take(ctx)
	if err != nil {
		return errors.Join(err, c.sessions.close(t))
	}
	begin := time.Now()
	name, report, err := c.prepare(ctx, t)
	if err != nil || report != nil {
		c.progress.Skip()
		c.finish(ctx, turn, t, report, err, time.Since(begin))
		return ctx.Err()
	}
	prepared := time.Since(begin)
	if c.bundler.takes(t, name, !c.names.hadBefore(name)) {
		return c.bundle(ctx, turn, t, name, prepared, false)
	}
	o, memory, work, err := c.takeShare(ctx, turn, t)
	if err != nil {
		return err
	}
	c.running.Go(func() {
		goroutine.Grow()
		begin := time.Now()
		report, err := c.Dataset.Convert(ctx, c.sessions.input(t), name, o)
		c.progress.Finish(work, err == nil && report.Skipped)
		c.finish(ctx, turn, t, report, err, prepared+time.Since(begin))
		c.budget.give(o.Workers, memory)
	})
	return nil
}

// takeShare takes a trace's share of the budget, and begins its progress. If the run is
// interrupted first, the trace is closed and its turn passes.
func (c *Conversion) takeShare(ctx context.Context, turn int, t *inputs.Trace) (o bundle.Options, memory int64, begun *inputs.Work, err error) {
	o = *c.Options
	among := len(c.Inputs.Files)
	if t.Among {
		among = o.Workers // the archive may have as many
	}
	o.Workers, memory = o.Share(c.sessions.input(t), among)
	if err := c.budget.take(ctx, o.Workers, memory); err != nil {
		c.turns.report(turn, nil)
		return o, 0, nil, errors.Join(err, c.sessions.close(t))
	}
	begun = c.progress.Next(t.Name(), t.Taken)
	o.Progress = &begun.Progress
	return o, memory, begun, nil
}

// prepare names a trace and makes its contents accessible. A trace is not read if, by
// its size and time, it was converted before, with these options or with others.
func (c *Conversion) prepare(ctx context.Context, t *inputs.Trace) (name string, converted *bundle.Report, err error) {
	if name, err = c.names.Of(ctx, t); err != nil {
		return "", nil, err
	}
	name = c.Options.Redact.TraceName(name)
	c.bundler.from[name] = t.File
	if c.names.hadBefore(name) {
		if converted, err = c.bundler.Converted(ctx, c.sessions.input(t), name, c.Options); err != nil || converted != nil {
			return name, converted, err
		}
	}
	return name, nil, c.sessions.open(ctx, t)
}

// finish closes a trace, and reports its result when its turn has come.
func (c *Conversion) finish(ctx context.Context, turn int, t *inputs.Trace, report *bundle.Report, err error, took time.Duration) {
	if closed := c.sessions.close(t); err == nil {
		err = closed
	}
	if err != nil && ctx.Err() != nil {
		c.turns.report(turn, nil) // it was interrupted
		return
	}
	r := c.resultOf(t, report, err, took)
	c.turns.report(turn, func() { c.done(r) })
}

// resultOf returns the result of a trace that was not interrupted.
func (c *Conversion) resultOf(t *inputs.Trace, report *bundle.Report, err error, took time.Duration) *Result {
	r := &Result{
		File: t.File, Name: t.Name(), Size: t.Size, Taken: t.Taken,
		Report: report, Err: inputs.WithoutPath(t.File.Path, err), Took: took,
	}
	r.judge(c.Options.Strict)
	if r.Err != nil {
		c.progress.Fail()
	}
	if c.isRemote && errors.Is(err, remote.ErrRefused) { // no other trace can be written either
		c.stop(&OutputError{err})
	}
	return r
}

// done queues a result, which is reported after the results of all earlier traces, when
// their bundles are committed.
func (c *Conversion) done(r *Result) {
	c.bundler.outcomes.now(func() { c.report(r) })
}

// report reports a result whose turn has come.
func (c *Conversion) report(r *Result) {
	c.written = c.written || r.Err == nil
	if c.Siblings && r.Err == nil {
		c.unknown.add(r)
	}
	c.Done(r)
}
