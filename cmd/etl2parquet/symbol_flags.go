package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// symbolFlags are the flags that say where symbols are.
type symbolFlags struct {
	paths, servers []string
	cache          string
	most           bytesize.Size
}

// symbolPathVariable names the environment variable with the symbol path of debuggers, which
// is used if the command line names none.
const symbolPathVariable = "_NT_SYMBOL_PATH"

// noSymbols, in the place of a path, leaves out the symbol path of the environment.
const noSymbols = "none"

func (f *symbolFlags) add(flags *pflag.FlagSet) {
	f.most = 4 << 30
	flags.StringArrayVar(&f.paths, "symbols", nil, "name functions by the symbols at this `path`: a folder, a file, or a symbol path as of debuggers (srv*...); none: without; may be repeated; default: $"+symbolPathVariable)
	flags.StringArrayVar(&f.servers, "symbol-server", nil, "also fetch symbols from this server, a `URL`; may be repeated")
	flags.StringVar(&f.cache, "symbol-cache", "", "`folder` for symbols that are fetched or decompressed; default: symbols in the program's folder of the user's cache")
	flags.Var(&f.most, "symbol-max-bytes", "limit on a file with symbols that is fetched or decompressed")
}

// open returns the symbols that the flags name, or nil if they name none.
func (f *symbolFlags) open(ctx context.Context, a *app) (*symbols.Set, error) {
	paths := slices.DeleteFunc(slices.Clone(f.paths), func(path string) bool { return path == noSymbols })
	if variable := os.Getenv(symbolPathVariable); f.paths == nil && variable != "" {
		paths = []string{variable}
	}
	if len(paths)+len(f.servers) == 0 {
		return nil, nil
	}
	return f.openPaths(ctx, a, paths)
}

// complain says which images have no symbols, if any were asked for, and which symbols are
// damaged.
func (f *symbolFlags) complain(a *app, set *symbols.Set) {
	missing, faults := set.Lacks()
	for _, err := range faults {
		a.complain("warning: functions may lack names: %s", printable(err.Error()))
	}
	if len(missing) > 0 {
		a.complain("no symbols of %s: their functions have no names; \"etl2parquet symbols list\" says what was looked for", printable(symbols.FirstNames(missing)))
	}
}

func (f *symbolFlags) openPaths(ctx context.Context, a *app, paths []string) (*symbols.Set, error) {
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
	set, err := symbols.New(ctx, symbols.Options{
		Paths: paths, Servers: f.servers, Cache: cache, MaxBytes: int64(f.most),
		Note: func(text string) { a.complain("warning: %s", printable(text)) },
		Progress: func(p symbols.Progress) {
			if p.Done && p.Bytes > 0 {
				a.complain("fetched %s of %s from %s", bytesize.Round(p.Bytes), printable(p.Name), printable(p.Server))
			}
		},
	})
	if err != nil {
		return nil, usageError{err}
	}
	return set, nil
}
