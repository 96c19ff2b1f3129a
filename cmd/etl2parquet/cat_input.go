package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/answers"
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
	traces, err := r.openPart(f)
	if err != nil {
		return err
	}
	if len(traces.All()) > 0 {
		err = r.catTraces(f, (*etl2parquet.Traces)(traces))
	}
	err = r.Close(r.ctx, traces, err)
	switch {
	case isClosedPipe(r.out.err) && r.Failed > 0:
		return answers.ErrSomeFailed
	case r.out.err != nil:
		return r.out.err
	case r.sent != nil && r.sent.result != nil:
		return r.sent.result
	}
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
	err = r.Together(r.ctx, func(traces *reading.Traces) error { return do(r, (*etl2parquet.Traces)(traces)) })
	return cmp.Or(r.out.err, err, r.result())
}

// openPart opens the traces of cat, or that of its split.
func (r *job) openPart(f *catFlags) (*reading.Traces, error) {
	inner := ""
	if f.part != nil {
		if len(r.Files.Files) > 1 {
			return nil, usagef("--split is a part of one trace, and there are %d files", len(r.Files.Files))
		}
		inner = f.part.Inner
	}
	traces, err := r.Open(r.ctx, f.opening, inner)
	if err == nil && inner != "" && len(traces.All())+r.Failed == 0 {
		err = errors.Join(fmt.Errorf("the archive does not have the split's trace, %s", inner), traces.Close())
	}
	return traces, err
}
