package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/version"
)

// release is the version of a build without a module version and a commit, which has the same bytes
// everywhere: -ldflags "-X main.release=v1.2.3".
var release string

// toolVersion returns the version of the program, which commit records have.
func toolVersion() string { return version.Of(release) }

func (a *app) versionCommand() *cobra.Command {
	return newCommand("version", &cobra.Command{
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		Run: func(*cobra.Command, []string) {
			fmt.Fprint(a.out, version.Text(release))
		},
	})
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, but %q is given", cmd.CommandPath(), args[0])
	}
	return nil
}
