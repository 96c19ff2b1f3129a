package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOutputPaths checks that the names of outputs and datasets may begin with the home folder, or be
// URLs, as those of inputs: no shell expands them in quotes.
func TestOutputPaths(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	sample := absoluteSample(t)
	t.Chdir(t.TempDir())
	url := "file://" + filepath.ToSlash(home)
	mustRun(t, "convert", sample, "-o", "~/out", "--table", "event_header", "--report", "~/report.json")
	mustRun(t, "convert", sample, "-o", url+"/out2", "--table", "event_header")
	mustRun(t, "plan", sample, "--shards", "1", "-o", "~/plan.json", "--dataset", "~/out")
	mustRun(t, "splits", sample, "--index", "~/indexes")
	for _, name := range []string{"out/views.sql", "out2/views.sql", "report.json", "plan.json", "indexes"} {
		if _, err := os.Stat(filepath.Join(home, name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"~/out", url + "/out2"} {
		mustRun(t, "check", name)
		mustRun(t, "clean", name)
		mustRun(t, "describe", name, "event_header")
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left here: %v, %v", left, err)
	}
	r := runImpatient(t.Context(), "convert", sample, "-o", "file://elsewhere/out")
	want := "etl2parquet: --output: a file: URL names files on this machine, and this one names the machine elsewhere; see etl2parquet convert --help\n"
	if r.status != exitUsage || r.stderr != want {
		t.Errorf("exit status %d: %s, want %s", r.status, r.stderr, want)
	}
}
