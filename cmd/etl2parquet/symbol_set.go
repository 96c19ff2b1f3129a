package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

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
