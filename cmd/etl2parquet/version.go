package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/version"
)

// toolVersion returns the version of the program, which commit records have.
func toolVersion() string { return version.Of() }

func (a *app) versionCommand() *cobra.Command {
	return newCommand("version", &cobra.Command{
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		Run: func(*cobra.Command, []string) {
			fmt.Fprint(a.out, version.Text())
		},
	})
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, but %q is given", cmd.CommandPath(), args[0])
	}
	return nil
}
