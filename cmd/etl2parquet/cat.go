package main

import (
	"cmp"

	"github.com/etl2parquet/etl2parquet/internal/reading"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet"
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
	as      string          // path of an Arrow stream with the columns of the rows
	part    *splits.Split   // that split names; nil: all rows
	opening reading.Options // set by choose, as the next
	scan    etl2parquet.Scan
	logFlags
	followFlags
	otlp otlpFlags
}

func (a *app) catCommand() *cobra.Command {
	f := &catFlags{limit: -1, format: choice{formats.NDJSON.Name, formats.Names(formats.All())}}
	return newCommand("cat", &cobra.Command{
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := f.checkSplit(cmd, args)
			if err = cmp.Or(err, f.checkOTLP(cmd), f.withMessages(cmd)); err != nil {
				return err
			}
			if f.follow {
				return a.follow(cmd, f, args)
			}
			return a.cat(cmd.Context(), f, args)
		},
	}, []option{
		{flag: "table", value: &f.table, complete: completeTables, usage: "print this `table`; without it, all events"},
		{flag: "columns", value: (*commaList)(&f.columns), complete: completeColumns, usage: "print these columns, in this order: `a,b,c`"},
		{flag: "format", value: &f.format, usage: "`format` of the rows: " + f.format.listed()},
		{flag: "limit", value: &f.limit, within: atLeast(0), shown: "0", usage: "stop after this `number` of rows"}, // the help omits a default of 0
		{flag: "as", value: &f.as, complete: completeFiles, usage: "print rows with the columns of this Arrow stream, a `file` that cat has written, of which only the schema is read"},
		{flag: "split", value: &f.split, usage: "print the part of a table with this `token` of \"etl2parquet splits\""},
	}, f.logFlags.flags(), f.otlp.flags(), f.followFlags.flags(), indexOption(&f.index), f.selection.flags(), f.content.flags(), f.redact.flags(), f.schemas.flags(), f.symbols.flags(),
		strictOption(&f.strict, "treat damage in a trace, or a selection that matches nothing, as an error"), f.resources.flags(), f.source.flags())
}
