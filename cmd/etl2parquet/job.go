package main

import (
	"context"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// job is a run of a command over the traces that its flags and arguments name.
type job struct {
	*app
	ctx     context.Context // cancelled to end the job, also when the output cannot be written
	stop    context.CancelFunc
	flags   *traceFlags
	library reading.Options  // of traces, from the flags
	scan    etl2parquet.Scan // the selected events, from the flags
	options pipeline.Options // both, for commands that read one trace after another
	archive archive.Options
	servers *servers
	in      *inputs.List
	bar     *progress.Display // nil: none
	done    int               // traces that visit did without an error
	failed  int               // inputs that could not be read, or for which visit failed
	timing  *timing           // nil: none
	restore func()            // of the limits on the process
	sent    *otlpOutput       // of cat, if log records are posted

	onlyTraces func(dataset string) error // returns an error if flags are given that only traces take; nil: none are
	isSilent   bool                       // what it prints is not shown
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
	r.ctx, r.stop = context.WithCancel(ctx)
	err := r.setOptions()
	if err == nil {
		r.archive, r.servers, err = f.source.options(r.patienceOf(&f.source.servers, r.showWait, r.aside))
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
	in, err := r.flags.source.find(r.ctx, r.app.from, args, r.app.in, r.servers, r.fail)
	if err == nil {
		r.found(in)
	}
	return err
}

// fewInputs is the number of inputs up to which the process reserves memory; see docs/dev/performance.md.
const fewInputs = 64

// found takes the inputs, and limits the process for them.
func (r *job) found(in *inputs.List) {
	r.in = in
	if f := &r.flags.resources; f.isAdded {
		r.options.Memory = f.memoryFor(in)
		r.restore = f.limit(r.options.Memory, len(in.Files) <= fewInputs)
	}
}

// reportMissing reports, once, what the descriptions and symbols lack.
func (r *job) reportMissing() {
	if !r.reported {
		r.reported = true
		r.flags.schemas.warn(r.app, r.options.Schemas)
		r.flags.symbols.warn(r.app, r.options.Symbols)
	}
}

// close closes the symbols, and reports what they and the descriptions lack, and which files of
// folders were not read.
func (r *job) close() {
	r.stop()
	r.restore()
	r.reportMissing()
	if r.in != nil && len(r.in.LeftOut) > 0 {
		r.warn("%s", printable(r.in.LeftOut.String()))
	}
	r.options.Symbols.Close()
}
