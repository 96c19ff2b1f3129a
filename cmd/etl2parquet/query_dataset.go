package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/doors/query"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// onlyForTraces are the flags that control how traces are read.
var onlyForTraces = []string{"from", "to", "event", "provider", "process", "payload", "messages", "manifest", "catalog", "tmf",
	"symbols", "symbol-server", "session", "strict", "files-from"}

// openSource opens the dataset that the user names, or converts the traces into one, in the folder
// temp.
func (a *app) openSource(cmd *cobra.Command, f *queryFlags, o *bundle.Options, source *query.Source, temp string) error {
	ctx := cmd.Context()
	options, servers, err := f.source.options(a.patience)
	if err != nil {
		return err
	}
	if found, err := openIfDataset(ctx, source, servers); err != nil {
		return err
	} else if found {
		for _, flag := range onlyForTraces {
			if cmd.Flags().Changed(flag) {
				return usagef("--%s is for traces, and %s is a dataset", flag, source.Inputs[0])
			}
		}
		return nil
	}
	o.Selection.Tables = source.Tables()
	if o.Schemas, err = f.schemas.open(); err != nil {
		return err
	}
	defer f.schemas.warn(a, o.Schemas)
	if o.Symbols, err = f.symbols.open(ctx, a); err != nil {
		return err
	}
	defer o.Symbols.Close()
	defer f.symbols.warn(a, o.Symbols)
	return a.convertSource(ctx, f, source, temp, &batch.Conversion{
		Options: o, Reader: &inputs.Reader{Options: options, Stdin: a.in}, Sessions: f.session.value == autoSession, Traces: servers.files.Traces,
		Bundling: batch.Bundling{Mode: batch.BundleAuto, Bytes: bundle.DefaultBundleBytes},
	}, servers)
}

// openIfDataset opens the only input if it is a dataset.
func openIfDataset(ctx context.Context, source *query.Source, servers *servers) (found bool, err error) {
	if len(source.Inputs) != 1 {
		return false, nil
	}
	name := source.Inputs[0]
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

// convertSource converts the traces into a dataset in the folder temp.
func (a *app) convertSource(ctx context.Context, f *queryFlags, source *query.Source, temp string, c *batch.Conversion, servers *servers) (err error) {
	failed := 0
	fail := func(name string, err error) { a.failInput(name, err); failed++ }
	if c.Inputs, err = f.source.find(ctx, source.Inputs, a.in, servers, fail); err != nil {
		return err
	}
	out := servers.TransientStore(filepath.Join(temp, "dataset"))
	c.Dataset = bundle.NewDataset(out)
	source.UseTraces(c.Dataset, out.URL(""))
	p := progress.New(a.progressBar(), progress.Auto, len(c.Inputs.Files), c.Inputs.Size())
	c.Reader.Progress = p.Progress
	c.Done = func(r *batch.Result) {
		p.Aside(func() {
			if r.Err != nil {
				fail(r.Name, r.Err)
				return
			}
			for _, line := range problemLines(r.Report.Problems, "table problems") {
				a.warn("%s: %s", printable(r.Name), line)
			}
			for _, m := range source.Add(r) {
				a.warn("%s: %s", printable(r.Name), printable(m.Message))
			}
		})
	}
	c.Warn = func(name string, err error) { p.Aside(func() { a.failInput(name, err) }) }
	if err := out.Prepare(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := c.Begin(ctx); err != nil {
		return err
	}
	p.Start(a.ticker)
	err = c.Run(ctx)
	p.End()
	switch {
	case err != nil:
		return err
	case failed > 0: // results without these inputs would be wrong
		return errAllFailed
	case !source.HasTraces():
		return errors.New("no trace in any of the inputs")
	}
	return nil
}
