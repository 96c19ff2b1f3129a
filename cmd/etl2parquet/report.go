package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/report"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// reportFlags are the flags of report.
type reportFlags struct {
	traceFlags
	views   viewFlags
	output  string
	against string
	force   bool
	open    bool

	set *views.Set
}

func (a *app) reportCommand() *cobra.Command {
	f := new(reportFlags)
	return newCommand("report", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.report(cmd.Context(), f, args) },
	}, []option{
		{flag: "output,o", value: outputValue{&f.output}, complete: completeFiles, usage: "write this `file`; without it, NAME.html for NAME.etl in the current folder"},
		{flag: "against", value: &f.against, complete: completeFiles, usage: "compare the inputs with this other `trace`, side by side"},
		{flag: "open", value: &f.open, usage: "open the page in the browser"},
		{flag: "force", value: &f.force, usage: "replace the file if it exists"},
	}, f.views.flags(), f.cache.flags(), f.selection.flags(), f.redact.flags(), f.schemas.flags(), f.symbols.flags(), strictOption(&f.strict, "treat damage in a trace as an error"), f.resources.flags(), f.source.flags())
}

// report writes traces as a page.
func (a *app) report(ctx context.Context, f *reportFlags, args []string) (err error) {
	if f.set, err = f.views.set(); err != nil {
		return err
	}
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
	o := report.Options{Scan: r.scan(), Views: f.set}
	o.SQL, o.NoSQL = r.sqlFor(f, r.Traces, args)
	if f.against == "" {
		return report.Write(r.ctx, traces, w, o)
	}
	against, other, err := r.openAgainst(f.against)
	if err != nil {
		return err
	}
	if o.SQL != nil {
		o.AgainstSQL, _ = r.sqlFor(f, against, []string{f.against})
	}
	return errors.Join(report.Compare(r.ctx, traces, (*etl2parquet.Traces)(other), w, o), other.Close())
}

// openAgainst opens the trace that the inputs are compared with. It must be readable.
func (r *job) openAgainst(path string) (*answers.Traces, *reading.Traces, error) {
	var failed error
	against := *r.Traces
	against.OnFail, against.OnFound = func(_ string, err error) { failed = cmp.Or(failed, err) }, nil
	if err := against.Find(r.ctx, []string{path}, nil); err != nil || failed != nil {
		return nil, nil, usageError{fileError("against", path, cmp.Or(err, failed))}
	}
	traces, err := against.Open(r.ctx, against.Reading(), "")
	if err != nil {
		return nil, nil, fileError("against", path, err)
	}
	if failed == nil && len(traces.All()) == 0 {
		failed = errors.New("it has no trace")
	}
	if failed != nil {
		return nil, nil, errors.Join(fileError("against", path, failed), traces.Close())
	}
	return &against, traces, nil
}

// sqlFor returns the function that runs SQL over traces, or why there is none.
func (r *job) sqlFor(f *reportFlags, traces *answers.Traces, args []string) (run report.Runner, why string) {
	if slices.Contains(args, inputs.Stdin) || f.source.list == inputs.Stdin {
		return nil, report.WithoutTables + "they need the trace twice, and standard input is read once."
	}
	asking := &report.Asking{
		Traces: traces, Views: f.set, Inputs: args, Bound: func(d *answers.DuckDB) { f.resources.bound(d, false) },
		Words: messageOf, Note: func(text string) { r.warnAll([]string{text}) },
	}
	return asking.Runner()
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

// opener returns the system's program that opens a file with the user's choice of program, and its
// arguments before the file.
func opener(system string) []string {
	switch system {
	case "windows":
		return []string{"rundll32.exe", "url.dll,FileProtocolHandler"}
	case "darwin":
		return []string{"/usr/bin/open"}
	}
	return []string{"xdg-open"}
}

// openPage opens a page in the browser. No shell reads the path, which is absolute, so that none is taken
// for a flag.
func openPage(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	command := append(opener(runtime.GOOS), path)
	if err := exec.Command(command[0], command[1:]...).Run(); err != nil {
		return fmt.Errorf("--open: %s: %w", command[0], err)
	}
	return nil
}
