package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return newCommand("version", &cobra.Command{
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		Run: func(*cobra.Command, []string) {
			fmt.Fprint(a.out, programText())
		},
	})
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, but %q is given", cmd.CommandPath(), args[0])
	}
	return nil
}

// noVersion is the version of a program built without a version or a commit.
const noVersion = "(devel)"

// release is the version of a build without a module version and a commit, which has the same bytes
// everywhere: -ldflags "-X main.release=v1.2.3".
var release string

// toolVersion returns the version of the module, and the commit if it is known.
// Commit records contain it: a trace converted by another version is converted
// again. Two builds without a commit have the same version.
func toolVersion() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case release != "":
		return release
	case !ok:
		return noVersion
	}
	return versionOf(info)
}

// versionOf returns the version of a build; it is the same for all builds of the same code.
func versionOf(info *debug.BuildInfo) string {
	version := cmp.Or(info.Main.Version, noVersion)
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return version
	}
	version += " (commit " + commit[:min(12, len(commit))]
	if settings["vcs.modified"] == "true" {
		version += "-dirty"
	}
	if at := settings["vcs.time"]; at != "" {
		version += ", " + at
	}
	return version + ")"
}

// programText returns the output of the command version.
func programText() string {
	version := toolVersion()
	text := "etl2parquet " + version + "\n"
	if version == noVersion {
		text += "built without a version or commit, as by go run; go install, and go build in a clone of the repository, record them\n"
	}
	return text + fmt.Sprintf("%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
