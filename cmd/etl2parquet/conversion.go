package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/results"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// conversion is one run of convert, with its output for the user.
type conversion struct {
	*job
	flags      *convertFlags
	out        store.Store
	batch      *batch.Conversion
	results    *results.Table
	report     *batch.Report
	mismatches batch.Mismatches
	problems   problemLog
	last       string // name of the trace that was converted last
}

func (a *app) convert(ctx context.Context, f *convertFlags, args []string) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	r, err := a.begin(ctx, &f.traceFlags)
	if err != nil {
		return err
	}
	defer r.close()
	o, err := f.options(r.Options)
	if err != nil {
		return err
	}
	if err := f.find(r, args); err != nil {
		return err
	}
	c := &conversion{job: r, flags: f}
	if err := checkReplaced("report", f.report, reportBegin); err != nil {
		return err
	}
	if c.report, err = batch.NewReport(f.report, batch.ReportOptions{Tool: toolVersion(), Output: f.output, Message: messageOfInput, Out: a.out}); err != nil {
		return fileError("report", f.report, err)
	}
	defer func() { err = c.closeReport(err) }()
	c.report.Absent(r.Files.Absent)
	c.report.LeftOut(r.Files.LeftOut)
	switch {
	case len(r.Files.Files)+len(r.Files.Absent) == 0: // an empty shard of a plan
		if !f.quiet {
			fmt.Fprintf(a.out, "nothing to do in shard %s\n", f.shard)
		}
		return nil
	case len(r.Files.Files) == 0:
		return answers.ErrAllFailed
	}
	if c.out, err = r.Servers.Store(f.output); err != nil {
		return usagef("-o %s: %w", f.output, err)
	}
	if f.dryRun {
		c.prepare(o, nil)
		return c.list()
	}
	bar := a.err
	if f.quiet && f.progress.value == progress.Auto {
		bar = nil
	}
	c.prepare(o, bar)
	return c.run()
}

// prepare makes the conversion, and the display of its progress on bar unless that is nil.
func (c *conversion) prepare(o *bundle.Options, bar io.Writer) {
	c.bar = progress.New(bar, c.flags.progress.value, len(c.Files.Files), c.Files.Size())
	c.batch = c.NewConversion(o)
	c.batch.Reader.Progress = c.bar.Progress
	c.batch.Bundling = c.flags.bundle.bundling()
	c.batch.Done = func(r *batch.Result) { c.aside(func() { c.done(r) }) }
	c.batch.Warn = func(name string, err error) { c.aside(func() { c.warnOf(name, err) }) }
}

// outputError returns the error of a dataset that cannot be written or read, or else err.
func (c *conversion) outputError(err error) error {
	of := new(batch.OutputError)
	switch {
	case !errors.As(err, &of):
		return err
	case errors.Is(err, dataset.ErrOldLayout), errors.As(err, new(*dataset.UnsignedError)):
		return usagef("-o %s: %w", c.flags.output, of.Err)
	}
	return outputError(c.flags.output, of.Err)
}

// run converts the inputs, and prints the results.
func (c *conversion) run() error {
	var out io.Writer = c.app.out
	if c.flags.quiet {
		out = io.Discard
	}
	err := c.batch.Run(c.ctx, c.out, func() {
		c.results = results.New(out, c.batch.FileNames(), results.Options{Width: pageWidth(c.app.out), Style: c.app.style(), Next: c.next()})
		c.bar.Start(c.ticker)
	})
	c.bar.End()
	if c.results == nil { // no trace was begun
		return c.outputError(err)
	}
	if !c.flags.quiet {
		c.flags.schemas.tellBeside(c.app, c.Options.Schemas)
	}
	c.reportMissing()
	c.mismatch(c.mismatches.End(err != nil))
	c.warnProblems()
	counts := c.report.Counts()
	switch {
	case errors.Is(err, context.Canceled):
		c.warn("%s done; the same command continues with the others", counted(int64(counts.Traces()), "trace"))
		return err
	case err != nil:
		return c.outputError(err)
	}
	c.results.Summary(&counts)
	if counts.Failed == 0 && counts.Traces() == 0 {
		c.warn("no trace in any of the inputs")
		return answers.ErrAllFailed
	}
	return resultOf(context.Background(), counts.Traces(), counts.Failed)
}

// warnProblems prints the problems of the traces, and where they are listed.
func (c *conversion) warnProblems() {
	where, list := "table problems", problemsSQL
	if !c.batch.Options.Selection.WantsTable("problems") {
		where = c.flags.outputFile("_traces/" + c.last + ".json")
		list = func(string) string { return "see " + c.flags.outputFile("_traces") }
	}
	c.warnAll(c.problems.lines(where, list))
}

// closeReport ends the report of a run that returned the error run, or nil.
func (c *conversion) closeReport(run error) error {
	state := batch.RunFailed
	switch {
	case run == nil, errors.Is(run, answers.ErrSomeFailed), errors.Is(run, answers.ErrAllFailed):
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
		c.warn("%v", err)
	}
	return run
}

// done prints a result.
func (c *conversion) done(r *batch.Result) {
	if r.Err != nil {
		c.failInput(r.Name, r.Err)
		c.report.Add(r)
		return
	}
	c.results.Add(r)
	c.report.Add(r)
	if r.Report.Skipped {
		return
	}
	if r.Report.Again != "" && !c.flags.quiet {
		c.warn("%s: converted again: %s", printable(r.Name), printable(r.Report.Again))
	}
	c.problems.add(r.Name, r.Report.Problems)
	c.last = r.Report.Trace
	c.mismatch(c.mismatches.Add(r.Name, r.Report))
}

// warnOf prints an error that fails no trace.
func (c *conversion) warnOf(name string, err error) {
	if name == "" {
		c.warn("%v", err)
		return
	}
	c.warn("%s: %v", printable(name), err)
}

// mismatch prints the parts of the selection that match nothing.
func (c *conversion) mismatch(list []batch.Mismatch) {
	for i := range list {
		c.warn("%s", printable(mismatchLine(&list[i])))
	}
}
