package version

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionOf(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	at := debug.BuildSetting{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}
	for want, info := range map[string]debug.BuildInfo{
		"v1.2.3":  {Main: debug.Module{Version: "v1.2.3"}},
		"(devel)": {},
		"v1.2.3 (commit 0123456789ab, 2026-01-02T03:04:05Z)": {
			Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{revision, at, {Key: "vcs.modified", Value: "false"}}},
		"(devel) (commit 0123456789ab-dirty, 2026-01-02T03:04:05Z)": {
			Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{revision, at, {Key: "vcs.modified", Value: "true"}}},
		"(devel) (commit 0123456789ab)": {Settings: []debug.BuildSetting{revision}},
	} {
		if got := versionOf(&info); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestReleaseText checks that a release names its commit and date, if its build knew them, and that
// they are no part of its version: commit records of two builds of one release are the same.
func TestReleaseText(t *testing.T) {
	t.Cleanup(func() { release, commit, date = "", "", "" })
	for want, set := range map[string][3]string{
		"etl2parquet v1.2.3\n":                                             {"v1.2.3"},
		"etl2parquet v1.2.3 (commit 0123456789ab)\n":                       {"v1.2.3", "0123456789abcdef0123"},
		"etl2parquet v1.2.3 (commit 0123456789ab, 2026-01-02T03:04:05Z)\n": {"v1.2.3", "0123456789abcdef0123", "2026-01-02T03:04:05Z"},
	} {
		release, commit, date = set[0], set[1], set[2]
		if got := Text(); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if got := Of(); got != "v1.2.3" {
			t.Errorf("version %q", got)
		}
	}
}

func TestVersionIn(t *testing.T) {
	const path = "example.com/library"
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	of := func(m debug.Module) debug.BuildInfo {
		return debug.BuildInfo{
			Main: debug.Module{Path: "example.com/program", Version: "v9.9.9"}, Settings: []debug.BuildSetting{commit},
			Deps: []*debug.Module{{Path: "example.com/other", Version: "v8.8.8"}, &m},
		}
	}
	for want, info := range map[string]debug.BuildInfo{
		"v1.2.3": of(debug.Module{Path: path, Version: "v1.2.3"}),
		"v1.2.4": of(debug.Module{Path: path, Version: "v1.2.3", Replace: &debug.Module{Path: "../library", Version: "v1.2.4"}}),
		// A folder beside the program has no version.
		"(devel)":                      of(debug.Module{Path: path, Version: "v1.2.3", Replace: &debug.Module{Path: "../library"}}),
		"v2.0.0 (commit 0123456789ab)": {Main: debug.Module{Path: path, Version: "v2.0.0"}, Settings: []debug.BuildSetting{commit}},
	} {
		if got := versionIn(&info, path); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCreator checks the form of created_by, which readers parse with an expression such as
// parquet-java's: no parenthesis before the build.
func TestCreator(t *testing.T) {
	for version, want := range map[string]string{
		"(devel)": "etl2parquet version devel",
		"v1.2.3":  "etl2parquet version v1.2.3",
		"v1.2.3 (commit 0123456789ab, 2026-01-02T03:04:05Z)":        "etl2parquet version v1.2.3 (build 0123456789ab)",
		"(devel) (commit 0123456789ab-dirty, 2026-01-02T03:04:05Z)": "etl2parquet version devel (build 0123456789ab-dirty)",
		"(devel) (commit 0123456789ab)":                             "etl2parquet version devel (build 0123456789ab)",
		"v0.0.0-20260102030405-0123456789ab+dirty":                  "etl2parquet version v0.0.0-20260102030405-0123456789ab+dirty",
	} {
		if got := Creator(version); got != want {
			t.Errorf("%s: got %q, want %q", version, got, want)
		}
	}
}
