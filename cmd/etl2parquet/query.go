package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// queryFlags are the flags of query.
type queryFlags struct {
	traceFlags
	file    string
	format  choice
	output  string
	force   bool
	locked  bool
	timing  bool
	values  parameterList
	isShell bool // there is no SQL

	views    viewFlags
	ofTraces []option // which control how traces are read
}

func (a *app) queryCommand() *cobra.Command {
	f := &queryFlags{format: choice{formats.Table.Name, formats.Names(answers.Formats())}}
	f.ofTraces = slices.Concat(f.cache.flags(), withoutLetter(f.selection.flags(), "provider"), f.content.flags(), f.redact.flags(), f.schemas.flags(), f.symbols.flags(), f.siblings.flags(""),
		strictOption(&f.strict, "treat damage in a trace as an error"))
	return newCommand("query", &cobra.Command{
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.query(cmd, f, args) },
	}, []option{
		{flag: "file,f", value: &f.file, complete: completeFiles, usage: "read the SQL from this `file`; - for standard input"},
		{flag: "format", value: &f.format, usage: "`format` of the results: " + f.format.listed() + "; without it, the extension of --output may name it"},
		{flag: "output,o", value: pathValue{&f.output}, complete: completeFiles, usage: "write the results into this `file`"},
		{flag: "force", value: &f.force, usage: "replace the file if it exists"},
		{flag: "parameter,p", value: &f.values, usage: "`name=value` of $name in the SQL: a number, true, false, null or a text; repeatable"},
		{flag: "timing", value: &f.timing, usage: "print where the time went, on standard error"},
		{flag: "locked", value: &f.locked, usage: "run only SELECTs, which read nothing but the inputs and write nothing"},
	}, f.views.flags(), f.ofTraces, f.resources.flags(), f.source.flags())
}

// checkArgs requires inputs and SQL: the SQL is the last argument, unless it is in a file. If the last
// argument is an input, too, there is no SQL, and query opens a shell.
func (f *queryFlags) checkArgs(cmd *cobra.Command, args []string) error {
	if f.file == "" {
		if err := unquotedSQL(cmd.CommandPath(), args); err != nil {
			return err
		}
		switch {
		case len(args) == 0 && f.source.list == "":
			return usagef("no input and no SQL; see %s --help", cmd.CommandPath())
		case len(args) == 0, usage.IsLikeInput(args[len(args)-1]), inputs.IsPattern(args[len(args)-1]) && !strings.ContainsAny(args[len(args)-1], " \n"):
			f.isShell = true
			return f.source.checkArgs(cmd, args)
		case len(args) == 1 && f.source.list == "":
			return usagef("query needs an input and SQL, and there is only %q; see %s --help", args[0], cmd.CommandPath())
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

// query runs SQL over traces or a dataset.
func (a *app) query(cmd *cobra.Command, f *queryFlags, args []string) (err error) {
	r, err := a.begin(cmd.Context(), &f.traceFlags)
	if err != nil {
		return err
	}
	defer r.close()
	r.timing = newTiming()
	r.onlyTraces = func(dataset string) error { return f.checkDataset(cmd, dataset) }
	if f.isShell {
		return r.openShell(cmd, f, args)
	}
	traces, sql, err := f.sql(args, a.in)
	if err != nil {
		return err
	}
	if sql, err = answers.Bind(sql, f.values); err != nil {
		if missing := new(answers.NoValueError); errors.As(err, &missing) {
			return usagef("%w: --parameter %s=VALUE gives it one", err, missing.Name)
		}
		return usageError{err}
	}
	if f.output != "" && !cmd.Flags().Changed("format") {
		if f.format.value, err = formatOfFile(f.output); err != nil {
			return err
		}
	}
	format, err := a.formatOf(f.format.value, f.output == "", "use -o FILE")
	if err != nil {
		return err
	}
	set, err := f.views.set()
	if err != nil {
		return err
	}
	duckdb, err := answers.Find(set)
	if err != nil {
		return err
	}
	defer duckdb.Close()
	f.resources.bound(duckdb, f.locked)
	statements, err := duckdb.Statements(r.ctx, sql)
	if err != nil {
		return err
	}
	if err := answers.Check(format, statements); err != nil {
		return usagef("--format %s: %w", format, err)
	}
	if f.locked {
		if err := answers.CheckLocked(statements); err != nil {
			return err
		}
	}
	to := &answers.Options{Format: format, Locked: f.locked, Parameters: f.values, Table: a.tableOptions(), Notes: a.err, Explain: func(text string) { r.warnAll([]string{printable(text)}) }}
	out, end := forFormat(a.out, f.format.value)
	to.Out = out
	if f.output != "" {
		file, wrong := newOutput(f.output, f.force) // before the work: the name may be invalid
		if wrong != nil {
			return wrong
		}
		defer func() { err = errors.Join(err, file.end(err == nil || errors.Is(err, answers.ErrSomeFailed))) }()
		to.Out, to.Table = file, texts.TableOptions{}
	}
	if err := errors.Join(r.ask(duckdb, &answers.Source{Statements: statements, Inputs: traces}, to), end()); err != nil {
		return err
	}
	if f.timing {
		r.timing.print(a.err, duckdb.Time())
	}
	return r.Result()
}

// checkDataset refuses flags that only traces take, for a dataset.
func (f *queryFlags) checkDataset(cmd *cobra.Command, dataset string) error {
	for i := range f.ofTraces {
		if flag := f.ofTraces[i].name(); cmd.Flags().Changed(flag) {
			return usagef("--%s is for traces, and %s is a dataset", flag, dataset)
		}
	}
	return nil
}

// formatOfFile returns the name of the format of results that the extension of a file means. A file without an
// extension, or with that of a text, holds a table.
func formatOfFile(path string) (string, error) {
	extension := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	switch extension {
	case "", "txt", "log":
		return formats.Table.Name, nil
	case "jsonl":
		return formats.NDJSON.Name, nil
	}
	names := formats.Names(answers.Formats())
	if !slices.Contains(names, extension) {
		return "", usagef("--output %s: no format has the extension .%s; --format names one: %s", path, extension, strings.Join(names, ", "))
	}
	return extension, nil
}

// openShell opens DuckDB's shell over traces or a dataset.
func (r *job) openShell(cmd *cobra.Command, f *queryFlags, args []string) error {
	shell, err := r.app.shell()
	if err != nil {
		return err
	}
	for _, flag := range []string{"format", "output"} {
		if cmd.Flags().Changed(flag) {
			return usagef("--%s is for the results of SQL, and there is no SQL; in DuckDB's shell, .mode and .output do the same", flag)
		}
	}
	set, err := f.views.set()
	if err != nil {
		return err
	}
	duckdb, err := answers.Find(set)
	if err == nil {
		f.resources.bound(duckdb, f.locked)
		err = duckdb.Check(r.ctx)
	}
	if err != nil {
		return err
	}
	source := &answers.Source{Statements: []answers.Statement{answers.ShellStatement(args)}, Inputs: args}
	if err := r.ask(duckdb, source, &answers.Options{Shell: shell, Locked: f.locked, Parameters: f.values, Notes: r.app.err}); err != nil {
		return err
	}
	return r.Result()
}

// shell returns the terminal for DuckDB's shell, or an error that says how SQL runs without one.
func (a *app) shell() (*answers.Shell, error) {
	in, isFile := a.in.(*os.File)
	out := terminal(a.out)
	if !isFile || !term.IsTerminal(int(in.Fd())) || out == nil {
		return nil, usagef(`no SQL: it is the last argument, "SELECT ...", or in a file, -f FILE (-f - for standard input); without SQL, query opens DuckDB's shell, which needs a terminal`)
	}
	return &answers.Shell{In: in, Out: out, Err: os.Stderr, Begin: func(line string) {
		signal.Ignore(os.Interrupt) // it ends a statement of the shell, and not this process
		fmt.Fprintln(a.err, line)
	}}, nil
}

// parameterList is the value of a flag that sets parameters of SQL.
type parameterList []answers.Parameter

func (l *parameterList) Type() string   { return "NAME=VALUE" }
func (l *parameterList) String() string { return "" }

func (l *parameterList) Set(text string) error {
	p, err := answers.ParseParameter(text)
	switch {
	case err != nil && !strings.Contains(text, "="): // -p is the letter of --provider in other commands
		return fmt.Errorf("%w; --provider selects events of a provider", err)
	case err != nil:
		return err
	}
	*l = append(*l, p)
	return nil
}

// withoutLetter returns options of which the named one has no letter, since another option of the command
// has it.
func withoutLetter(list []option, name string) []option {
	for i := range list {
		if list[i].name() == name {
			list[i].noLetter = true
		}
	}
	return list
}
