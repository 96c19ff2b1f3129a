package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/base/tempfolder"
	"github.com/etl2parquet/etl2parquet/internal/base/text/table"
	"github.com/etl2parquet/etl2parquet/internal/doors/query"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// query runs SQL over traces or a dataset.
func (a *app) query(cmd *cobra.Command, f *queryFlags, args []string) (err error) {
	r, err := a.begin(cmd.Context(), &f.traceFlags)
	if err != nil {
		return err
	}
	defer r.close()
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
	statements, err := duckdb.Statements(r.ctx, sql)
	if err != nil {
		return err
	}
	if err := query.Check(format, statements); err != nil {
		return usagef("--format %s: %w", format, err)
	}
	folder, err := tempfolder.New(f.source.tempDir, "etl2parquet-query-")
	if err != nil {
		return fileError("temp-dir", f.source.tempDir, err)
	}
	temp := folder.Path()
	defer func() { err = errors.Join(err, folder.Remove()) }()
	to := &query.Options{Format: format, Table: a.tableOptions(), Temp: temp, Threads: f.resources.workers, Notes: a.err,
		Explain: func(text string) { r.warnAll([]string{printable(text)}) }}
	out, end := forFormat(a.out, f.format.value)
	to.Out = out
	if f.output != "" {
		file, wrong := createOutput(f.output) // before the work: the name may be invalid
		if wrong != nil {
			return usageError{fileError("output", f.output, wrong)}
		}
		defer func() { err = errors.Join(err, file.end(err == nil || errors.Is(err, errSomeFailed))) }()
		to.Out, to.Table = file, table.Options{}
	}
	source := &query.Source{Statements: statements, Inputs: traces}
	if err := r.openSource(cmd, f, source, temp); err != nil {
		return err
	}
	if err := errors.Join(duckdb.Run(r.ctx, source, to), end()); err != nil {
		return err
	}
	return r.result()
}

// openSource opens the dataset that the user names, or converts the traces into one, in the folder
// temp.
func (r *reading) openSource(cmd *cobra.Command, f *queryFlags, source *query.Source, temp string) error {
	found, err := openIfDataset(r.ctx, source, r.servers)
	if err != nil {
		return err
	}
	if !found {
		return r.convertSource(f.session, source, filepath.Join(temp, "dataset"))
	}
	if f.source.list != "" {
		return usagef("--files-from is for traces, and %s is a dataset", source.Inputs[0])
	}
	for i := range f.ofTraces {
		if flag := f.ofTraces[i].name(); cmd.Flags().Changed(flag) {
			return usagef("--%s is for traces, and %s is a dataset", flag, source.Inputs[0])
		}
	}
	return nil
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
	o.Selection.Tables = source.Tables()
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
