package main

import (
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/splitting"
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
