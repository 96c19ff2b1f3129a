package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/base/text/nearest"
	"github.com/etl2parquet/etl2parquet/internal/doors/listing"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

func (a *app) catalogCommand() *cobra.Command {
	return group("catalog", a.catalogListCommand(), a.catalogShowCommand(), a.catalogBuildCommand())
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
			list, err := all.List(strings.Join(args, ""))
			if err != nil {
				return usageError{err}
			}
			if len(list) == 0 {
				return fmt.Errorf("no known provider matches %q%s", args[0], meant(all.Nearest(args[0])))
			}
			if f.asJSON {
				return printJSON(a.out, list)
			}
			listing.WriteList(a.out, pageWidth(a.out), list)
			return nil
		},
	}, f.flags())
}

// meant returns a hint that names similar to the wanted one.
func meant(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; " + nearest.DidYouMean(names)
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
			return a.showProvider(&f, args[0], strings.Join(args[1:], ""))
		},
	}, f.flags())
}

func (a *app) showProvider(f *catalogFlags, name, event string) error {
	all, err := f.open()
	if err != nil {
		return err
	}
	ids := all.Named(name)
	if len(ids) == 0 {
		return fmt.Errorf("no known provider is called %q%s", name, meant(all.Nearest(name)))
	}
	var list []*listing.Shown
	for _, id := range ids {
		shown, err := all.Show(id, event)
		if err != nil {
			return err
		}
		list = append(list, shown)
	}
	if f.asJSON {
		return printJSON(a.out, list)
	}
	for _, shown := range list {
		shown.Write(a.out, pageWidth(a.out), event != "")
	}
	return nil
}

func (a *app) catalogBuildCommand() *cobra.Command {
	var path string
	var force, details bool
	return newCommand("catalog_build", &cobra.Command{
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || path == "" && !details {
				return usagef("name files that describe events, and the catalogue with -o; see etl2parquet catalog build --help")
			}
			return a.buildCatalog(args, path, force, details)
		},
	}, []option{
		{flag: "output,o", value: &path, complete: completeFiles, usage: "write the catalogue to this `file`"},
		{flag: "force", value: &force, usage: "replace the file if it exists"},
		{flag: "details", value: &details, usage: "print each error in the files, not one line per file"},
	})
}

func (a *app) buildCatalog(args []string, path string, force, details bool) error {
	files, err := catalog.OpenSources(args)
	if err != nil {
		return usageError{err}
	}
	data, events, providers, err := files.Compile()
	if err != nil {
		return err
	}
	for _, err := range files.Errors() {
		if of := new(catalog.FileErrors); details && errors.As(err, &of) {
			for _, one := range of.List {
				a.warn("warning: %s: %s", printable(of.Path), printable(one.Error()))
			}
			if of.More > 0 {
				a.warn("warning: %s: %d more errors", printable(of.Path), of.More)
			}
			continue
		}
		a.warn("warning: %s", printable(err.Error()))
	}
	if events == 0 {
		return errors.New("the files describe no event: no catalogue")
	}
	if path != "" {
		err := catalog.WriteCatalog(path, data, force)
		if errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("%w; --force replaces it", err)
		}
		if err != nil {
			return fileError("output", path, err)
		}
	}
	fmt.Fprintf(a.out, "%s of %s in %s\n", counted(int64(events), "event"), counted(int64(providers), "provider"), bytesize.Round(int64(len(data))))
	return nil
}
