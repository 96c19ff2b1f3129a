package main

import "testing"

// TestPrintable checks that texts from traces cannot control the terminal.
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
