package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/doors/splitting"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// splitsFlags are the flags of splits.
type splitsFlags struct {
	traceFlags
	table   string
	index   string // file for the indexes; "" writes none
	options splitting.Options
}

// defaultSplits does not depend on the machine, so neither do the splits.
const defaultSplits = 16

func (a *app) splitsCommand() *cobra.Command {
	f := &splitsFlags{options: splitting.Options{Max: defaultSplits}}
	return newCommand("splits", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.splits(cmd.Context(), f, args) },
	}, []option{
		{flag: "table", value: &f.table, complete: completeTables, usage: "divide this `table`; without it, the table of all events"},
		{flag: "max", value: &f.options.Max, within: atLeast(1), usage: "the maximum `number` of parts of each trace"},
	}, jsonOption(&f.options.JSON, "print an object for each part"), []option{
		{flag: "index", value: pathValue{&f.index}, complete: completeFiles, usage: "write the indexes of the traces to this `file`, for --index of cat, which then need not read the whole traces"},
	}, f.selection.flags(), f.content.flags(), f.schemas.flags(), f.source.flags())
}

// splits prints the splits of traces, and writes their indexes.
func (a *app) splits(ctx context.Context, f *splitsFlags, args []string) error {
	if f.index == "" {
		return a.printSplits(ctx, f, args)
	}
	if err := checkReplaced("index", f.index, indexBegin); err != nil {
		return err
	}
	file, err := createOutput(f.index)
	if err != nil {
		return usageError{fileError("index", f.index, err)}
	}
	f.options.Index = file
	err = a.printSplits(ctx, f, args)
	return errors.Join(err, file.end(err == nil || errors.Is(err, answers.ErrSomeFailed)))
}

// printSplits prints the splits of one trace after another.
func (a *app) printSplits(ctx context.Context, f *splitsFlags, args []string) error {
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	f.options.Scan = r.scan()
	f.options.Scan.Table = f.table
	report := splitting.NewReport(r.out, f.options)
	err = r.eachTrace(func(t *inputs.Trace, trace *etl2parquet.Trace) error { return report.Add(r.ctx, t, trace) })
	if err != nil {
		return err
	}
	// Traces without the table are failures, unless another trace has it.
	r.Done -= len(report.Without())
	for _, w := range report.Without() {
		if r.Done == 0 {
			r.Fail(w.Name, w.Err)
		} else {
			r.warn("%s: no splits: %s", printable(w.Name), printable(w.Err.Error()))
		}
	}
	return r.Result()
}
