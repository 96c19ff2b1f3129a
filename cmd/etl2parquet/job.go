package main

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// job is a run of a command over the traces that its flags and arguments name.
type job struct {
	*app
	*answers.Traces                 // as the flags say
	ctx             context.Context // cancelled to end the job, also when the output cannot be written
	stop            context.CancelFunc
	flags           *traceFlags
	bar             *progress.Display // nil: none
	timing          *timing           // nil: none
	restore         func()            // of the limits on the process
	sent            *otlpOutput       // of cat, if log records are posted

	onlyTraces func(dataset string) error // returns an error if flags are given that only traces take; nil: none are
	reported   bool                       // what symbols and descriptions lack, or the command itself reports it
}

// open checks the flags, opens the descriptions and symbols that they name, and finds the inputs. It
// reports and counts inputs that do not exist. The job must be closed.
func (a *app) open(ctx context.Context, f *traceFlags, args []string) (*job, error) {
	r, err := a.begin(ctx, f)
	if err == nil {
		err = r.find(args)
	}
	return r.orClose(err)
}

// begin is open, but finds no inputs yet.
func (a *app) begin(ctx context.Context, f *traceFlags) (*job, error) {
	r := &job{app: a, flags: f, restore: func() {}}
	r.Traces = &answers.Traces{Stdin: a.in, From: a.from, Siblings: f.siblings.isAuto(), OnFail: r.failed, OnFound: r.limit, Begin: r.begins, Results: r.reportTables}
	r.ctx, r.stop = context.WithCancel(ctx)
	err := r.setOptions()
	if err == nil {
		err = f.source.set(r.Traces, r.patienceOf(&f.source.servers, r.showWait, r.aside))
	}
	if err == nil {
		err = r.setKept()
	}
	return r.orClose(err)
}

// showWait shows, in the progress bar, that a server is waited for, until text is "". It returns false
// if there is no bar.
func (r *job) showWait(text string) bool { return r.bar != nil && r.bar.Wait(text) }

// orClose returns the job, or closes it if there is an error.
func (r *job) orClose(err error) (*job, error) {
	if err != nil && r != nil {
		r.close()
		return nil, err
	}
	return r, err
}

// find finds the inputs that the arguments and flags name.
func (r *job) find(args []string) error {
	list, err := r.flags.source.listed(args, r.app.in)
	if err == nil {
		err = r.Find(r.ctx, args, list)
	}
	return err
}

// fewInputs is the number of inputs up to which the process reserves memory; see docs/dev/performance.md.
const fewInputs = 64

// limit limits the process for the inputs.
func (r *job) limit() {
	if f := &r.flags.resources; f.isAdded {
		r.Options.Memory = f.memoryFor(r.Files)
		r.restore = f.limit(r.Options.Memory, len(r.Files.Files) <= fewInputs)
	}
}

// failed reports an input that cannot be read.
func (r *job) failed(name string, err error) { r.aside(func() { r.failInput(name, err) }) }

// scan returns the selected events.
func (r *job) scan() etl2parquet.Scan {
	o := &r.Options
	return etl2parquet.Scan{Selection: o.Selection.Selection, Strict: o.Strict, Payload: etl2parquet.PayloadMode(o.Payload)}
}

// reportMissing reports, once, what the descriptions and symbols lack.
func (r *job) reportMissing() {
	if !r.reported {
		r.reported = true
		r.flags.schemas.warn(r.app, r.Options.Schemas)
		r.flags.symbols.warn(r.app, r.Options.Symbols)
	}
}

// close closes the symbols, and reports what they and the descriptions lack, and which files of
// folders were not read.
func (r *job) close() {
	r.stop()
	r.restore()
	r.reportMissing()
	if r.Files != nil && len(r.Files.LeftOut) > 0 {
		r.warn("%s", printable(r.Files.LeftOut.String()))
	}
	r.Options.Symbols.Close()
}

// traceFlags are the flags of commands that read traces: the inputs, the resources and the
// selection. A command adds the flags that it supports; the others keep their defaults.
type traceFlags struct {
	source    sourceFlags
	schemas   schemaFlags
	symbols   symbolFlags
	selection selectionFlags
	content   contentFlags
	cache     cacheFlags
	redact    redactFlags
	siblings  siblingsFlag
	resources resourceFlags // without flags all processors and the default memory
	index     string        // path of a file of indexes; "" makes the index pass
	strict    bool
}

// setOptions checks the flags, and opens the descriptions and symbols that they name.
func (r *job) setOptions() (err error) {
	f, o := r.flags, &r.Options
	if o.Selection, err = f.selection.parse(); err != nil {
		return err
	}
	o.Workers, o.Memory = runtime.GOMAXPROCS(0), pipeline.DefaultMemory
	if f.resources.isAdded {
		o.Facts = f.resources.resolve()
		o.Workers = f.resources.workers // found sets the memory
	}
	o.Strict, o.Index, o.TempDir = f.strict, f.index, f.source.tempDir
	f.content.set(o)
	descriptions, err := f.schemas.descriptions()
	if err != nil {
		return err
	}
	named, err := f.symbols.find(r.ctx, r.app, f.source.servers.timeout)
	if err != nil {
		return err
	}
	key, err := f.redact.key(r.err)
	if err != nil {
		return err
	}
	if key != nil {
		if o.Redact, err = redact.NewKey(key); err != nil {
			return err
		}
	}
	o.Schemas, o.Symbols = (*catalog.Files)(descriptions), (*symbols.Set)(named)
	o.Schemas.From(r.from)
	o.Symbols.From(r.from)
	return nil
}

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

// ask runs the statements of a source: over a dataset if the only input is one, else over tables that
// it makes of the traces.
func (r *job) ask(duckdb *answers.DuckDB, source *answers.Source, o *answers.Options) error {
	d, err := r.Dataset(r.ctx, source.Inputs)
	switch {
	case err != nil:
		return err
	case d == nil:
	case r.flags.source.list != "":
		return usagef("--files-from is for traces, and %s is a dataset", source.Inputs[0])
	case r.onlyTraces != nil:
		err = r.onlyTraces(source.Inputs[0])
	}
	if err != nil {
		return err
	}
	if d != nil {
		source.Use(d)
	}
	return r.Ask(r.ctx, duckdb, source, func() error { return r.find(source.Inputs) }, o)
}

// setKept opens the cache.
func (r *job) setKept() error {
	f := r.flags
	c, err := r.openCache(&f.cache)
	r.Kept = answers.Kept{
		Cache: c, MinIndexed: r.minIndexed, Failed: r.warnNoCache, Added: func() { r.tellOfCache(c) },
		Settings: slices.Concat(f.schemas.catalogs, []string{""}, f.symbols.settings()),
	}
	return err
}

// begins measures a conversion for a question, and shows its progress.
func (r *job) begins(c *batch.Conversion) (began, ended func()) {
	stop := r.timing.convert(c.Options)
	r.bar = progress.New(r.progressBar(), progress.Auto, len(r.Files.Files), r.Files.Size())
	c.Reader.Progress = r.bar.Progress
	c.Warn = func(name string, err error) { r.aside(func() { r.failInput(name, err) }) }
	return func() { r.bar.Start(r.ticker) }, func() { r.bar.End(); stop() }
}

// reportTables reports the results of traces: which parts of the selection match nothing, and the problems that
// matter for the statements.
func (r *job) reportTables(source *answers.Source, results []*batch.Result) {
	var found problemLog
	var unmatched patternLog
	for _, result := range results {
		if result.Err == nil {
			unmatched.add(result.Name, answers.OfSelection(result.Report.Mismatches))
			found.add(result.Name, source.Matter(result.Report.Problems))
		}
	}
	r.reportMissing()
	r.warnAll(append(unmatched.lines(), found.lines("table problems", problemsSQL)...))
}
