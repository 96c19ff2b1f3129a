package main

import (
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/doors/query"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// question is SQL over inputs.
type question struct {
	duckdb     *query.DuckDB
	statements []query.Statement
	inputs     []string // as the user named them: traces, or one dataset
	siblings   siblingsFlag
	checkFlags func(dataset string) error // returns an error if flags are given that only traces take; nil: none are
}

// ask runs the statements of a question: over a dataset if the only input is one, else over tables that
// it makes of the traces. It sets the temporary folder and the threads of the options.
func (r *reading) ask(q *question, o *query.Options) (err error) {
	folder, err := temporary.NewFolder(r.flags.source.tempDir, "etl2parquet-query-")
	if err != nil {
		return fileError("temp-dir", r.flags.source.tempDir, err)
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	o.Temp, o.Threads = folder.Path(), r.options.Workers
	source := &query.Source{Statements: q.statements, Inputs: q.inputs}
	defer q.duckdb.Close()
	found, err := r.openSource(q, source, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.close()) }()
	return q.duckdb.Run(r.ctx, source, o)
}

// openSource opens the dataset that the user names, or makes the tables of the traces that the statements
// need, in the cache or in the temporary folder of the options. They must be closed.
func (r *reading) openSource(q *question, source *query.Source, o *query.Options) (*tables, error) {
	found, err := r.openIfDataset(source)
	switch {
	case err != nil:
		return nil, err
	case !found:
		if err := q.duckdb.Plan(r.ctx, source, o); err != nil {
			return nil, err
		}
		return r.convertSource(q.siblings, source, o.Temp)
	case r.flags.source.list != "":
		return nil, usagef("--files-from is for traces, and %s is a dataset", source.Inputs[0])
	case q.checkFlags != nil:
		err = q.checkFlags(source.Inputs[0])
	}
	return &tables{close: func() error { return nil }}, err
}

// openIfDataset opens the only input if it is a dataset. Traces whose commit records cannot be read are reported as
// inputs that failed.
func (r *reading) openIfDataset(source *query.Source) (found bool, err error) {
	if len(source.Inputs) != 1 {
		return false, nil
	}
	name, err := inputs.LocalPath(source.Inputs[0])
	if err != nil {
		return false, nil // finding the inputs reports it
	}
	if !inputs.IsBucketURL(name) {
		if info, err := r.from.Stat(name); err != nil || !info.IsDir() {
			return false, nil
		}
		if err := r.from.CheckLinks(name); err != nil {
			return false, err
		}
	}
	s, err := r.servers.Store(name)
	if err != nil {
		return false, usageError{err}
	}
	d := bundle.NewDataset(s)
	if found, err = d.HasRecords(r.ctx); err != nil || !found {
		return false, err
	}
	source.Use(d)
	summary, err := d.Summary(r.ctx)
	if err != nil {
		return false, err
	}
	r.done += summary.Traces
	for _, record := range summary.Damaged {
		r.fail(name, fmt.Errorf("%s cannot be read: the answer may lack its traces; see etl2parquet check", record))
	}
	return true, nil
}
