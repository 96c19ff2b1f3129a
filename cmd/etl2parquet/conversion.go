package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/messages"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/results"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// conversion is one run of convert, with its output for the user.
type conversion struct {
	app        *app
	flags      *convertFlags
	batch      *batch.Conversion
	progress   *progress.Display
	results    *results.Table
	report     *batch.Report
	mismatches batch.Mismatches
}

func (a *app) convert(ctx context.Context, f *convertFlags, o *bundle.Options, args []string) (err error) {
	options, servers, err := f.source.options(a.patience)
	if err != nil {
		return err
	}
	in, err := f.inputs(ctx, args, a.in, servers, a.failInput)
	if err != nil {
		return err
	}
	if o.Symbols, err = f.symbols.open(ctx, a); err != nil {
		return err
	}
	defer o.Symbols.Close()
	c := &conversion{app: a, flags: f}
	if c.report, err = batch.NewReport(f.report, batch.ReportOptions{Tool: toolVersion(), Output: f.output, Message: messages.OfInput}); err != nil {
		return fileError("report", f.report, err)
	}
	defer func() { err = c.closeReport(err) }()
	c.report.Absent(in.Absent)
	switch {
	case len(in.Files)+len(in.Absent) == 0: // an empty shard of a plan
		if !f.quiet {
			fmt.Fprintf(a.out, "nothing to do in shard %s\n", f.shard)
		}
		return nil
	case len(in.Files) == 0:
		return errAllFailed
	}
	out, err := servers.Store(f.output)
	if err != nil {
		return usagef("-o %s: %w", f.output, err)
	}
	c.batch = &batch.Conversion{
		Dataset: bundle.NewDataset(out), Options: o, Inputs: in, Bundling: f.bundle.bundling(), Sessions: f.session.value == autoSession, Traces: servers.files.Traces,
		Reader: &inputs.Reader{Options: options, Stdin: a.in},
		Done:   func(r *batch.Result) { c.progress.Aside(func() { c.done(r) }) },
		Warn:   func(name string, err error) { c.progress.Aside(func() { c.warn(name, err) }) },
	}
	if f.dryRun {
		return c.list(ctx)
	}
	defer f.resources.limit(len(in.Files) <= batch.ManySmall)()
	if err := out.Prepare(ctx); err != nil {
		return outputError(f.output, err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := c.batch.Begin(ctx); err != nil {
		return c.beginError(err)
	}
	return c.run(ctx)
}

// show starts the display of the run's progress, on bar unless that is nil.
func (c *conversion) show(bar io.Writer) {
	in := c.batch.Inputs
	c.progress = progress.New(bar, c.flags.progress.value, len(in.Files), in.Size())
	c.batch.Reader.Progress = c.progress.Progress
}

// beginError returns the error for a dataset that cannot be written.
func (c *conversion) beginError(err error) error {
	if errors.Is(err, dataset.ErrOldLayout) {
		return usagef("-o %s: %w", c.flags.output, err)
	}
	return outputError(c.flags.output, err)
}

// run converts the inputs, and prints the results.
func (c *conversion) run(ctx context.Context) error {
	var bar, out io.Writer = c.app.err, c.app.out
	if c.flags.quiet {
		out = io.Discard
	}
	if c.flags.quiet && c.flags.progress.value == progress.Auto {
		bar = nil
	}
	c.show(bar)
	c.results = results.New(out, c.batch.FileNames())
	c.progress.Start(c.app.ticker)
	interrupted := c.batch.Run(ctx)
	c.progress.End()
	c.flags.schemas.warn(c.app, c.batch.Options.Schemas)
	c.flags.symbols.warn(c.app, c.batch.Options.Symbols)
	c.mismatch(c.mismatches.End(interrupted != nil))
	counts := c.report.Counts()
	if counts.Traces() > 0 {
		// Write views.sql even if the run was interrupted, for the traces that are done.
		if err := views.Write(context.WithoutCancel(ctx), c.batch.Dataset.Dataset); err != nil {
			return outputError(c.flags.output, err)
		}
	}
	if interrupted != nil {
		c.app.warn("%s done; the same command continues with the others", counted(int64(counts.Traces()), "trace"))
		return interrupted
	}
	c.results.Summary(&counts, c.flags.outputFile("views.sql"), pageWidth(c.app.out))
	if counts.Failed == 0 && counts.Traces() == 0 {
		c.app.warn("no trace in any of the inputs")
		return errAllFailed
	}
	return resultOf(context.Background(), counts.Traces(), counts.Failed)
}

// closeReport ends the report of a run that returned the error run, or nil.
func (c *conversion) closeReport(run error) error {
	state := batch.RunFailed
	switch {
	case run == nil, errors.Is(run, errSomeFailed), errors.Is(run, errAllFailed):
		state = batch.RunComplete
	case errors.Is(run, context.Canceled):
		state = batch.RunInterrupted
	}
	err := c.report.Close(state)
	if err != nil {
		err = fmt.Errorf("--report: %w", err)
	}
	if run == nil {
		return err
	}
	if err != nil {
		c.app.warn("%v", err)
	}
	return run
}

// done prints a result.
func (c *conversion) done(r *batch.Result) {
	if r.Err != nil {
		c.app.failInput(r.Name, r.Err)
		c.report.Add(r)
		return
	}
	c.results.Add(r)
	c.report.Add(r)
	if r.Report.Skipped {
		return
	}
	if r.Report.Again != "" && !c.flags.quiet {
		c.app.warn("%s: converted again: %s", printable(r.Name), printable(r.Report.Again))
	}
	where := "table problems"
	if !c.batch.Options.Selection.WantsTable("problems") {
		where = c.flags.outputFile("_traces/" + r.Report.Trace + ".json")
	}
	for _, line := range problemLines(r.Report.Problems, where) {
		c.app.warn("%s: %s", printable(r.Name), line)
	}
	c.mismatch(c.mismatches.Add(r.Name, r.Report))
}

// warn prints an error that fails no trace.
func (c *conversion) warn(name string, err error) {
	if name == "" {
		c.app.warn("%v", err)
		return
	}
	c.app.warn("%s: %v", printable(name), err)
}

// mismatch prints the parts of the selection that match nothing.
func (c *conversion) mismatch(list []batch.Mismatch) {
	for i := range list {
		c.app.warn("%s", printable(mismatchLine(&list[i])))
	}
}
