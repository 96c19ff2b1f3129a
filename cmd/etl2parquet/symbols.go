package main

import (
	"context"
	"errors"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

func (a *app) symbolsCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "symbols",
		Short: "Say which symbols a trace needs, and which are there",
	}, a.symbolsListCommand())
}

// symbolsListFlags are the flags of symbols list.
type symbolsListFlags struct {
	symbols symbolFlags
	source  sourceFlags
	asJSON  bool
}

func (a *app) symbolsListCommand() *cobra.Command {
	f := new(symbolsListFlags)
	cmd := &cobra.Command{
		Use:   "list INPUT...",
		Short: "List the symbols that traces need, and which are there",
		Long: `Lists the images in which code of a trace lies: the frames of its stacks, what it
samples, and routines that its events name. Of each image it prints how many
different addresses lie in it, the place of its PDB in a symbol store
(name/GUID and age/name), and where that was found, or that it is missing.

Methods of runtimes such as .NET need no symbols: traces name them.`,
		Example: `  etl2parquet symbols list boot.etl
  etl2parquet symbols list boot.etl --symbols ./pdb --symbols 'srv*C:\symbols'
  etl2parquet symbols list boot.etl --symbol-server https://msdl.microsoft.com/download/symbols
  etl2parquet symbols list boot.etl --json | jq -r '.[] | select(.found == null) | .store_path'`,
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.listSymbols(cmd.Context(), f, args) },
	}
	f.symbols.add(cmd.Flags())
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	f.source.add(cmd)
	return cmd
}

// listSymbols lists the symbols that traces need: all that any of them needs, each once.
func (a *app) listSymbols(ctx context.Context, f *symbolsListFlags, args []string) error {
	set, err := f.symbols.open(ctx, a)
	if err == nil && set == nil {
		set, err = f.symbols.openPaths(ctx, a, nil)
	}
	if err != nil {
		return err
	}
	defer set.Close()
	options, servers, err := f.source.options(a.patience)
	if err != nil {
		return err
	}
	done, failed := 0, 0
	fail := func(name string, err error) { failed++; a.failInput(name, err) }
	in, err := f.source.find(ctx, args, a.in, servers, fail)
	if err != nil {
		return err
	}
	needed := make(map[symbols.Image]symbols.Use)
	sessions := siblings.SessionFiles(localPaths(in.Files))
	s := &inputs.Reader{Options: options, Stdin: a.in, Progress: inputs.NewProgress(len(in.Files), in.Size())}
	s.Fail = func(_ *inputs.File, name string, err error) { fail(name, err) }
	s.Visit = func(t *inputs.Trace) error {
		uses, err := symbolsOf(ctx, t, set, sessions[t.File.Path], f.source.tempDir)
		if err = errors.Join(err, t.Close()); err != nil && ctx.Err() == nil {
			s.Fail(t.File, t.Name(), inputs.WithoutPath(t.File.Path, err))
			return nil
		}
		done++
		for i := range uses {
			needed[uses[i].Image] = uses[i]
		}
		return ctx.Err()
	}
	if err := s.Each(ctx, in.Files); err != nil {
		return err
	}
	if err := a.printSymbols(needed, f.asJSON); err != nil {
		return err
	}
	return resultOf(ctx, done, failed)
}

// localPaths returns the files that are on this machine.
func localPaths(files []*inputs.File) []string {
	var paths []string
	for _, f := range files {
		if f.Info != nil {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// symbolsOf returns the symbols that a trace needs, some of whose images its siblings know.
func symbolsOf(ctx context.Context, t *inputs.Trace, set *symbols.Set, others []string, tempDir string) ([]symbols.Use, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	o := &pipeline.Options{Workers: runtime.GOMAXPROCS(0), Memory: pipeline.DefaultMemory, TempDir: tempDir, Symbols: set}
	in := t.Input()
	if t.IsWhole() {
		if err := siblings.Add(&in, others); err != nil {
			return nil, err
		}
	}
	source, err := pipeline.OpenSource(ctx, in, o)
	if err != nil {
		return nil, err
	}
	uses, err := source.SymbolUses(ctx, o)
	return uses, errors.Join(err, source.Close())
}

// printSymbols prints the images, those with most addresses first.
func (a *app) printSymbols(needed map[symbols.Image]symbols.Use, asJSON bool) error {
	list := info.SymbolsOf(needed)
	switch {
	case asJSON:
		return printJSON(a.out, list)
	case len(list) == 0:
		a.complain("no event has an address of native code whose image the trace names: no symbols are needed")
	default:
		info.WriteSymbols(a.out, pageWidth(a.out), list)
	}
	return nil
}
