package main

import (
	"context"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/answers"
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
