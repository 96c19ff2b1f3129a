package main

import (
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/upkeep"
)

func (a *app) checkCommand() *cobra.Command {
	var o upkeep.CheckOptions
	var f datasetFlags
	return newCommand("check", &cobra.Command{
		Args:              oneDataset,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := f.open(cmd.Context(), a, args[0])
			if err != nil {
				return err
			}
			// The exit status reports the result even if the pipe is closed.
			return upkeep.Check(cmd.Context(), ignoreClosedPipe{a.out}, args[0], d.Dataset, o)
		},
	}, []option{
		{flag: "fast", value: &o.Fast, usage: "check sizes and Parquet footers only, not contents"},
	}, jsonOption(&o.JSON, "print the result as JSON"), f.flags())
}
