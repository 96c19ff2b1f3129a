package main

import (
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
)

func (a *app) rootCommand() *cobra.Command {
	cmd := newCommand("etl2parquet", &cobra.Command{
		Args:          cobra.ArbitraryArgs, // see usage.Command
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       toolVersion(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usageError{usage.Command(cmd, a.args, args[0])}
		},
	})
	cmd.SetHelpFunc(a.help)
	cmd.SetVersionTemplate(version.Text())
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError{usage.Flag(cmd, a.args, err)} })
	cmd.AddCommand(a.convertCommand(), a.planCommand(), a.checkCommand(), a.cleanCommand(), a.infoCommand(), a.catCommand(), a.splitsCommand(), a.queryCommand(), a.reportCommand(), a.exportCommand(), a.mcpCommand(), a.benchCommand(), a.symbolsCommand(), a.describeCommand(), a.explainCommand(), a.catalogCommand(), a.cacheCommand(), a.versionCommand(), a.manCommand())
	addStandardCommands(cmd)
	return cmd
}
