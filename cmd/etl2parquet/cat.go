package main

import (
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
	"github.com/etl2parquet/etl2parquet/internal/formats"
)

// catFlags are the flags of cat.
type catFlags struct {
	traceFlags
	table   string
	columns []string
	format  choice
	limit   int64
	split   string
	part    *splits.Split // that split names; nil: all rows
}

func (a *app) catCommand() *cobra.Command {
	f := &catFlags{limit: -1, format: choice{formats.NDJSON.Name, formats.Names(formats.All())}}
	return newCommand("cat", &cobra.Command{
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := f.checkSplit(cmd, args)
			if err != nil {
				return err
			}
			return a.cat(cmd.Context(), f, args)
		},
	}, []option{
		{flag: "table", value: &f.table, complete: completeTables, usage: "print this `table`; without it, all events"},
		{flag: "columns", value: (*commaList)(&f.columns), usage: "print these columns, in this order: `a,b,c`"},
		{flag: "format", value: &f.format, usage: "`format` of the rows: " + f.format.listed()},
		{flag: "limit", value: &f.limit, shown: "0", usage: "stop after this `number` of rows"}, // the help omits a default of 0
		{flag: "split", value: &f.split, usage: "print the part of a table with this `token` of \"etl2parquet splits\""},
	}, indexOption(&f.index), f.selection.flags(), f.content.flags(), f.schemas.flags(), f.symbols.flags(),
		strictOption(&f.strict, "treat damage in a trace, or a selection that matches nothing, as an error"), f.resources.flags(), f.source.limitFlags())
}

func (f *catFlags) checkArgs(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 && f.split == "":
		return usagef("no input: name a trace; see etl2parquet cat --help")
	case len(args) > 1:
		return usagef("there are %d inputs, and cat prints one trace", len(args))
	}
	return nil
}

// most returns the limit on rows as an option: --limit 0 means no rows.
func (f *catFlags) most() int64 {
	if f.limit == 0 {
		return -1
	}
	return max(f.limit, 0)
}
