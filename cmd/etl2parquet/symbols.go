package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

func (a *app) symbolsCommand() *cobra.Command { return group("symbols", a.symbolsListCommand()) }

func (a *app) symbolsListCommand() *cobra.Command {
	f := new(traceFlags)
	var asJSON bool
	return newCommand("symbols_list", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.listSymbols(cmd.Context(), f, args, asJSON) },
	}, f.symbols.flags(), jsonOption(&asJSON, "print a JSON object for each image, one a line"), f.source.flags())
}

// listSymbols lists the symbols that any of the traces needs.
func (a *app) listSymbols(ctx context.Context, f *traceFlags, args []string, asJSON bool) error {
	r, err := a.open(ctx, f, args)
	if err != nil {
		return err
	}
	defer r.close()
	r.reported = true // by the list
	if r.Options.Symbols == nil {
		found, err := f.symbols.openPaths(ctx, a, nil, f.source.servers.timeout)
		if err != nil {
			return err
		}
		r.Options.Symbols = (*symbols.Set)(found)
	}
	var needed info.Symbols
	among := siblings.Files(r.Files.LocalPaths(), r.Files.From())
	err = r.each(func(t *inputs.Trace) error {
		return needed.Add(r.ctx, t, among.Siblings[t.File.Path], &r.Options)
	})
	if err != nil {
		return err
	}
	if err := needed.Write(a.out, info.Options{JSON: asJSON, Width: pageWidth(a.out), Style: a.style()}, a.note); err != nil {
		return err
	}
	return r.result()
}
