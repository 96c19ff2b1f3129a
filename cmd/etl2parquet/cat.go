package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/schema"
)

// catFlags are the flags of cat.
type catFlags struct {
	traceFlags
	table   string
	columns []string
	format  choice
	limit   int64
	split   string
	part    *splits.Split // nil: all rows
}

func (a *app) catCommand() *cobra.Command {
	f := &catFlags{limit: -1, format: choice{formats.Formats[0], formats.Formats}}
	return newCommand("cat", &cobra.Command{
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.catCommandLine(cmd, f, args) },
	}, []option{
		{flag: "table", value: &f.table, complete: completeTables, usage: "print this `table`; without it, all events"},
		{flag: "columns", value: (*commaList)(&f.columns), usage: "print these columns, in this order: `a,b,c`"},
		{flag: "format", value: &f.format, usage: "format of the rows"},
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

func (a *app) catCommandLine(cmd *cobra.Command, f *catFlags, args []string) (err error) {
	if f.split != "" {
		if args, err = f.checkSplit(cmd, args); err != nil {
			return err
		}
	}
	return a.cat(cmd.Context(), f, args)
}

// cat prints the rows of one trace.
func (a *app) cat(ctx context.Context, f *catFlags, args []string) error {
	if a.refuses(f.format.value) {
		return usagef("--format %s is binary; write it into a file with > FILE", f.format.value)
	}
	defer relaxGC()()
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	if len(r.in.Files) > 1 {
		return usagef("%s has %d files, and cat prints one trace", args[0], len(r.in.Files))
	}
	if f.part != nil {
		r.options.Messages = f.part.Messages
	} else { // a split's trace is identified by checksums of its buffers
		r.options.Once, r.options.Selection.Tables, r.options.Selection.Columns = true, []string{cmp.Or(f.table, schema.EventsName)}, f.columns
	}
	printed, others := "", 0
	err = r.each(func(t *inputs.Trace) error {
		switch {
		case f.isOther(t):
			others++
			return nil
		case printed != "":
			return endFile{fmt.Errorf("it has several traces, and cat prints one: only %s was printed", printed)}
		}
		printed = t.Name()
		return r.catTrace(f, t)
	})
	switch {
	case err != nil:
		return err
	case r.failed > 0:
		return errAllFailed
	}
	return f.checkFound(printed, others)
}

// catTrace prints the rows of a trace.
func (r *reading) catTrace(f *catFlags, t *inputs.Trace) error {
	source, err := r.source(t)
	if err != nil {
		return err
	}
	if err = r.catRows(r.ctx, f, source, &r.options); err == nil {
		for _, line := range problemLines(source.Index.Problems.All(), "cat --table problems") {
			r.warn("%s: %s", printable(t.Name()), line)
		}
	}
	return errors.Join(err, source.Close())
}

func (a *app) catRows(ctx context.Context, f *catFlags, source *pipeline.Source, o *pipeline.Options) error {
	table, err := f.selectTable(source, o)
	if err != nil {
		return err
	}
	shown := f.columns
	if shown == nil && f.table == "" && f.part == nil {
		shown = formats.EventColumns
	}
	if shown != nil {
		needed := formats.Needed(table, f.format.value, shown)
		if table, err = pipeline.Project(table, needed); err != nil {
			return err
		}
		o.Selection.Columns = needed
	}
	o.Selection.Tables = []string{table.Name}
	w, err := formats.NewWriter(a.out, table, formats.Options{Format: f.format.value, Columns: shown, Limit: f.limit, Allocator: new(formats.Pool)})
	if err != nil {
		return err
	}
	mismatches, err := source.Rows(ctx, o, w)
	if errors.Is(err, formats.ErrLimit) {
		err = nil
	}
	if err = errors.Join(err, w.Close(err)); err != nil {
		return err
	}
	switch {
	case len(mismatches) > 0:
		a.warn("%s", printable(batch.Messages(mismatches)))
	case w.Rows() == 0 && f.limit != 0 && f.part == nil: // a split may well have no rows
		a.warn("%s", noRows(table, o.Selection))
	}
	return nil
}

// noRows explains an empty output if all names of the selection are right.
func noRows(table *schema.Table, s selection.Selection) string {
	s.Tables, s.Columns = nil, nil
	if options := s.Options(); len(options) > 0 {
		return fmt.Sprintf("the table %s has no rows with %s", table.Name, strings.Join(options, " and "))
	}
	return fmt.Sprintf("the table %s has no rows", table.Name)
}

// selectTable selects the table, or the split, whose rows are printed.
func (f *catFlags) selectTable(source *pipeline.Source, o *pipeline.Options) (*schema.Table, error) {
	if f.part == nil {
		return source.Table(f.table)
	}
	if err := source.Select(f.part, o); err != nil {
		return nil, err
	}
	return source.Table(f.part.Table)
}
