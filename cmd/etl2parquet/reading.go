package main

import (
	"context"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// reading is a run of a command over the traces that its flags and arguments name.
type reading struct {
	*app
	ctx     context.Context // cancelled to end the reading, also when the output cannot be written
	stop    context.CancelFunc
	flags   *traceFlags
	library etl2parquet.Options // of traces, from the flags
	scan    etl2parquet.Scan    // the selected events, from the flags
	options pipeline.Options    // both, for commands that read below the library
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
	f := r.flags
	if err = r.setOptions(); err != nil {
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
