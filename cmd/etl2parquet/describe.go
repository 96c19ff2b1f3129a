package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/doors/listing"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
)

func (a *app) describeCommand() *cobra.Command {
	o := describe.Options{Note: a.note}
	var provider string
	f := new(traceFlags)
	own := new(viewFlags)
	return newCommand("describe", &cobra.Command{
		Args:              describeArgs,
		ValidArgsFunction: completeTablesOrDataset,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.Views, err = own.set(); err != nil {
				return err
			}
			o.Width, o.Style = pageWidth(a.out), a.style()
			switch {
			case provider != "" && (o.JSON || len(args) > 0):
				return usagef("--provider cannot be combined with a table or --json")
			case provider != "":
				return listing.Catalogs{windows.Catalog()}.WriteGUIDs(a.out, provider)
			case len(args) == 0:
				return describe.All(a.out, o)
			}
			return a.describe(cmd.Context(), f, args[0], append(args, "")[1], len(args) > 1, o)
		},
	}, jsonOption(&o.JSON, "print a JSON object for each dataset, trace or table, one a line"), []option{
		{flag: "provider", value: &provider, usage: "print the GUID of the provider of this `name`"},
	}, own.flags(), f.schemas.flags(), f.source.limitFlags())
}

// describe explains a table, the tables of a dataset, or those of the traces of an input.
func (a *app) describe(ctx context.Context, f *traceFlags, name, table string, isOf bool, o describe.Options) error {
	if err := describe.CheckName(table); err != nil {
		return err
	}
	switch kindOf(&o, name, isOf) {
	case ofTrace:
		r, err := a.open(ctx, f, []string{name})
		if err != nil {
			return err
		}
		defer r.close()
		return r.describeTables(table, o)
	case ofDataset:
		d, err := (&datasetFlags{f.source.servers, f.source.tempDir}).open(ctx, a, name)
		if err != nil {
			return err
		}
		return describe.Dataset(ctx, a.out, d.Dataset, name, table, o)
	}
	return describe.Table(a.out, name, o)
}
