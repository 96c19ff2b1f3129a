// Package version tells builds of the program apart.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// noVersion is the version of a program built without a version or a commit.
const noVersion = "(devel)"

// These are set by the linker for releases, whose bytes must not depend on the folder or on git:
// -ldflags "-X github.com/etl2parquet/etl2parquet/internal/base/version.release=v1.2.3".
var (
	release string // the version
	commit  string // its commit, or "" if it is unknown
	date    string // the time of the commit, as RFC 3339, or ""
)

// module is the path of this module, which may be a part of another module's program.
const module = "github.com/etl2parquet/etl2parquet"

// Of returns the version of a release or, without one, the version of this module and, in its own programs,
// the commit if it is known. Commit records contain it: a trace converted by another version is
// converted again. Two builds without a commit have the same version.
func Of() string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case release != "":
		return release
	case !ok:
		return noVersion
	}
	return versionIn(info, module)
}

// Date returns the day of a release's commit, as 2006-01-02, or "" if the build has none.
func Date() string {
	day, _, _ := strings.Cut(date, "T")
	return day
}

// versionOf returns the version of a build; it is the same for all builds of the same code.
func versionOf(info *debug.BuildInfo) string {
	version := cmp.Or(info.Main.Version, noVersion)
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	return withCommit(version, settings["vcs.revision"], settings["vcs.modified"] == "true", settings["vcs.time"])
}

// withCommit returns a version followed by its commit and the time of that, as far as they are known.
func withCommit(version, commit string, dirty bool, at string) string {
	if commit == "" {
		return version
	}
	version += " (commit " + commit[:min(12, len(commit))]
	if dirty {
		version += "-dirty"
	}
	if at != "" {
		version += ", " + at
	}
	return version + ")"
}

// versionIn returns the version of a module in a build.
func versionIn(info *debug.BuildInfo, path string) string {
	if info.Main.Path == path {
		return versionOf(info)
	}
	for _, m := range info.Deps {
		if m.Path != path {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		return cmp.Or(m.Version, noVersion)
	}
	return noVersion
}

// creator is the name of the program in the files that it writes.
const creator = "etl2parquet"

// Creator returns a version, as Of returns it, with the name of the program, in the form
// that readers of Parquet parse: "etl2parquet version v1.2.3 (build 0123456789ab)". The time of the
// commit is left out, and a version without a number is "devel".
func Creator(version string) string {
	number, commit, hasCommit := strings.Cut(version, " (commit ")
	if number == noVersion {
		number = "devel"
	}
	text := creator + " version " + number
	if hasCommit {
		commit, _, _ = strings.Cut(strings.TrimSuffix(commit, ")"), ", ")
		text += " (build " + commit + ")"
	}
	return text
}

// Text returns the output of the command version.
func Text() string {
	version := Of()
	text := "etl2parquet " + version + "\n"
	if version == release {
		text = "etl2parquet " + withCommit(release, commit, false, date) + "\n"
	}
	if version == noVersion {
		text += "built without a version or commit, as by go run; go install, and go build in a clone of the repository, record them\n"
	}
	return text + fmt.Sprintf("%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
