package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/decode/tracelogging"
	"github.com/etl2parquet/etl2parquet/internal/base/text/nearest"
	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/doors/listing"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

func (a *app) describeCommand() *cobra.Command {
	var asJSON bool
	var provider string
	var f datasetFlags
	return newCommand("describe", &cobra.Command{
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 2 {
				return usagef("describe takes a table, or a dataset and a table, not %d arguments", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			if list := append(tableCompletions(begun), completions(viewTables(), begun)...); len(list) > 0 {
				return list, cobra.ShellCompDirectiveNoFileComp
			}
			return completeFolders(nil, nil, begun)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case provider != "" && (asJSON || len(args) > 0):
				return usagef("--provider cannot be combined with a table or --json")
			case provider != "":
				a.printGUID(provider)
				return nil
			case len(args) == 2:
				return a.describeDataset(cmd.Context(), &f, args[0], args[1], asJSON)
			case len(args) == 1 && isDataset(args[0]):
				return a.describeDataset(cmd.Context(), &f, args[0], "", asJSON)
			case len(args) == 1:
				return a.describeTable(args[0], asJSON)
			}
			if asJSON {
				return printJSON(a.out, describe.Docs(slices.Concat(schema.Tables(), views.CatalogueTables(), viewTables())))
			}
			describe.WriteTables(a.out, pageWidth(a.out), viewTables())
			return nil
		},
	}, jsonOption(&asJSON, "print JSON: an object for one table, an array for several"), []option{
		{flag: "provider", value: &provider, usage: "print the GUID of the provider of this `name`"},
	}, f.flags())
}

// printGUID prints the GUID of a provider: the registered one, or else the one derived from its
// name.
func (a *app) printGUID(provider string) {
	ids := listing.Catalogs{windows.Catalog()}.Named(provider)
	for _, id := range ids {
		fmt.Fprintln(a.out, id)
	}
	if len(ids) == 0 {
		fmt.Fprintln(a.out, tracelogging.ProviderGUID(provider))
	}
}

func (a *app) describeTable(name string, asJSON bool) error {
	if err := schema.CheckPattern(name); err != nil {
		return usagef("pattern %q: %w", name, err)
	}
	all := slices.Concat(schema.Tables(), viewTables())
	found := describe.ClassTables(name)
	isList := len(found) > 0
	if !isList {
		found = schema.FindTables(name, all)
	}
	switch {
	case len(found) == 0:
		if similar := nearest.To(name, tableNames(all)); len(similar) > 0 {
			return usagef("no table is called %q; %s", name, nearest.DidYouMean(similar))
		}
		return usagef("no table is called %q; \"etl2parquet describe\" lists the tables that any dataset can have; a dataset's views.sql also lists those of its providers", name)
	case isList || len(found) > 1:
		if asJSON {
			return printJSON(a.out, describe.Docs(found))
		}
		describe.WriteList(a.out, pageWidth(a.out), found)
	case asJSON:
		return printJSON(a.out, describe.DocOf(found[0]))
	default:
		describe.WriteTable(a.out, pageWidth(a.out), found[0])
	}
	return nil
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
