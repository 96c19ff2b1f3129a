package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/export"
)

// exportFlags are the flags of export.
type exportFlags struct {
	traceFlags
	format  choice
	output  string
	force   bool
	of      choice
	options export.Options
}

func (a *app) exportCommand() *cobra.Command {
	f := &exportFlags{format: choice{"", export.Names()}, of: choice{string(export.Samples), export.Kinds()}}
	cmd := newCommand("export", &cobra.Command{
		Args: func(cmd *cobra.Command, args []string) error {
			return errors.Join(f.source.checkArgs(cmd, args), f.checkOutput(cmd))
		},
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.export(cmd.Context(), f, args) },
	}, []option{
		{flag: "format", value: &f.format, usage: "`format` of the file: " + f.format.listed() + "; default: by the extension of --output"},
	}, outputOption(&f.output, "write this `file`; - for standard output", completeFiles), []option{
		{flag: "force", value: &f.force, usage: "replace the file if it exists"},
		{flag: "of", value: &f.of, usage: "`kind` of events that profiles add up: " + f.of.listed()},
		{flag: "idle", value: &f.options.Idle, usage: "keep samples of idle processors"},
		{flag: "all-components", value: &f.options.AllComponents, usage: "every appearance of a packet, at each component that it passes"},
		{flag: "by-process", value: &f.options.ByProcess, usage: "make one profile of each process, where a format has profiles of threads"},
	}, f.cache.flags(), f.selection.flags(), f.redact.flags(), f.schemas.flags(), f.symbols.flags(), strictOption(&f.strict, "treat damage in a trace as an error"), f.resources.flags(), f.source.flags())
	cmd.Long = strings.Replace(cmd.Long, "{formats}\n", export.List(), 1)
	return cmd
}
