package main

import "github.com/spf13/cobra"

// complete registers the completions of flags; the values of all other flags have none.
func complete(cmd *cobra.Command, by map[string]cobra.CompletionFunc, without ...string) {
	for _, flag := range without {
		by[flag] = cobra.NoFileCompletions
	}
	for flag, f := range by {
		if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic(err) // there is no such flag
		}
	}
}

// completeTables completes the names of tables.
func completeTables(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	return tableCompletions(begun), cobra.ShellCompDirectiveNoFileComp
}
