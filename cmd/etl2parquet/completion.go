package main

import "github.com/spf13/cobra"

// completeFiles completes the names of files, and of folders.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// completeFolders completes the names of folders.
func completeFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeTraces completes the names of traces, and of folders.
func completeTraces(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"etl", "ETL", "zip", "diagsession", "gz", "tgz", "zst", "xz", "bz2", "tar", "7z", "cab"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeWords completes one of a few words.
func completeWords(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}
