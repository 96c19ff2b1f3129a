package main

import (
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
)

// rootCommand returns the program's command with all commands below it.
func (a *app) rootCommand() *cobra.Command {
	root := a.bareRoot()
	a.addCommands(root)
	addStandardCommands(root)
	return root
}

// rootCommandOf returns the program's command for some arguments. If the first names a command, it is the
// only one below it: making all of them took a tenth of the time of version.
func (a *app) rootCommandOf(args []string) *cobra.Command {
	for _, c := range a.commands() {
		if len(args) > 0 && args[0] == c.name {
			root := a.bareRoot()
			root.AddCommand(c.make())
			root.CompletionOptions.DisableDefaultCmd = true
			root.SetHelpCommand(&cobra.Command{Hidden: true}) // cobra would make its own
			return root
		}
	}
	return a.rootCommand()
}

func (a *app) bareRoot() *cobra.Command {
	root := newCommand("etl2parquet", &cobra.Command{
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
	root.SetHelpFunc(a.help)
	root.SetVersionTemplate(version.Text())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		a.addCommands(root) // the error may name other commands
		return usageError{usage.Flag(cmd, a.args, err)}
	})
	return root
}
