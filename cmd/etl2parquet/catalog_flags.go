package main

import (
	"os"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/internal/doors/listing"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// catalogFlags name the catalogues that are read.
type catalogFlags struct {
	paths  []string
	asJSON bool
}

func (f *catalogFlags) flags() []option {
	return append(f.pathFlags(), jsonOption(&f.asJSON, "print the result as JSON")...)
}

func (f *catalogFlags) pathFlags() []option {
	return []option{{flag: "catalog", value: &f.paths, complete: completeFiles, usage: "also read this catalogue, a `file`, or none to leave out the built-in one; repeatable; default: $" + catalogsVariable}}
}

// open opens the user's catalogues and the one that is built in.
func (f *catalogFlags) open() (listing.Catalogs, error) {
	files, err := catalog.OpenFiles(nil)
	if err != nil {
		return nil, err
	}
	paths, whose := catalogPaths(f.paths)
	if err := files.AddCatalogs(paths); err != nil {
		return nil, usagef("%s: %w", whose, err)
	}
	list, _ := files.Catalogs()
	return list, nil
}

// catalogsVariable names the environment variable with the default catalogues: paths, separated as
// in PATH.
const catalogsVariable = "ETL2PARQUET_CATALOG"

// catalogPaths returns the catalogues that flags name, or else those of the environment, and the
// flag or variable that names them.
func catalogPaths(flags []string) (paths []string, whose string) {
	if flags != nil {
		return flags, "--catalog"
	}
	for _, path := range filepath.SplitList(os.Getenv(catalogsVariable)) {
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths, catalogsVariable
}
