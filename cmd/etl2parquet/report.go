package main

import (
	"github.com/spf13/cobra"
)

// reportFlags are the flags of report.
type reportFlags struct {
	traceFlags
	output  string
	against string
	force   bool
	open    bool
}

func (a *app) reportCommand() *cobra.Command {
	f := new(reportFlags)
	return newCommand("report", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.report(cmd.Context(), f, args) },
	}, []option{
		{flag: "output,o", value: outputValue{&f.output}, complete: completeFiles, usage: "write this `file`; without it, NAME.html for NAME.etl in the current folder"},
		{flag: "against", value: &f.against, complete: completeFiles, usage: "compare the inputs with this other `trace`, side by side"},
		{flag: "open", value: &f.open, usage: "open the page in the browser"},
		{flag: "force", value: &f.force, usage: "replace the file if it exists"},
	}, f.cache.flags(), f.selection.flags(), f.redact.flags(), f.schemas.flags(), f.symbols.flags(), strictOption(&f.strict, "treat damage in a trace as an error"), f.resources.flags(), f.source.flags())
}
