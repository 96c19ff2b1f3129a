package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/base/tempfolder"
	"github.com/etl2parquet/etl2parquet/internal/doors/query"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// question is SQL over inputs.
type question struct {
	duckdb     *query.DuckDB
	statements []query.Statement
	inputs     []string // as the user named them: traces, or one dataset
	session    sessionFlag
	checkFlags func(dataset string) error // returns an error if flags are given that only traces take; nil: none are
}

// ask runs the statements of a question: over a dataset if the only input is one, else over tables that
// it makes of the traces. It sets the temporary folder and the threads of the options.
func (r *reading) ask(q *question, o *query.Options) (err error) {
	folder, err := tempfolder.New(r.flags.source.tempDir, "etl2parquet-query-")
	if err != nil {
		return fileError("temp-dir", r.flags.source.tempDir, err)
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	o.Temp, o.Threads = folder.Path(), r.options.Workers
	source := &query.Source{Statements: q.statements, Inputs: q.inputs}
	defer q.duckdb.Close()
	if err := r.openSource(q, source, o); err != nil {
		return err
	}
	return q.duckdb.Run(r.ctx, source, o)
}

// openSource opens the dataset that the user names, or converts the traces into one, in the temporary
// folder of the options.
func (r *reading) openSource(q *question, source *query.Source, o *query.Options) error {
	found, err := openIfDataset(r.ctx, source, r.servers)
	if err != nil {
		return err
	}
	if !found {
		if err := q.duckdb.Plan(r.ctx, source, o); err != nil {
			return err
		}
		return r.convertSource(q.session, source, filepath.Join(o.Temp, "dataset"))
	}
	if r.flags.source.list != "" {
		return usagef("--files-from is for traces, and %s is a dataset", source.Inputs[0])
	}
	if q.checkFlags == nil {
		return nil
	}
	return q.checkFlags(source.Inputs[0])
}

// openIfDataset opens the only input if it is a dataset.
func openIfDataset(ctx context.Context, source *query.Source, servers *servers) (found bool, err error) {
	if len(source.Inputs) != 1 {
		return false, nil
	}
	name, err := inputs.LocalPath(source.Inputs[0])
	if err != nil {
		return false, nil // finding the inputs reports it
	}
	if info, err := os.Stat(name); !inputs.IsBucketURL(name) && (err != nil || !info.IsDir()) {
		return false, nil
	}
	s, err := servers.Store(name)
	if err != nil {
		return false, usageError{err}
	}
	d := bundle.NewDataset(s)
	if found, err = d.HasRecords(ctx); err != nil || !found {
		return false, err
	}
	source.Use(d, s.URL(""))
	return true, nil
}

// convertSource converts the traces into a dataset in a folder.
func (r *reading) convertSource(session sessionFlag, source *query.Source, folder string) error {
	if err := r.find(source.Inputs); err != nil {
		return err
	}
	o := &bundle.Options{Options: r.options, Tool: toolVersion(), Compression: "none", Transient: true}
	o.Selection.Needs = source.Needs()
	defer r.timing.convert(o)()
	r.bar = progress.New(r.progressBar(), progress.Auto, len(r.in.Files), r.in.Size())
	c := r.newConversion(o, session)
	var found problemLog
	var unmatched patternLog
	c.Bundling = batch.Bundling{Mode: batch.BundleAuto, Bytes: bundle.DefaultBundleBytes}
	c.Done = func(result *batch.Result) {
		if result.Err != nil {
			r.fail(result.Name, result.Err)
			return
		}
		r.done++
		unmatched.add(result.Name, source.Add(result))
		found.add(result.Name, problemsOf(source.Matter(result.Report.Problems)))
	}
	c.Warn = func(name string, err error) { r.aside(func() { r.failInput(name, err) }) }
	out := r.servers.TransientStore(folder)
	err := c.Run(r.ctx, out, func() {
		source.UseTraces(c.Dataset, out.URL(""))
		r.bar.Start(r.ticker)
	})
	r.bar.End()
	r.reportMissing()
	r.warnAll(append(unmatched.lines(), found.lines("table problems", problemsSQL)...))
	switch {
	case err != nil:
		return err
	case r.failed > 0 && r.done == 0:
		return errAllFailed
	case !source.HasTraces():
		return errors.New("no trace in any of the inputs")
	}
	return nil
}
