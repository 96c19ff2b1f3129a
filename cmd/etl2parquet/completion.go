package main

import "github.com/spf13/cobra"

// complete registers the completion of flags, and that others have none.
func complete(cmd *cobra.Command, by map[string]cobra.CompletionFunc, without ...string) {
	for _, flag := range without {
		by[flag] = cobra.NoFileCompletions
	}
	for flag, f := range by {
		if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic(err) // the flag is not there
		}
	}
}

// completeTables completes the names of tables.
func completeTables(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	return tableCompletions(begun), cobra.ShellCompDirectiveNoFileComp
}
