package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
	"github.com/google/go-cmp/cmp"
)

// TestFolderSyncErrors lets strace fail the sync of a folder. A disk error fails the
// conversion, which reports it and leaves no record. A file system that cannot sync folders
// is not an error.
func TestFolderSyncErrors(t *testing.T) {
	testenv.All(t, "strace")
	t.Parallel()
	sample := absoluteSample(t)
	args := []string{"--table", "event_header", "--table", "buffers"}
	undisturbed := newBatch(t, sample, args...)
	undisturbed.run(t)
	want := tree(t, filepath.Join(undisturbed.dir, "out"))
	for _, test := range []struct {
		folder, errno string
		says          string // by the name of the folder, if it fails
	}{
		{"_traces", "EIO", "input/output error"},
		{"buffers", "EIO", "input/output error"},
		{"buffers", "ENOSPC", "no space left on device"},
		{"buffers", "EROFS", "read-only file system"},
		{"_traces", "EINVAL", ""},
		{"buffers", "EINVAL", ""},
		{"buffers", "EOPNOTSUPP", ""},
		{"buffers", "ENOTTY", ""},
	} {
		t.Run(test.folder+" "+test.errno, func(t *testing.T) {
			b := newBatch(t, sample, args...)
			out := filepath.Join(b.dir, "out")
			folder := filepath.Join(out, test.folder)
			cmd := exec.Command("strace", append(failing(t, folder, "fsync", "error="+test.errno), append([]string{"etl2parquet"}, b.args...)...)...)
			cmd.Dir = b.dir
			text, err := cmd.CombinedOutput()
			if test.says == "" {
				if err != nil {
					t.Errorf("%v: %s", err, text)
				}
			} else {
				line := "etl2parquet: " + sample + ": sync folder out/" + test.folder + ": " + test.says + "\n"
				if cmd.ProcessState.ExitCode() != exitFailed || !slices.Contains(slices.Collect(strings.Lines(string(text))), line) {
					t.Errorf("%v: %s; want %s", err, text, line)
				}
				if phase := left(t, out, nil, want); phase == "everything, and had only to end" {
					t.Errorf("the trace is converted: %s", phase)
				}
				b.run(t)
			}
			if diff := cmp.Diff(want, tree(t, out)); diff != "" {
				t.Errorf("-undisturbed +this:\n%s", diff)
			}
		})
	}
}
