package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/formats"
)

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
	duckdb, err := answers.Find()
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
	return r.result()
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
