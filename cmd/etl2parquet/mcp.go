package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// mcpFlags are the flags of mcp.
type mcpFlags struct {
	traceFlags
	roots []string
	time  time.Duration
}

func (a *app) mcpCommand() *cobra.Command {
	f := &mcpFlags{time: 2 * time.Minute}
	return newCommand("mcp", &cobra.Command{
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.mcp(cmd.Context(), f, args) },
	}, []option{
		{flag: "root", value: &f.roots, complete: completeFolders, usage: "let calls name traces below this `folder`, and write pages there; repeatable"},
		{flag: "max-time", value: &f.time, within: atLeast(int64(time.Second)), usage: "limit on the time of a call"},
	}, f.cache.flags(), f.redact.flags(), f.schemas.flags(), f.symbols.flags(), f.resources.flags(), f.source.limitFlags())
}

// checkArgs requires something to read. Standard input has the messages of the agent.
func (f *mcpFlags) checkArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && f.roots == nil {
		return usagef("nothing to read: name a trace, or a folder of traces with --root; see %s --help", cmd.CommandPath())
	}
	for _, arg := range args {
		if arg == inputs.Stdin {
			return usagef("standard input cannot be a trace (-): the agent's messages come from there")
		}
	}
	return nil
}
