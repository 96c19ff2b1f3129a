package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version of the program",
		Long:              "Prints the version of the program and its commit, that of Go, and the system it is built for.",
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		Run: func(*cobra.Command, []string) {
			fmt.Fprintf(a.out, "etl2parquet %s\n%s %s/%s\n", toolVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		},
	}
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, and was given %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// toolVersion returns the version of the module, and the commit where the
// version does not tell it.
func toolVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown version)"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return version
	}
	version += " (commit " + commit[:min(12, len(commit))]
	if at := settings["vcs.time"]; at != "" {
		version += ", " + at
	}
	if settings["vcs.modified"] == "true" {
		version += ", modified"
	}
	return version + ")"
}
