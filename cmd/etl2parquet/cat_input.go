package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// cat prints the rows of traces.
func (a *app) cat(ctx context.Context, f *catFlags, args []string) error {
	if _, err := a.formatOf(f.format.value, true, "write it into a file with > FILE"); err != nil {
		return err
	}
	defer relaxGC()()
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	if err := f.choose(r); err != nil {
		return err
	}
	traces, err := r.openTraces(f.part)
	if err != nil {
		return err
	}
	before := r.failed
	if len(traces.All()) > 0 {
		err = r.catTraces(f, traces)
	}
	switch closing := traces.Close(); {
	case isClosedPipe(r.out.err) && r.failed > 0:
		return errSomeFailed
	case r.out.err != nil:
		return r.out.err
	case r.sent != nil && r.sent.result != nil:
		return errors.Join(r.sent.result, closing)
	default:
		err = errors.Join(r.failTraces(traces, err), closing)
	}
	r.done = len(traces.All()) - (r.failed - before)
	return cmp.Or(err, r.result())
}

// withTraces opens traces together and calls do with them, unless all failed. The errors of single traces
// are reported and counted.
func (a *app) withTraces(ctx context.Context, f *traceFlags, args []string, do func(r *job, traces *etl2parquet.Traces) error) error {
	r, err := a.open(ctx, f, args)
	if err != nil {
		return err
	}
	defer r.close()
	kept, err := r.forAnswers()
	if err != nil {
		return err
	}
	indexes := kept.Indexes()
	if indexes != nil {
		r.library.Indexes = indexes
	}
	traces, err := r.openTraces(nil)
	if err != nil {
		return err
	}
	indexes.End()
	before := r.failed
	if len(traces.All()) > 0 {
		if err = do(r, traces); errors.Is(err, index.ErrStale) {
			indexes.Drop()
		}
	}
	if r.out.err != nil {
		return errors.Join(r.out.err, traces.Close())
	}
	err = errors.Join(r.failTraces(traces, err), traces.Close())
	r.done = len(traces.All()) - (r.failed - before)
	return cmp.Or(err, r.result())
}

// failTraces reports and counts the errors of single traces, and returns others.
func (r *job) failTraces(traces *etl2parquet.Traces, err error) error {
	if all := traces.All(); err != nil && len(all) == 1 && r.ctx.Err() == nil && !errors.As(err, new(*facts.InputError)) {
		err = &facts.InputError{Input: all[0].Input(), Err: err}
	}
	if err == nil {
		return nil
	}
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	var others []error
	for _, err := range list {
		if of := new(facts.InputError); errors.As(err, &of) {
			r.fail(of.Input, inputs.WithoutPath(of.Input, of.Err))
		} else {
			others = append(others, err)
		}
	}
	return errors.Join(others...)
}

// openTraces opens the traces, or that of a split, and reports and counts those that cannot be read.
func (r *job) openTraces(part *splits.Split) (*etl2parquet.Traces, error) {
	reader := &inputs.Reader{Options: r.archive, Stdin: r.app.in, Most: r.servers.files.Traces}
	if part != nil {
		if len(r.in.Files) > 1 {
			return nil, usagef("--split is a part of one trace, and there are %d files", len(r.in.Files))
		}
		reader.Inner = part.Inner
	}
	opened, err := reading.Open(r.ctx, r.in, reader, r.library)
	if err != nil {
		return nil, err
	}
	traces := (*etl2parquet.Traces)(opened)
	for _, failed := range traces.Failed() {
		r.fail(failed.Input, failed.Err)
	}
	if part != nil && part.Inner != "" && len(traces.All())+r.failed == 0 {
		err = fmt.Errorf("the archive does not have the split's trace, %s", part.Inner)
	}
	return traces, err
}
