package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/listing"
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
