package main

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// ask runs the statements of a source: over a dataset if the only input is one, else over tables that
// it makes of the traces.
func (r *job) ask(duckdb *answers.DuckDB, source *answers.Source, o *answers.Options) error {
	d, err := r.Dataset(r.ctx, source.Inputs)
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
	return r.Ask(r.ctx, duckdb, source, func() error { return r.find(source.Inputs) }, o)
}

// setKept opens the cache.
func (r *job) setKept() error {
	f := r.flags
	c, err := r.openCache(&f.cache)
	r.Kept = answers.Kept{
		Cache: c, MinIndexed: r.minIndexed, Failed: r.warnNoCache, Added: func() { r.tellOfCache(c) },
		Settings: slices.Concat(f.schemas.catalogs, []string{""}, f.symbols.settings()),
	}
	return err
}

// begins measures a conversion for a question, and shows its progress.
func (r *job) begins(c *batch.Conversion) (began, ended func()) {
	stop := r.timing.convert(c.Options)
	r.bar = progress.New(r.progressBar(), progress.Auto, len(r.Files.Files), r.Files.Size())
	c.Reader.Progress = r.bar.Progress
	c.Warn = func(name string, err error) { r.aside(func() { r.failInput(name, err) }) }
	return func() { r.bar.Start(r.ticker) }, func() { r.bar.End(); stop() }
}

// reportTables reports the results of traces: which parts of the selection match nothing, and the problems that
// matter for the statements.
func (r *job) reportTables(source *answers.Source, results []*batch.Result) {
	var found problemLog
	var unmatched patternLog
	for _, result := range results {
		if result.Err == nil {
			unmatched.add(result.Name, answers.OfSelection(result.Report.Mismatches))
			found.add(result.Name, source.Matter(result.Report.Problems))
		}
	}
	r.reportMissing()
	r.warnAll(append(unmatched.lines(), found.lines("table problems", problemsSQL)...))
}
