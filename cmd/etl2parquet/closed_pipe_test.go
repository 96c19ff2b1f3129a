package main

import (
	"bytes"

	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestClosedPipe closes the reader of the program's output, like head. That is not an
// error, and a conversion continues.
func TestClosedPipe(t *testing.T) {
	testenv.Slow(t, "ten programs")
	t.Parallel()
	sample := absoluteSample(t)
	for _, test := range []struct {
		args   []string
		status int
		files  string // must exist at the end
	}{
		{[]string{"info", sample, sample}, exitDone, ""},
		{[]string{"info", sample, "--json"}, exitDone, ""},
		{[]string{"cat", sample}, exitDone, ""},
		{[]string{"describe"}, exitDone, ""},
		{[]string{"describe", "--json"}, exitDone, ""},
		{[]string{"version"}, exitDone, ""},
		{[]string{"help"}, exitDone, ""},
		{[]string{"convert", sample, "-o", "out"}, exitDone, "out/_traces/sample.json"},
		{[]string{"check", "out"}, exitFailed, ""}, // out has no dataset
		{[]string{"info", "nosuch.etl", sample}, exitSomeFailed, ""},
	} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		read.Close()
		cmd := exec.Command("etl2parquet", test.args...)
		var stderr bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), write, &stderr
		err = cmd.Run()
		write.Close()
		status := cmd.ProcessState.ExitCode()
		if status != test.status || bytes.Contains(stderr.Bytes(), []byte("pipe")) || test.status == exitDone && err != nil {
			t.Errorf("%v: status %d, %v, %s", test.args, status, err, &stderr)
		}
		if test.files != "" {
			if _, err := os.Stat(filepath.Join(cmd.Dir, test.files)); err != nil {
				t.Error(err)
			}
		}
	}
}
