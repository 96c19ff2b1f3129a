package main

import (
	"os"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

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
