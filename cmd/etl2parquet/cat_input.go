package main

import (
	"context"
	"fmt"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// cat prints the rows of one trace.
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
	if len(r.in.Files) > 1 {
		return usagef("%s has %d files, and cat prints one trace", args[0], len(r.in.Files))
	}
	f.choose(r)
	printed, others := "", 0
	err = r.each(func(t *inputs.Trace) error {
		switch {
		case f.isOther(t):
			others++
			return nil
		case printed != "":
			return endFile{fmt.Errorf("it has several traces, and cat prints one: only %s was printed", printed)}
		}
		printed = t.Name()
		return r.withTrace(t, func(trace *etl2parquet.Trace) error { return r.catTrace(f, t.Name(), trace) })
	})
	switch {
	case err != nil:
		return err
	case r.failed > 0:
		return errAllFailed
	}
	return f.checkFound(printed, others)
}
