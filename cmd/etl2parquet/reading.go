package main

import (
	"context"
	"errors"
	"runtime"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// traceFlags are the flags of commands that read traces: the inputs, the resources and the
// selection. A command adds the flags that it supports; the others keep their defaults.
type traceFlags struct {
	source    sourceFlags
	schemas   schemaFlags
	symbols   symbolFlags
	selection selectionFlags
	content   contentFlags
	resources resourceFlags // without flags all processors and the default memory
	index     string        // path of a file of indexes; "" makes the index pass
	strict    bool
}

// reading is a run of a command over the traces that its flags and arguments name.
type reading struct {
	*app
	ctx     context.Context // cancelled to end the reading, also when the output cannot be written
	stop    context.CancelFunc
	flags   *traceFlags
	options pipeline.Options // from the flags
	archive archive.Options
	servers *servers
	in      *inputs.List
	bar     *progress.Display // nil: none
	done    int               // traces that visit did without an error
	failed  int               // inputs that could not be read, or for which visit failed
	restore func()            // of the limits on the process

	listsSymbols bool // the command itself reports which symbols are missing
}

// open checks the flags, opens the descriptions and symbols that they name, and finds the inputs. It
// reports and counts inputs that do not exist. The reading must be closed.
func (a *app) open(ctx context.Context, f *traceFlags, args []string) (*reading, error) {
	r := &reading{app: a, flags: f, restore: func() {}}
	r.ctx, r.stop = context.WithCancel(ctx)
	if err := r.begin(args); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *reading) begin(args []string) (err error) {
	f, o := r.flags, &r.options
	if o.Selection, err = f.selection.parse(); err != nil {
		return err
	}
	o.Workers, o.Memory = runtime.GOMAXPROCS(0), pipeline.DefaultMemory
	if f.resources.isAdded {
		if err := f.resources.resolve(); err != nil {
			return err
		}
		o.Workers, o.Memory = f.resources.workers, int64(f.resources.memory)
		r.restore = f.resources.limit(true)
	}
	o.Strict, o.Index, o.TempDir = f.strict, f.index, f.source.tempDir
	f.content.set(o)
	if o.Schemas, err = f.schemas.open(); err != nil {
		return err
	}
	if o.Symbols, err = f.symbols.open(r.ctx, r.app); err != nil {
		return err
	}
	if r.archive, r.servers, err = f.source.options(r.patience); err != nil {
		return err
	}
	r.in, err = f.source.find(r.ctx, args, r.app.in, r.servers, r.fail)
	return err
}

// close closes the descriptions and symbols, and reports their errors.
func (r *reading) close() {
	r.stop()
	r.restore()
	if !r.listsSymbols {
		r.flags.symbols.warn(r.app, r.options.Symbols)
	}
	r.options.Symbols.Close()
	r.flags.schemas.warn(r.app, r.options.Schemas)
}

// fail reports and counts an input that cannot be read.
func (r *reading) fail(name string, err error) {
	r.failed++
	r.aside(func() { r.failInput(name, err) })
}

// aside prints something beside the progress bar, if there is one.
func (r *reading) aside(print func()) {
	if r.bar == nil {
		print()
		return
	}
	r.bar.Aside(print)
}

// endFile is an error of visit that concerns the whole file: its other traces are left out.
type endFile struct{ error }

// each visits the traces, one after another, and closes each. If visit fails, each reports and counts
// the trace and goes on with the next one; see [endFile]. It returns an error if it was interrupted
// or the output cannot be written; both end the reading.
func (r *reading) each(visit func(t *inputs.Trace) error) error {
	reader := &inputs.Reader{Options: r.archive, Stdin: r.app.in, Progress: inputs.NewProgress(len(r.in.Files), r.in.Size())}
	if r.bar != nil {
		reader.Progress = r.bar.Progress
		r.bar.Start(r.ticker)
		defer r.bar.End()
	}
	reader.Fail = func(_ *inputs.File, name string, err error) { r.fail(name, err) }
	reader.Visit = func(t *inputs.Trace) error {
		err := errors.Join(visit(t), t.Close())
		if err == nil {
			r.done++
		}
		switch {
		case r.out.err != nil:
			r.stop() // skip the other traces
		case r.ctx.Err() != nil:
		case errors.As(err, new(endFile)):
			return err
		case err != nil:
			r.fail(t.Name(), inputs.WithoutPath(t.File.Path, err))
		}
		return r.ctx.Err()
	}
	interrupted := reader.Each(r.ctx, r.in.Files)
	if r.out.err != nil {
		return r.out.err
	}
	return interrupted
}

// source makes the index pass of a trace, or reads its index from the file that the flags name. The
// source must be closed before the trace.
func (r *reading) source(t *inputs.Trace) (*pipeline.Source, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	return pipeline.OpenSource(r.ctx, t.Input(), &r.options)
}

// result returns the error of a command over several inputs: whether some or all failed.
func (r *reading) result() error { return resultOf(context.WithoutCancel(r.ctx), r.done, r.failed) }
