package main

import (
	"embed"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
)

//go:embed help
var help embed.FS

// newCommand completes a command: with the texts of help/NAME.txt, and with flags, which the help
// lists in this order. The file has the usage line, the short description, and after an empty line
// the long one, and then examples below the line "Examples:".
func newCommand(name string, cmd *cobra.Command, flags ...[]option) *cobra.Command {
	text, err := help.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // the command has no help
	}
	cmd.Use, cmd.Long, _ = strings.Cut(strings.TrimSuffix(string(text), "\n"), "\n")
	cmd.Short, cmd.Long, _ = strings.Cut(cmd.Long, "\n")
	cmd.Long, cmd.Example, _ = strings.Cut(cmd.Long, "\nExamples:\n")
	cmd.Args = nonEmpty(cmd.Args)
	cmd.Flags().SortFlags = false
	for _, options := range flags {
		for i := range options {
			options[i].add(cmd)
		}
	}
	return cmd
}

// nonEmpty returns a check of arguments that also rejects empty ones. check may be nil.
func nonEmpty(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if i := slices.Index(args, ""); i >= 0 {
			return usagef("argument %d of %s is empty: is a variable of the command line empty?", i+1, cmd.CommandPath())
		}
		if check == nil {
			return nil
		}
		return check(cmd, args)
	}
}

// group makes a command with subcommands, which by itself only prints its help.
func group(name string, commands ...*cobra.Command) *cobra.Command {
	cmd := newCommand(name, &cobra.Command{
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{usage.UnknownCommand(cmd, args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	})
	cmd.AddCommand(commands...)
	return cmd
}
