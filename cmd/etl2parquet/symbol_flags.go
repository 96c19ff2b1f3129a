package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/engine/access"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// symbolFlags are the flags that locate symbols.
type symbolFlags struct {
	paths, servers []string
	cache          string
	most           bytesize.Size
	isAdded        bool // the command has flags for them
}

// symbolPathVariable names the environment variable with the debugger symbol path, the default if
// the command line names no path.
const symbolPathVariable = "_NT_SYMBOL_PATH"

// noSymbols, instead of a path, leaves out the symbol path of the environment.
const noSymbols = "none"

// flags returns the flags, with the defaults.
func (f *symbolFlags) flags() []option {
	f.most, f.isAdded = 4<<30, true
	return []option{
		{flag: "symbols", value: &f.paths, complete: completeFiles, usage: "name functions by the symbols at this `path`: a folder, a file, a debugger symbol path (srv*...), or none; repeatable; default: $" + symbolPathVariable},
		{flag: "symbol-server", value: &f.servers, usage: "also fetch symbols from this server, a `URL`; repeatable"},
		{flag: "symbol-cache", value: &f.cache, complete: completeFolders, usage: "`folder` for fetched or decompressed symbols; default: symbols in the program's folder of the user's cache"},
		{flag: "symbol-max-bytes", value: &f.most, usage: "limit on the size of a fetched or decompressed symbol file"},
	}
}

// open returns the symbols that the flags name, or nil if they name none.
func (f *symbolFlags) open(ctx context.Context, a *app) (*symbols.Set, error) {
	s, err := f.find(ctx, a)
	return access.Symbols(s), err
}

// find returns the symbols that the flags name, or nil if they name none or the command has no such
// flags.
func (f *symbolFlags) find(ctx context.Context, a *app) (*etl2parquet.Symbols, error) {
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
	return f.openPaths(ctx, a, paths)
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

func (f *symbolFlags) openPaths(ctx context.Context, a *app, paths []string) (*etl2parquet.Symbols, error) {
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
	if f.most < 1 {
		return nil, usagef("--symbol-max-bytes %d: it must be 1 or more", f.most)
	}
	s, err := etl2parquet.OpenSymbols(ctx, etl2parquet.SymbolOptions{
		Paths: paths, Servers: f.servers, Cache: cache, MaxBytes: int64(f.most),
		OnNote: func(text string) { a.warn("warning: %s", printable(text)) },
		OnFetch: func(p etl2parquet.SymbolFetch) {
			if p.Done && p.Bytes > 0 {
				a.warn("fetched %s of %s from %s", bytesize.Round(p.Bytes), printable(p.Name), printable(p.Server))
			}
		},
	})
	if err != nil {
		return nil, usageError{err}
	}
	return s, nil
}
