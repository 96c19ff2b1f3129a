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
	return group(&cobra.Command{
		Use:   "catalog",
		Short: "List and show known providers and events, or build your own catalogue",
		Long: `A catalogue describes the events of providers: their names, ids, versions and
fields. One is built in: it has the providers that come with Windows 7 to 11.
Your own catalogues describe further providers, and take precedence over it.`,
	}, a.catalogListCommand(), a.catalogShowCommand(), a.catalogBuildCommand())
}

// group makes a command with subcommands, which by itself only prints its help.
func group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usagef("unknown command %q; see %s --help", args[0], cmd.CommandPath())
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(commands...)
	return cmd
}

// catalogFlags name the catalogues that are read.
type catalogFlags struct {
	paths  []string
	asJSON bool
}

func (f *catalogFlags) add(cmd *cobra.Command) {
	f.addPaths(cmd)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the result as JSON")
}

func (f *catalogFlags) addPaths(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.paths, "catalog", nil, "also read this catalogue, a `file`, or none to leave out the built-in one; repeatable; default: $"+catalogsVariable)
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
	cmd := &cobra.Command{
		Use:   "list [PATTERN]",
		Short: "List the known providers",
		Long: `Prints GUID, number of events and name of each provider, event class or group of
messages that is known, by name. PATTERN is a GUID, a part of a name, or a pattern
with *, ? or [...]. A - instead of the number means that only the name is known.`,
		Example: `  etl2parquet catalog list
  etl2parquet catalog list kernel
  etl2parquet catalog list 'Microsoft-Windows-*-Client'
  etl2parquet catalog list 22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716`,
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
	}
	f.add(cmd)
	return cmd
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
	cmd := &cobra.Command{
		Use:   "show PROVIDER [EVENT]",
		Short: "Show the events of a provider, or the fields of an event",
		Long: `Prints the events of a provider, given by name or GUID. An event that builds of
Windows log in different forms has a line for each form. With EVENT, an id, a name
or a pattern, the fields of these events are printed, too.`,
		Example: `  etl2parquet catalog show Microsoft-Windows-Kernel-Process
  etl2parquet catalog show Microsoft-Windows-Kernel-Process 1
  etl2parquet catalog show Microsoft-Windows-DotNETRuntime 'GC/*' --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usagef("name one provider and at most one event; see etl2parquet catalog show --help")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.showProvider(&f, args[0], strings.Join(args[1:], ""))
		},
	}
	f.add(cmd)
	return cmd
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
	cmd := &cobra.Command{
		Use:   "build FILE|FOLDER... -o CATALOG",
		Short: "Build a catalogue from manifests, MOF files, TMF files and PDBs",
		Long: `Reads instrumentation manifests (.man, .xml), MOF files (.mof), TMF files (.tmf) and
the WPP messages of PDBs (.pdb), or all such files in a folder, and writes their
descriptions into one file for --catalog. It opens in a few milliseconds, whatever
its size. If several files describe an event, the first one counts.

Descriptions with errors are left out. Each file with errors is reported on one
line; --details reports each error, with its line. With --details and without -o,
the files are only read.`,
		Example: `  etl2parquet catalog build manifests/ driver.tmf -o my.catalog
  etl2parquet convert trace.etl -o dataset --catalog my.catalog
  etl2parquet catalog build manifest.man --details`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || path == "" && !details {
				return usagef("name files that describe events, and the catalogue with -o; see etl2parquet catalog build --help")
			}
			return a.buildCatalog(args, path, force, details)
		},
	}
	cmd.Flags().StringVarP(&path, "output", "o", "", "write the catalogue to this `file`")
	cmd.Flags().BoolVar(&force, "force", false, "replace the file if it exists")
	cmd.Flags().BoolVar(&details, "details", false, "print each error in the files, not one line per file")
	return cmd
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
