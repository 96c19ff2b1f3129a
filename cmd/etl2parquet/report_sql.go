package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/doors/report"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// withoutTables begins the sentence of a page without the tables of the views.
const withoutTables = "The page has no tables of requests, collections, waits, connections, files and activities, and fewer sentences about what stands out: "

// sqlFor returns the function that runs SQL over inputs, or why there is none.
func (a *app) sqlFor(f *reportFlags, args []string) (run report.Runner, why string) {
	if slices.Contains(args, inputs.Stdin) || f.source.list == inputs.Stdin {
		return nil, withoutTables + "they need the trace twice, and standard input is read once."
	}
	duckdb, err := answers.Find()
	if err != nil {
		return nil, a.noDuckDB(err).Why
	}
	return func(ctx context.Context, statements []string, do func(statement int, lines io.Reader) error) error {
		return a.runForReport(ctx, duckdb, f, args, statements, do)
	}, ""
}

// noDuckDB reports why DuckDB does not answer, and returns the same for the page.
func (a *app) noDuckDB(err error) *report.UnavailableError {
	a.warnAll([]string{"the page has fewer findings, and no tables: " + printable(err.Error())})
	return &report.UnavailableError{Why: withoutTables + printable(err.Error()) + "."}
}

// runForReport runs statements over the traces of a report. It converts what they need into a temporary
// dataset, silently: what is wrong with a trace was reported when the page was aggregated.
func (a *app) runForReport(ctx context.Context, duckdb *answers.DuckDB, f *reportFlags, args, statements []string, do func(statement int, lines io.Reader) error) (err error) {
	silent := *a
	silent.err = io.Discard
	r, err := silent.begin(ctx, &f.traceFlags)
	if err != nil {
		return err
	}
	r.isSilent = true
	defer r.close()
	f.resources.bound(duckdb, f.isBounded)
	list, err := duckdb.Statements(r.ctx, strings.Join(statements, ";\n"))
	if errors.Is(err, answers.ErrUnavailable) {
		return a.noDuckDB(err)
	}
	if err != nil {
		return err
	}
	err = r.ask(duckdb, &answers.Source{Statements: list, Inputs: args}, &answers.Options{Locked: true, Format: formats.NDJSON, Each: do, Out: io.Discard, Notes: io.Discard})
	if failed := new(answers.StatementError); errors.As(err, &failed) {
		return &report.StatementError{Statement: failed.Statement, Err: err}
	}
	if errors.As(err, new(*answers.MemoryError)) {
		return a.noDuckDB(errors.New(messageOf(err)))
	}
	return err
}
