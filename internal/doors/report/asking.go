package report

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// WithoutTables begins the sentence of a page without the tables of the views.
const WithoutTables = "The page has no tables of requests, collections, waits, connections, files and activities, and fewer sentences about what stands out: "

// Asking asks the views about the traces of a page.
type Asking struct {
	Traces *answers.Traces // which were found
	Inputs []string        // their names, as the user wrote them
	Views  *views.Set      // nil: the program's
	Bound  func(*answers.DuckDB)
	Words  func(error) string // returns the message of an error for people
	Note   func(string)       // receives the reason if the page has no tables
}

// Runner returns the function that runs the statements, or the sentence of the page why there is none.
func (a *Asking) Runner() (run Runner, why string) {
	duckdb, err := answers.Find(a.Views)
	if err != nil {
		return nil, a.without(err).Why
	}
	return func(ctx context.Context, statements []string, do func(statement int, lines io.Reader) error) error {
		return a.run(ctx, duckdb, statements, do)
	}, ""
}

// without reports why DuckDB does not answer, and returns the same for the page.
func (a *Asking) without(err error) *UnavailableError {
	text := texts.Printable(a.Words(err))
	a.Note("the page has fewer findings, and no tables: " + text)
	return &UnavailableError{Why: WithoutTables + text + "."}
}

// run runs statements silently: what is wrong with a trace was reported when the page was aggregated.
func (a *Asking) run(ctx context.Context, duckdb *answers.DuckDB, statements []string, do func(statement int, lines io.Reader) error) error {
	a.Bound(duckdb)
	list, err := duckdb.Statements(ctx, strings.Join(statements, ";\n"))
	if errors.Is(err, answers.ErrUnavailable) {
		return a.without(err)
	}
	if err != nil {
		return err
	}
	silent := *a.Traces
	silent.OnFail, silent.Begin, silent.Results, silent.Kept.Added, silent.Kept.Failed = nil, nil, nil, nil, nil
	o := &answers.Options{Locked: true, Format: formats.NDJSON, Each: do, Out: io.Discard, Notes: io.Discard}
	err = silent.Ask(ctx, duckdb, &answers.Source{Statements: list, Inputs: a.Inputs}, nil, o)
	if failed := new(answers.StatementError); errors.As(err, &failed) {
		return &StatementError{Statement: failed.Statement, Err: err}
	}
	if errors.As(err, new(*answers.MemoryError)) {
		return a.without(err)
	}
	return err
}
