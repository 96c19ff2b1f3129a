package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/listing"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

func (a *app) catalogCommand() *cobra.Command {
	return group("catalog", a.catalogListCommand(), a.catalogShowCommand(), a.catalogBuildCommand())
}

func (a *app) catalogListCommand() *cobra.Command {
	var f catalogFlags
	return newCommand("catalog_list", &cobra.Command{
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("etl2parquet catalog list takes one pattern, not %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			all, err := f.open()
			if err != nil {
				return err
			}
			return all.WriteList(a.out, strings.Join(args, ""), f.options(a))
		},
	}, f.flags())
}

func (a *app) catalogShowCommand() *cobra.Command {
	var f catalogFlags
	return newCommand("catalog_show", &cobra.Command{
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usagef("name one provider and at most one event; see etl2parquet catalog show --help")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			all, err := f.open()
			if err != nil {
				return err
			}
			return all.WriteProvider(a.out, args[0], strings.Join(args[1:], ""), f.options(a))
		},
	}, f.flags())
}

// options are the options of a listing.
func (f *catalogFlags) options(a *app) listing.Options {
	return listing.Options{JSON: f.asJSON, Width: pageWidth(a.out), Style: a.style()}
}

func (a *app) catalogBuildCommand() *cobra.Command {
	var path string
	var force, details bool
	return newCommand("catalog_build", &cobra.Command{
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || path == "" && !details {
				return usagef("name files that describe events, and the catalogue with -o; see etl2parquet catalog build --help")
			}
			files, err := catalog.OpenSources(args)
			if err != nil {
				return usageError{err}
			}
			built, err := listing.Build(files, details, a.note)
			if err != nil {
				return err
			}
			if err := writeCatalog(path, built.File, force); err != nil {
				return fileError("output", path, err)
			}
			fmt.Fprintln(a.out, built)
			return nil
		},
	}, []option{
		{flag: "output,o", value: pathValue{&path}, complete: completeFiles, usage: "write the catalogue to this `file`"},
		{flag: "force", value: &force, usage: "replace the file if it exists"},
		{flag: "details", value: &details, usage: "print each error in the files, not one line per file"},
	})
}

// writeCatalog writes a catalogue into a file, or nowhere if the path is "".
func writeCatalog(path string, data []byte, force bool) error {
	if path == "" {
		return nil
	}
	err := catalog.WriteCatalog(path, data, force)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%w; --force replaces it", err)
	}
	return err
}

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
