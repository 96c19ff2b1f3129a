// Package version tells builds of the program apart.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// noVersion is the version of a program built without a version or a commit.
const noVersion = "(devel)"

// Of returns the version of a release or, if that is "", the version of the module, and the commit
// if it is known. Commit records contain it: a trace converted by another version is converted
// again. Two builds without a commit have the same version.
func Of(release string) string {
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

// Text returns the output of the command version.
func Text(release string) string {
	version := Of(release)
	text := "etl2parquet " + version + "\n"
	if version == noVersion {
		text += "built without a version or commit, as by go run; go install, and go build in a clone of the repository, record them\n"
	}
	return text + fmt.Sprintf("%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
