package main

import (
	"bytes"
	"runtime/debug"
	"slices"
	"testing"
)

func TestGrid(t *testing.T) {
	g := grid{indent: "  ", right: []bool{true}}
	g.add("events", "what")
	g.add("12", "some words that do not fit into one line of it")
	g.add("3", "Ångström")
	var out bytes.Buffer
	g.print(&out, 40)
	want := "  events  what\n" +
		"      12  some words that do not fit\n" +
		"          into one line of it\n" +
		"       3  Ångström\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

func TestWrapped(t *testing.T) {
	got := wrapped("aaaa bbbb cccc dddd eeee ffff a-word-that-is-longer-than-the-line", 24)
	want := []string{"aaaa bbbb cccc dddd eeee", "ffff", "a-word-that-is-longer-than-the-line"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPrintable keeps what a trace says from commanding the terminal.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"C:\\Ångström\\日本.etl": "C:\\Ångström\\日本.etl",
		"a\x1b[2Jb\nc":         "a\ufffd[2Jb\ufffdc",
		"x\u202ey\u009b":       "x\ufffdy\ufffd",
	} {
		if got := printable(text); got != want {
			t.Errorf("printable(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestShellQuoted(t *testing.T) {
	for path, want := range map[string]string{
		"out/views.sql": "out/views.sql", `C:\out\views.sql`: `C:\out\views.sql`,
		"my data/x": `"my data/x"`, "": `""`, "a;b": `"a;b"`,
	} {
		if got := shellQuoted(path); got != want {
			t.Errorf("shellQuoted(%q) = %s, want %s", path, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	for text, want := range map[string]string{
		"event_headr": "event_header", "Tracess": "traces", "perfinfo": "perfinfo_trace_header",
		"buffer": "buffers", "zzz": "", "": "", "xylophone": "",
	} {
		if got := nearest(text, tableNames()); got != want {
			t.Errorf("nearest(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"same", "same", 0}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestVersionOf(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}
	if got := versionOf(info); got != "v1.2.3" {
		t.Errorf("got %q", got)
	}
	info.Settings = []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"},
	}
	if got, want := versionOf(info), "v1.2.3 (commit 0123456789ab, 2026-01-02T03:04:05Z, modified)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := versionOf(&debug.BuildInfo{}); got != "(devel)" {
		t.Errorf("got %q", got)
	}
}
