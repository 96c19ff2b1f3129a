package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/doors/query"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// queryFlags are the flags of query.
type queryFlags struct {
	file      string
	format    choice
	output    string
	selection selectionFlags
	content   contentFlags
	schemas   schemaFlags
	symbols   symbolFlags
	session   choice
	strict    bool
	resources resourceFlags
	source    sourceFlags
}

func (a *app) queryCommand() *cobra.Command {
	f := &queryFlags{
		format: choice{formats.Table.Name, formats.Names(query.Formats())}, content: newContentFlags(),
		session: choice{autoSession, []string{autoSession, noSession}},
	}
	cmd := &cobra.Command{
		Use:   "query INPUT...|DATASET \"SQL\"",
		Short: "Run SQL over traces or a dataset, with DuckDB",
		Long: `Runs SQL over traces, or over a dataset that convert has written, and prints the
results. DuckDB runs the SQL: a duckdb, version 1.4 or later, on the path, or the
program that ` + query.Variable + ` names; "pip install duckdb-cli" installs one.

The tables are the views of views.sql: "etl2parquet describe" lists them, and
"etl2parquet describe TABLE" the columns of one. From traces, query converts only
the tables that the SQL reads, into a temporary folder that it removes afterwards.
FROM 'x.etl' means all events of the input x.etl. Times are in UTC.

Results are a table that fits the terminal (if the output is not a terminal, nothing
is cut), csv, ndjson (one object per line), json (an array of objects), arrow (a
stream), or parquet. The last three hold the result of one SELECT. Separate
statements by semicolons.

INPUTs are as for convert; a dataset is a folder or s3://bucket/folder.`,
		Example: `  etl2parquet query boot.etl "SELECT event_name, count(*) FROM events GROUP BY ALL ORDER BY 2 DESC LIMIT 5"
  etl2parquet query boot.etl "FROM cpu_samples LIMIT 10" --process explorer
  etl2parquet query traces/ "SELECT trace, count(*) FROM thread_cswitch GROUP BY ALL" --format csv
  etl2parquet query dataset -f report.sql --format ndjson | jq .
  etl2parquet query boot.etl "FROM processes" --format parquet -o processes.parquet`,
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.query(cmd, f, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.file, "file", "f", "", "read the SQL from this `file`; - for standard input")
	flags.Var(&f.format, "format", "format of the results")
	flags.StringVarP(&f.output, "output", "o", "", "write the results into this `file`")
	f.selection.add(flags)
	f.content.add(flags)
	f.schemas.add(flags)
	f.symbols.add(flags)
	flags.Var(&f.session, "session", "share names among traces of one boot that were recorded together: auto, or off")
	flags.BoolVar(&f.strict, "strict", false, "treat damage in a trace as an error")
	f.resources.add(flags)
	f.source.add(cmd)
	for flag, c := range map[string]cobra.CompletionFunc{
		"format": f.format.complete, "payload": f.content.payload.complete, "messages": f.content.messages.complete, "session": f.session.complete,
		"from": cobra.NoFileCompletions, "to": cobra.NoFileCompletions, "event": cobra.NoFileCompletions, "provider": cobra.NoFileCompletions,
		"process": cobra.NoFileCompletions, "workers": cobra.NoFileCompletions,
	} {
		if err := cmd.RegisterFlagCompletionFunc(flag, c); err != nil {
			panic(err) // there is no such flag
		}
	}
	return cmd
}

// checkArgs requires inputs and SQL: the SQL is the last argument, unless it is in a file.
func (f *queryFlags) checkArgs(cmd *cobra.Command, args []string) error {
	if f.file == "" {
		switch {
		case len(args) == 0:
			return usagef("no input and no SQL; see %s --help", cmd.CommandPath())
		case len(args) == 1 && f.source.list == "":
			return usagef("query needs an input and SQL, and there is only %q; see %s --help", args[0], cmd.CommandPath())
		case usage.IsLikeInput(args[len(args)-1]):
			return usagef("no SQL: the last argument is the input %q", args[len(args)-1])
		}
		args = args[:len(args)-1]
	}
	for _, arg := range args {
		if arg == inputs.Stdin && f.file == inputs.Stdin {
			return usagef("standard input cannot be both a trace (-) and SQL (-f -)")
		}
	}
	if f.source.list == inputs.Stdin && f.file == inputs.Stdin {
		return usagef("standard input cannot be both a list (--files-from -) and SQL (-f -)")
	}
	return f.source.checkArgs(cmd, args)
}

// sql returns the inputs and the SQL.
func (f *queryFlags) sql(args []string, stdin io.Reader) (traces []string, sql string, err error) {
	if f.file == "" {
		return args[:len(args)-1], args[len(args)-1], nil
	}
	var text []byte
	if f.file == inputs.Stdin {
		text, err = io.ReadAll(stdin)
	} else {
		text, err = os.ReadFile(f.file)
	}
	if err != nil {
		return nil, "", usageError{fileError("file", f.file, err)}
	}
	return args, string(text), nil
}

func (f *queryFlags) options() (*bundle.Options, error) {
	selection, err := f.selection.parse()
	if err != nil {
		return nil, err
	}
	if err := f.resources.resolve(); err != nil {
		return nil, err
	}
	o := &bundle.Options{
		Options: pipeline.Options{Workers: f.resources.workers, Memory: int64(f.resources.memory), Selection: selection, Strict: f.strict, TempDir: f.source.tempDir},
		Tool:    toolVersion(), Compression: "none", Transient: true,
	}
	f.content.set(&o.Options)
	return o, nil
}

// query runs SQL over traces or a dataset.
func (a *app) query(cmd *cobra.Command, f *queryFlags, args []string) (err error) {
	ctx := cmd.Context()
	o, err := f.options()
	if err != nil {
		return err
	}
	traces, sql, err := f.sql(args, a.in)
	if err != nil {
		return err
	}
	format, err := a.formatOf(f.format.value, f.output == "", "use -o FILE")
	if err != nil {
		return err
	}
	duckdb, err := query.Find()
	if err != nil {
		return err
	}
	statements, err := duckdb.Statements(ctx, sql)
	if err != nil {
		return err
	}
	if err := query.Check(format, statements); err != nil {
		return usageError{err}
	}
	temp, err := os.MkdirTemp(f.source.tempDir, "etl2parquet-query-*")
	if err != nil {
		return fileError("temp-dir", f.source.tempDir, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	defer f.resources.limit(true)()
	to := &query.Options{Format: format, Width: terminalWidth(a.out), Temp: temp, Threads: f.resources.workers, Out: a.out, Notes: a.err}
	if f.output != "" {
		file, wrong := createOutput(f.output) // before the work: the name may be invalid
		if wrong != nil {
			return usageError{fileError("output", f.output, wrong)}
		}
		defer func() { err = errors.Join(err, file.end(err == nil)) }()
		to.Out, to.Width = file, 0
	}
	source := &query.Source{Statements: statements, Inputs: traces}
	if err := a.openSource(cmd, f, o, source, temp); err != nil {
		return err
	}
	return duckdb.Run(ctx, source, to)
}
