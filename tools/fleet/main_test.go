package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/fleet/fleets"
)

func TestRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	flags := []string{"-traces", "8", "-kinds", "48", "-errors", "0", "-differences", "0", "-seed", "2"}
	for _, c := range []struct {
		args   []string
		exit   int
		stdout string
		stderr string
	}{
		{append(flags, out), 0, "out: 8 traces, ", ""},
		{append(flags, out), exitFailure, "", "is not empty"},
		{append(flags, "-copies", "9", out+"2"), exitFailure, "", "copied traces need up to 18 of the 8 traces"},
		{[]string{"-h"}, 0, "", "usage: fleet"},
		{nil, exitUsage, "", "usage: fleet"},
		{[]string{"-traces", "many", out}, exitUsage, "", "invalid value"},
	} {
		var stdout, stderr bytes.Buffer
		if exit := run(c.args, &stdout, &stderr); exit != c.exit {
			t.Errorf("%v: exit code %d, want %d: %s", c.args, exit, c.exit, &stderr)
		}
		if !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%v: printed %q and %q, want %q and %q", c.args, &stdout, &stderr, c.stdout, c.stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(out, fleets.TruthFile)); err != nil {
		t.Error(err)
	}
}
