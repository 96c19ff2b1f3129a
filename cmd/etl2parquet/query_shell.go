package main

import (
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/etl2parquet/etl2parquet/internal/answers"
)

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
	duckdb, err := answers.Find()
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
	return r.result()
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
