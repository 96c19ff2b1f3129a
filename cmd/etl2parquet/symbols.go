package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

func (a *app) symbolsCommand() *cobra.Command {
	return group("symbols", a.symbolsListCommand())
}

// symbolsListFlags are the flags of symbols list.
type symbolsListFlags struct {
	traceFlags
	asJSON bool
}

func (a *app) symbolsListCommand() *cobra.Command {
	f := new(symbolsListFlags)
	return newCommand("symbols_list", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.listSymbols(cmd.Context(), f, args) },
	}, f.symbols.flags(), jsonOption(&f.asJSON, "print the result as JSON"), f.source.flags())
}

// listSymbols lists the symbols that any of the traces needs, each once.
func (a *app) listSymbols(ctx context.Context, f *symbolsListFlags, args []string) (err error) {
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	r.listsSymbols = true
	if r.options.Symbols == nil {
		if r.options.Symbols, err = f.symbols.openPaths(ctx, a, nil); err != nil {
			return err
		}
	}
	needed := make(map[symbols.Image]symbols.Use)
	sessions := siblings.SessionFiles(localPaths(r.in.Files))
	err = r.each(func(t *inputs.Trace) error {
		uses, err := r.symbolUses(t, sessions[t.File.Path])
		for i := range uses {
			needed[uses[i].Image] = uses[i]
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := a.printSymbols(needed, f.asJSON); err != nil {
		return err
	}
	return r.result()
}

// localPaths returns the paths of the files on this machine.
func localPaths(files []*inputs.File) []string {
	var paths []string
	for _, f := range files {
		if f.Info != nil {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// symbolUses returns the symbols that a trace needs. Its siblings may know some of the images.
func (r *reading) symbolUses(t *inputs.Trace, others []string) ([]symbols.Use, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	in := t.Input()
	if t.IsWhole() {
		if err := siblings.Add(&in, others); err != nil {
			return nil, err
		}
	}
	source, err := pipeline.OpenSource(r.ctx, in, &r.options)
	if err != nil {
		return nil, err
	}
	uses, err := source.SymbolUses(r.ctx, &r.options)
	return uses, errors.Join(err, source.Close())
}

// printSymbols prints the images, those with most addresses first.
func (a *app) printSymbols(needed map[symbols.Image]symbols.Use, asJSON bool) error {
	list := info.SymbolsOf(needed)
	switch {
	case asJSON:
		return printJSON(a.out, list)
	case len(list) == 0:
		a.warn("no event has an address of native code whose image the trace names: no symbols are needed")
	default:
		info.WriteSymbols(a.out, pageWidth(a.out), list)
	}
	return nil
}
