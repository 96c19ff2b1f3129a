package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
	"github.com/etl2parquet/etl2parquet/internal/doors/report"
)

// report writes traces as a page.
func (a *app) report(ctx context.Context, f *reportFlags, args []string) (err error) {
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	traces, err := r.openTraces(nil)
	if err != nil {
		return err
	}
	before := r.failed
	if len(traces.All()) > 0 {
		err = r.failTraces(traces, r.writeReport(f, traces, args))
	}
	err = errors.Join(err, traces.Close())
	r.done = len(traces.All()) - (r.failed - before)
	return cmp.Or(err, r.result())
}

// writeReport writes the page of traces into its file.
func (r *reading) writeReport(f *reportFlags, traces *etl2parquet.Traces, args []string) (err error) {
	path := cmp.Or(f.output, traces.All()[0].Name()+".html")
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !isDescriptor(path) && !f.force {
		return usageError{fileError("output", path, fmt.Errorf("%w; --force replaces it", os.ErrExist))}
	}
	file, err := createOutput(path)
	if err != nil {
		return usageError{fileError("output", path, err)}
	}
	written := &byteCounter{Writer: file}
	o := report.Options{Scan: r.scan}
	r.setSQL(&o, f, args)
	err = report.Write(r.ctx, traces, written, o)
	isComplete := err == nil || written.bytes > 0 && r.ctx.Err() == nil
	if err = errors.Join(err, file.end(isComplete)); isComplete {
		fmt.Fprintf(r.app.err, "%s: %s\n", printable(path), number.Counted(written.bytes, "byte"))
	}
	return err
}

// byteCounter counts the bytes that are written.
type byteCounter struct {
	io.Writer
	bytes int64
}

func (c *byteCounter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.bytes += int64(n)
	return n, err
}
