package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
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
	return r.Result()
}

// symbolFlags are the flags that locate symbols.
type symbolFlags struct {
	paths, servers []string
	cache          string
	most           texts.Size
	isAdded        bool // the command has flags for them
}

// symbolPathVariable names the environment variable with the debugger symbol path, the default if
// the command line names no path.
const symbolPathVariable = "_NT_SYMBOL_PATH"

// noSymbols, instead of a path, leaves out the symbol path of the environment.
const noSymbols = "none"

// settings returns what decides which symbols are found, beside the contents of files.
func (f *symbolFlags) settings() []string {
	return slices.Concat(f.paths, []string{""}, f.servers, []string{"", f.cache, os.Getenv(symbolPathVariable)})
}

// flags returns the flags, with the defaults.
func (f *symbolFlags) flags() []option {
	f.most, f.isAdded = 4<<30, true
	return []option{
		{flag: "symbols", value: &f.paths, complete: completeFiles, usage: "name functions by the symbols at this `path`: a folder, a file, a debugger symbol path (srv*...), or none; repeatable; default: $" + symbolPathVariable},
		{flag: "symbol-server", value: &f.servers, usage: "also fetch symbols from this server, a `URL`; repeatable"},
		{flag: "symbol-cache", value: &f.cache, complete: completeFolders, usage: "`folder` for fetched or decompressed symbols; default: symbols in the program's folder of the user's cache"},
		{flag: "symbol-max-bytes", value: &f.most, within: atLeast(1), usage: "limit on the size of a fetched or decompressed symbol file"},
	}
}

// find returns the symbols that the flags name, or nil if they name none or the command has no such
// flags.
func (f *symbolFlags) find(ctx context.Context, a *app, timeout time.Duration) (*etl2parquet.Symbols, error) {
	if !f.isAdded {
		return nil, nil
	}
	paths := slices.DeleteFunc(slices.Clone(f.paths), func(path string) bool { return path == noSymbols })
	if variable := os.Getenv(symbolPathVariable); f.paths == nil && variable != "" {
		paths = []string{variable}
	}
	if len(paths)+len(f.servers) == 0 {
		return nil, nil
	}
	return f.openPaths(ctx, a, paths, timeout)
}

// warn prints which images have no symbols, if any were asked for, and which symbols are damaged.
func (f *symbolFlags) warn(a *app, set *symbols.Set) {
	missing, faults := set.Lacks()
	for _, err := range faults {
		a.warn("warning: functions may lack names: %s", printable(err.Error()))
	}
	if len(missing) > 0 {
		a.warn("no symbols of %s: their functions have no names; \"etl2parquet symbols list\" lists what was searched for", printable(symbols.FirstNames(missing)))
	}
}

func (f *symbolFlags) openPaths(ctx context.Context, a *app, paths []string, timeout time.Duration) (*etl2parquet.Symbols, error) {
	cache := f.cache
	if cache == "" {
		folder, err := os.UserCacheDir()
		if err != nil && len(f.servers) > 0 {
			return nil, usagef("--symbol-server needs --symbol-cache: %w", err)
		}
		if err == nil {
			cache = filepath.Join(folder, "etl2parquet", "symbols")
		}
	}
	s, err := etl2parquet.OpenSymbols(ctx, etl2parquet.SymbolOptions{
		Paths: paths, Servers: f.servers, Cache: cache, MaxBytes: int64(f.most), Timeout: timeout,
		OnNote: func(text string) { a.warn("warning: %s", printable(text)) },
		OnFetch: func(p etl2parquet.SymbolFetch) {
			switch {
			case p.Waiting:
				a.warn("%s", waitText(p.Name, p.Server))
			case p.Stored:
				a.warn("fetched %s of %s from %s", texts.RoundSize(p.Bytes), printable(p.Name), printable(p.Server))
			}
		},
	})
	if err != nil {
		return nil, usageError{err}
	}
	return s, nil
}
