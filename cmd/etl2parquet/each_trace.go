package main

import (
	"context"
	"errors"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// fail reports and counts an input that cannot be read.
func (r *job) fail(name string, err error) {
	r.failed++
	r.aside(func() { r.failInput(name, err) })
}

// aside prints something beside the progress bar, if there is one.
func (r *job) aside(print func()) {
	if r.bar == nil {
		print()
		return
	}
	r.bar.Aside(print)
}

// endFile is an error of visit that concerns the whole file: its other traces are left out.
type endFile struct{ error }

// each visits the traces, one after another, and closes each. If visit fails, each reports and counts
// the trace and goes on with the next one; see [endFile]. It returns an error if it was interrupted
// or the output cannot be written; both end the reading.
func (r *job) each(visit func(t *inputs.Trace) error) error {
	reader := &inputs.Reader{Options: r.archive, Stdin: r.app.in, Progress: inputs.NewProgress(len(r.in.Files), r.in.Size())}
	if r.bar != nil {
		reader.Progress = r.bar.Progress
		r.bar.Start(r.ticker)
		defer r.bar.End()
	}
	reader.Fail = func(_ *inputs.File, name string, err error) { r.fail(name, err) }
	reader.Visit = func(t *inputs.Trace) error {
		err := errors.Join(visit(t), t.Close())
		if err == nil {
			r.done++
		}
		switch {
		case r.out.err != nil:
			r.stop() // skip the other traces
		case r.ctx.Err() != nil:
		case errors.As(err, new(endFile)):
			return err
		case err != nil:
			r.fail(t.Name(), inputs.WithoutPath(t.File.Path, err))
		}
		return r.ctx.Err()
	}
	interrupted := reader.Each(r.ctx, r.in.Files)
	if r.out.err != nil {
		return r.out.err
	}
	return interrupted
}

// newConversion returns a conversion of the inputs, with what is common to all that convert.
func (r *job) newConversion(o *bundle.Options) *batch.Conversion {
	return &batch.Conversion{
		Options: o, Inputs: r.in, Siblings: r.flags.siblings.isAuto(), Traces: r.servers.files.Traces,
		Reader: &inputs.Reader{Options: r.archive, Stdin: r.app.in, Progress: r.bar.Progress},
	}
}

// withTrace opens a trace, calls do, and closes the trace.
func (r *job) withTrace(t *inputs.Trace, do func(*etl2parquet.Trace) error) error {
	if err := t.Open(); err != nil {
		return err
	}
	trace, err := reading.OpenReader(r.ctx, t.Reader(), t.Size, t.Path(), r.library)
	if err != nil {
		return err
	}
	return errors.Join(do((*etl2parquet.Trace)(trace)), trace.Close())
}

// shareDescriptions makes the traces that were found describe each other's events.
func (r *job) shareDescriptions() {
	r.library.Inputs = inputs.Descriptions(r.ctx, r.archive, r.in.Files, r.options.Workers, func(*inputs.Trace) bool { return false })
}

// eachTrace opens the traces, one after another, and calls do for each.
func (r *job) eachTrace(do func(*inputs.Trace, *etl2parquet.Trace) error) error {
	return r.each(func(t *inputs.Trace) error {
		return r.withTrace(t, func(trace *etl2parquet.Trace) error { return do(t, trace) })
	})
}

// result returns the error of a command over several inputs: whether some or all failed.
func (r *job) result() error { return resultOf(context.WithoutCancel(r.ctx), r.done, r.failed) }
