package version

import (
	"runtime/debug"
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
