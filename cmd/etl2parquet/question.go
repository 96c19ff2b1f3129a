package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// ask runs the statements of a source: over a dataset if the only input is one, else over tables that
// it makes of the traces. It sets the temporary folder and the threads of the options.
func (r *job) ask(duckdb *answers.DuckDB, source *answers.Source, o *answers.Options) error {
	d, err := r.dataset(source.Inputs)
	switch {
	case err != nil:
		return err
	case d == nil:
	case r.flags.source.list != "":
		return usagef("--files-from is for traces, and %s is a dataset", source.Inputs[0])
	case r.onlyTraces != nil:
		err = r.onlyTraces(source.Inputs[0])
	}
	if err != nil {
		return err
	}
	if d != nil {
		source.Use(d)
	}
	return r.withTemp(func(folder string) error {
		o.Temp, o.Threads = folder, r.options.Workers
		return duckdb.Ask(r.ctx, source, func() (*answers.Traces, error) {
			if err := r.find(source.Inputs); err != nil {
				return nil, err
			}
			return r.forAnswers()
		}, o)
	})
}

// withTemp calls do with a temporary folder.
func (r *job) withTemp(do func(folder string) error) (err error) {
	folder, err := temporary.NewFolder(r.flags.source.tempDir, "etl2parquet-query-")
	if err != nil {
		return fileError("temp-dir", r.flags.source.tempDir, err)
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	return do(folder.Path())
}

// dataset returns the only input if it is a dataset, else nil. Traces whose commit records cannot be read are
// reported as inputs that failed.
func (r *job) dataset(list []string) (*bundle.Dataset, error) {
	if len(list) != 1 {
		return nil, nil
	}
	name, err := inputs.LocalPath(list[0])
	if err != nil {
		return nil, nil // finding the inputs reports it
	}
	if !inputs.IsBucketURL(name) {
		if info, err := r.from.Stat(name); err != nil || !info.IsDir() {
			return nil, nil
		}
		if err := r.from.CheckLinks(name); err != nil {
			return nil, err
		}
	}
	s, err := r.servers.Store(name)
	if err != nil {
		return nil, usageError{err}
	}
	d := bundle.NewDataset(s)
	if found, err := d.HasRecords(r.ctx); err != nil || !found {
		return nil, err
	}
	summary, err := d.Summary(r.ctx)
	if err != nil {
		return nil, err
	}
	r.done += summary.Traces
	for _, record := range summary.Damaged {
		r.fail(name, fmt.Errorf("%s cannot be read: the answer may lack its traces; see etl2parquet check", record))
	}
	return d, nil
}

// forAnswers returns the inputs for questions.
func (r *job) forAnswers() (*answers.Traces, error) {
	f := r.flags
	t := &answers.Traces{
		Files: r.in, Options: r.options, Reader: inputs.Reader{Options: r.archive, Stdin: r.app.in}, Servers: r.servers.Servers, Limit: r.servers.files.Traces,
		Siblings: f.siblings.isAuto(), Begin: r.begins, Results: r.reportTables,
	}
	c, err := r.openCache(&f.cache)
	t.Kept = answers.Kept{
		Cache: c, MinIndexed: r.minIndexed, Failed: r.warnNoCache, Added: func() { r.tellOfCache(c) },
		Settings: slices.Concat(f.schemas.catalogs, []string{""}, f.symbols.settings()),
	}
	return t, err
}

// begins measures a conversion for a question, and shows its progress.
func (r *job) begins(c *batch.Conversion) (began, ended func()) {
	stop := r.timing.convert(c.Options)
	r.bar = progress.New(r.progressBar(), progress.Auto, len(r.in.Files), r.in.Size())
	c.Reader.Progress = r.bar.Progress
	c.Warn = func(name string, err error) { r.aside(func() { r.failInput(name, err) }) }
	return func() { r.bar.Start(r.ticker) }, func() { r.bar.End(); stop() }
}

// reportTables reports the results of traces: which failed, which parts of the selection match nothing,
// and the problems that matter for the statements.
func (r *job) reportTables(source *answers.Source, results []*batch.Result) error {
	var found problemLog
	var unmatched patternLog
	for _, result := range results {
		if result.Err != nil {
			r.fail(result.Name, result.Err)
			continue
		}
		r.done++
		unmatched.add(result.Name, answers.OfSelection(result.Report.Mismatches))
		found.add(result.Name, source.Matter(result.Report.Problems))
	}
	r.reportMissing()
	r.warnAll(append(unmatched.lines(), found.lines("table problems", problemsSQL)...))
	if r.failed > 0 && r.done == 0 {
		return errAllFailed
	}
	return nil
}
