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
		format:  choice{formats.Table.Name, formats.Names(query.Formats())},
		session: choice{autoSession, []string{autoSession, noSession}},
	}
	return newCommand("query", &cobra.Command{
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.query(cmd, f, args) },
	}, []option{
		{flag: "file,f", value: &f.file, complete: completeFiles, usage: "read the SQL from this `file`; - for standard input"},
		{flag: "format", value: &f.format, usage: "`format` of the results: " + f.format.listed()},
		{flag: "output,o", value: &f.output, complete: completeFiles, usage: "write the results into this `file`"},
	}, f.selection.flags(), f.content.flags(), f.schemas.flags(), f.symbols.flags(), []option{
		{flag: "session", value: &f.session, usage: "share names among traces of one boot that were recorded together: auto, or off"},
	}, strictOption(&f.strict, "treat damage in a trace as an error"), f.resources.flags(), f.source.flags())
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
