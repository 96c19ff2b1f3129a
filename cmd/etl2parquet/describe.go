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
	cmd := &cobra.Command{
		Use:   "describe [TABLE|VIEW|CLASS] | DATASET [TABLE]",
		Short: "Explain the tables, the views and their columns",
		Long: `Explains a table: each column's type, whether it may be null, and its meaning.
The table of a kernel event has three names: its folder, its view, and
class/event: events/Thread/CSwitch, thread_cswitch and Thread/CSwitch. A view of
views.sql is explained like a table. The name of a class lists the events of the
class; a pattern with *, ? or [...] lists the tables and views that match it.
Without an argument, describe lists all tables and views.

For a dataset, a folder or s3://bucket/folder, describe lists the tables that it
has, with their rows, bytes and parts (traces or bundles). For a table of a dataset
it explains the columns that the files have. A folder that is called like a table
is written ./traces.

With --provider, prints the GUID of a provider: of a provider of Windows, or
else the one that a TraceLogging or EventSource provider derives from its name
(unless its author chose another).`,
		Example: `  etl2parquet describe
  etl2parquet describe event_header
  etl2parquet describe Thread
  etl2parquet describe Thread/CSwitch
  etl2parquet describe '*/Read*'
  etl2parquet describe cpu_samples
  etl2parquet describe --json | jq -r '.[].name'
  etl2parquet describe dataset
  etl2parquet describe dataset Thread/CSwitch
  etl2parquet describe --provider Microsoft.Windows.Update.Orchestrator`,
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
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: an object for one table, an array for several")
	cmd.Flags().StringVar(&provider, "provider", "", "print the GUID of the provider of this `name`")
	f.add(cmd)
	return cmd
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
