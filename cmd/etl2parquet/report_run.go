package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/report"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// report writes traces as a page.
func (a *app) report(ctx context.Context, f *reportFlags, args []string) error {
	return a.withTraces(ctx, &f.traceFlags, args, func(r *job, traces *etl2parquet.Traces) error {
		return r.writeReport(f, traces, args)
	})
}

// writeReport writes the page of traces into its file.
func (r *job) writeReport(f *reportFlags, traces *etl2parquet.Traces, args []string) (err error) {
	path := cmp.Or(f.output, traces.All()[0].Name()+".html")
	file, err := newOutput(path, f.force)
	if err != nil {
		return err
	}
	written := &byteCounter{Writer: file}
	err = r.writePage(f, traces, args, written)
	isComplete := err == nil || written.bytes > 0 && r.ctx.Err() == nil
	if err = errors.Join(err, file.end(isComplete)); isComplete {
		fmt.Fprintf(r.app.err, "%s: %s\n", printable(path), texts.Counted(written.bytes, "byte"))
		if f.open {
			err = errors.Join(err, openPage(path))
		}
	}
	return err
}

// writePage writes the page of traces, alone or against another trace.
func (r *job) writePage(f *reportFlags, traces *etl2parquet.Traces, args []string, w io.Writer) error {
	o := report.Options{Scan: r.scan}
	o.SQL, o.NoSQL = r.sqlFor(f, args)
	if f.against == "" {
		return report.Write(r.ctx, traces, w, o)
	}
	other, err := r.openAgainst(f.against)
	if err != nil {
		return err
	}
	if o.SQL != nil {
		o.AgainstSQL, _ = r.sqlFor(f, []string{f.against})
	}
	return errors.Join(report.Compare(r.ctx, traces, other, w, o), other.Close())
}

// openAgainst opens the trace that the inputs are compared with. It must be readable.
func (r *job) openAgainst(path string) (*etl2parquet.Traces, error) {
	var failed error
	fail := func(_ string, err error) { failed = cmp.Or(failed, err) }
	source := r.flags.source
	source.list = ""
	in, err := source.find(r.ctx, r.app.from, []string{path}, r.app.in, r.servers, fail)
	if err != nil || failed != nil {
		return nil, usageError{fileError("against", path, cmp.Or(err, failed))}
	}
	opened, err := reading.Open(r.ctx, in, &inputs.Reader{Options: r.archive, Stdin: r.app.in, Most: r.servers.files.Traces}, r.library)
	if err != nil {
		return nil, fileError("against", path, err)
	}
	traces := (*etl2parquet.Traces)(opened)
	if list := traces.Failed(); len(list) > 0 {
		return nil, errors.Join(fileError("against", path, list[0].Err), traces.Close())
	}
	if len(traces.All()) == 0 {
		return nil, errors.Join(fileError("against", path, errors.New("it has no trace")), traces.Close())
	}
	return traces, nil
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
