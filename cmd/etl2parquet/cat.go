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
	f := &catFlags{
		traceFlags: traceFlags{content: newContentFlags()},
		format:     choice{formats.NDJSON.Name, formats.Names(formats.All())},
	}
	cmd := &cobra.Command{
		Use:   "cat INPUT | cat --split TOKEN [INPUT]",
		Short: "Print the rows of a table of a trace",
		Long: `Prints the rows of one table, in time order: as JSON, one object per line
(ndjson) or in an array (json), as comma-separated values (csv), as columns side by
side (table), as an Arrow stream, which DuckDB, Polars, pandas and others read, or as
a Parquet file.

Without --table it prints all events, one per line, with time, process, thread,
provider, name and decoded fields. --table events prints more columns: all of the
view events, and fields and message. "etl2parquet describe" lists the tables and
"etl2parquet describe TABLE" the columns of one.

In text, times are RFC 3339 with all their digits, numbers are exact, bytes are
hexadecimal, and control characters are escaped. NULL is left out of JSON, and
empty in CSV.

INPUT is one trace: a file, an archive with one trace in it, s3://bucket/key,
http(s)://... or - for standard input.

--split prints a part of a table, by a token of "etl2parquet splits". INPUT is then
the part's trace; it is needed only if the trace was moved.`,
		Example: `  etl2parquet cat boot.etl | head
  etl2parquet cat boot.etl --process explorer | jq -c '[.timestamp, .event_name, .fields]'
  etl2parquet cat boot.etl --table Thread/CSwitch --columns time_ns,new_thread_id --format csv
  etl2parquet cat boot.etl --table processes
  etl2parquet cat boot.etl --table event_header --format arrow > events.arrows`,
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.catCommandLine(cmd, f, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.table, "table", "", "print this `table`; without it, all events")
	flags.StringSliceVar(&f.columns, "columns", nil, "print these columns, in this order: `a,b,c`")
	flags.Var(&f.format, "format", "format of the rows")
	flags.Int64Var(&f.limit, "limit", -1, "stop after this `number` of rows")
	flags.Lookup("limit").DefValue = "0" // the help omits a default of 0
	flags.StringVar(&f.split, "split", "", "print the part of a table with this `token` of \"etl2parquet splits\"")
	addIndex(flags, &f.index)
	f.selection.add(flags)
	f.content.add(flags)
	f.schemas.add(flags)
	f.symbols.add(flags)
	flags.BoolVar(&f.strict, "strict", false, "treat damage in a trace, or a selection that matches nothing, as an error")
	f.resources.add(flags)
	f.source.addLimits(cmd)
	f.complete(cmd)
	return cmd
}

// complete completes the flags.
func (f *catFlags) complete(cmd *cobra.Command) {
	complete(cmd, map[string]cobra.CompletionFunc{
		"format": f.format.complete, "payload": f.content.payload.complete, "messages": f.content.messages.complete, "table": completeTables,
	}, "columns", "limit", "split", "from", "to", "event", "provider", "process", "workers")
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
	format, err := a.formatOf(f.format.value, true, "write it into a file with > FILE")
	if err != nil {
		return err
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
		return r.catTrace(f, format, t)
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
func (r *reading) catTrace(f *catFlags, format *formats.Format, t *inputs.Trace) error {
	source, err := r.source(t)
	if err != nil {
		return err
	}
	if err = r.catRows(r.ctx, f, format, source, &r.options); err == nil {
		for _, line := range problemLines(source.Index.Problems.All(), "cat --table problems") {
			r.warn("%s: %s", printable(t.Name()), line)
		}
	}
	return errors.Join(err, source.Close())
}

func (a *app) catRows(ctx context.Context, f *catFlags, format *formats.Format, source *pipeline.Source, o *pipeline.Options) error {
	table, err := f.selectTable(source, o)
	if err != nil {
		return err
	}
	shown := f.columns
	if shown == nil && f.table == "" && f.part == nil {
		shown = formats.EventColumns
	}
	if shown != nil {
		needed := format.Needs(table, shown)
		if table, err = pipeline.Project(table, needed); err != nil {
			return err
		}
		o.Selection.Columns = needed
	}
	o.Selection.Tables = []string{table.Name}
	o.Limit = f.most()
	format.Prepare(o)
	w, err := format.NewWriter(a.out, table, formats.Options{Columns: shown, Width: terminalWidth(a.out), Allocator: new(formats.Pool)})
	if err != nil {
		return err
	}
	mismatches, err := source.Rows(ctx, o, w)
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

// most returns the limit on rows as an option: --limit 0 means no rows.
func (f *catFlags) most() int64 {
	if f.limit == 0 {
		return -1
	}
	return max(f.limit, 0)
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
