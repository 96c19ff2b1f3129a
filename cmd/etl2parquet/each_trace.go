package main

import (
	"cmp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// aside prints something beside the progress bar, if there is one.
func (r *job) aside(print func()) {
	if r.bar == nil {
		print()
		return
	}
	r.bar.Aside(print)
}

// each visits the traces, one after another, and shows the progress; see [answers.Traces.Each]. It returns an error if
// it was interrupted or the output cannot be written; both end the job.
func (r *job) each(visit func(t *inputs.Trace) error) error {
	var p *inputs.Progress
	if r.bar != nil {
		p = r.bar.Progress
		r.bar.Start(r.ticker)
		defer r.bar.End()
	}
	interrupted := r.Each(r.ctx, p, func(t *inputs.Trace) error {
		err := visit(t)
		if r.out.err != nil {
			r.stop() // skip the other traces
		}
		return err
	})
	return cmp.Or(r.out.err, interrupted)
}

// eachTrace opens the traces, one after another, and calls do for each.
func (r *job) eachTrace(do func(*inputs.Trace, *etl2parquet.Trace) error) error {
	return r.each(func(t *inputs.Trace) error {
		return r.WithOpen(r.ctx, t, func(trace *reading.Trace) error { return do(t, (*etl2parquet.Trace)(trace)) })
	})
}

// result returns the error of a command over several inputs: whether some or all failed.
func (r *job) result() error { return r.Result() }
