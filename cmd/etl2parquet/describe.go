package main

import (
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/doors/listing"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
)

func (a *app) describeCommand() *cobra.Command {
	o := describe.Options{Note: a.note}
	var provider string
	var f datasetFlags
	return newCommand("describe", &cobra.Command{
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 2 {
				return usagef("describe takes a table, or a dataset and a table, not %d arguments", len(args))
			}
			return nil
		},
		ValidArgsFunction: completeTablesOrDataset,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Width = pageWidth(a.out)
			switch {
			case provider != "" && (o.JSON || len(args) > 0):
				return usagef("--provider cannot be combined with a table or --json")
			case provider != "":
				return listing.Catalogs{windows.Catalog()}.WriteGUIDs(a.out, provider)
			case len(args) == 0:
				return describe.All(a.out, o)
			case len(args) == 1 && !isDataset(args[0]):
				return describe.Table(a.out, args[0], o)
			}
			table := append(args, "")[1]
			if err := describe.CheckName(table); err != nil {
				return err
			}
			d, err := f.open(cmd.Context(), a, args[0])
			if err != nil {
				return err
			}
			return describe.Dataset(cmd.Context(), a.out, d.Dataset, args[0], table, o)
		},
	}, jsonOption(&o.JSON, "print JSON: an object for one table, an array for several"), []option{
		{flag: "provider", value: &provider, usage: "print the GUID of the provider of this `name`"},
	}, f.flags())
}
