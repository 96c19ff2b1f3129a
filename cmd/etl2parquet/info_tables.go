package main

import (
	"context"
	"errors"
	"runtime"

	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// infoTables lists the tables in which each trace has rows, or may have.
func (a *app) infoTables(ctx context.Context, from *sourceFlags, args []string, files *catalog.Files, index string, asJSON bool) error {
	options, servers, err := from.options(a.patience)
	if err != nil {
		return err
	}
	failed := 0
	fail := func(name string, err error) { failed++; a.failInput(name, err) }
	in, err := from.find(ctx, args, a.in, servers, fail)
	if err != nil {
		return err
	}
	all, traces := []describe.TraceTable{}, 0
	s := &inputs.Reader{Options: options, Stdin: a.in, Progress: inputs.NewProgress(len(in.Files), in.Size())}
	s.Fail = func(_ *inputs.File, name string, err error) { fail(name, err) }
	s.Visit = func(t *inputs.Trace) error {
		tables, err := describe.TablesOf(ctx, t, &pipeline.Options{Workers: runtime.GOMAXPROCS(0), Memory: pipeline.DefaultMemory, Schemas: files, Index: index, TempDir: from.tempDir})
		if err = errors.Join(err, t.Close()); err != nil && ctx.Err() == nil {
			s.Fail(t.File, t.Name(), inputs.WithoutPath(t.File.Path, err))
			return nil
		}
		all, traces = append(all, tables...), traces+1
		return ctx.Err()
	}
	if err := s.Each(ctx, in.Files); err != nil {
		return err
	}
	if asJSON {
		err = printJSON(a.out, all)
	} else {
		describe.WriteTraceTables(a.out, pageWidth(a.out), all, traces > 1)
	}
	return errors.Join(err, resultOf(ctx, traces, failed))
}
