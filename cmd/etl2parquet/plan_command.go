package main

import (
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/inputs/plan"
)

// planFlags are the flags of plan.
type planFlags struct {
	traceFlags
	output  string
	shards  int
	dataset string
}

func (a *app) planCommand() *cobra.Command {
	f := &planFlags{}
	return newCommand("plan", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.output == "":
				return usagef("no output: name the file for the plan with -o FILE")
			case f.shards == 0:
				return usagef("no number of processes: give it with --shards N")
			}
			return a.plan(cmd.Context(), f, args)
		},
	}, outputOption(&f.output, "write the plan to this `file` (required)", completeFiles), []option{
		{flag: "shards", value: &f.shards, within: &span{1, plan.MaxShards}, usage: "`number` of processes (required)"},
		{flag: "dataset", value: pathValue{&f.dataset}, complete: completeFolders, usage: "the `folder`, or s3://bucket/folder, that the traces will be converted into: traces in it keep their names"},
	}, f.source.flags())
}
