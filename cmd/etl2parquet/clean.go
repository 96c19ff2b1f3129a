package main

import (
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/upkeep"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

func (a *app) cleanCommand() *cobra.Command {
	o := dataset.CleanOptions{Active: dataset.ActiveTime}
	var f datasetFlags
	return newCommand("clean", &cobra.Command{
		Args:              oneDataset,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := f.open(cmd.Context(), a, args[0])
			if err != nil {
				return err
			}
			kept, err := upkeep.Clean(cmd.Context(), a.out, args[0], d.Dataset, o)
			if err == nil && kept > 0 {
				a.warn("%s kept: another run may be writing them; --older-than 0s removes them", counted(int64(kept), "item"))
			}
			return err
		},
	}, []option{
		{flag: "dry-run", value: &o.DryRun, usage: "only list what would be removed"},
		{flag: "older-than", value: &o.Active, within: atLeast(0), usage: "age from which files are removed even if another run may be writing them"},
	}, f.flags())
}
