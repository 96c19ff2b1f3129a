package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
)

// addStandardCommands adds cobra's commands help and completion, and makes them
// reject unknown words, which they would ignore.
func addStandardCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			help := cmd.Run
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				of, rest, err := root.Find(args)
				switch {
				case err != nil || of == root && len(rest) > 0:
					return usageError{usage.UnknownCommand(root, args[0])}
				case len(rest) > 0:
					return usagef("%s has no command %q; see %s --help", of.CommandPath(), rest[0], of.CommandPath())
				}
				help(cmd, args)
				return nil
			}
		case "completion":
			var shells []string
			for _, shell := range cmd.Commands() {
				shells = append(shells, shell.Name())
			}
			cmd.Args = cobra.ArbitraryArgs
			cmd.DisableFlagsInUseLine = true
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return usagef("no completion for the shell %q; there is one for %s", args[0], strings.Join(shells, ", "))
				}
				return cmd.Help()
			}
		}
	}
}
