package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// onSmallDisk runs the program with a folder "disk" that is a separate disk, a tmpfs. It
// runs a command twice: with the given options of tmpfs, and then with enough space. It
// copies the disk's files after each run.
const onSmallDisk = `
set -e
mount -t tmpfs -o "$1" none disk
shift
cd disk
status=0
"$@" > ../stdout 2> ../stderr || status=$?
cp -a . ../failed
mount -o remount,size=64m,nr_inodes=100000 "$PWD"
"$@" > ../again.log 2>&1
cp -a . ../again
exit $status
`

// TestFullDisk fills the disk of the output, or of the temporary files, after some bytes
// or files. Each input that fails is reported in one line with the reason, no file is half
// written, and with enough space the same command completes the dataset.
func TestFullDisk(t *testing.T) {
	testenv.All(t, "small disks by unshare")
	t.Parallel()
	if out, err := exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", t.TempDir()).CombinedOutput(); err != nil {
		testenv.Missing(t, "small disks", "allow user namespaces that mount tmpfs (unshare -rm)", fmt.Errorf("%w: %s", err, out))
	}
	inputs := filepath.Join(t.TempDir(), "in")
	writeBatch(t, inputs)
	undisturbed := newBatch(t, inputs)
	undisturbed.run(t)
	want := tree(t, filepath.Join(undisturbed.dir, "out"))

	for _, test := range []struct {
		disk         string // options of tmpfs
		output, temp string // their folders
	}{
		{"size=4k", "out", "../temp"},
		{"size=200k", "out", "../temp"},
		{"size=500k", "out", "../temp"},
		{"size=900k", "out", "../temp"},
		{"size=1500k", "out", "../temp"},
		{"size=1800k", "out", "../temp"},
		{"size=64m,nr_inodes=5", "out", "../temp"},
		{"size=64m,nr_inodes=150", "out", "../temp"},
		{"size=64m,nr_inodes=150", "out", "../temp"},
		{"size=300k", "../out", "temp"},
		{"size=4k", "../out", "temp"},
	} {
		t.Run(test.disk+" for "+test.output, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, folder := range []string{"disk", "temp"} {
				if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			mkdir := "mkdir -p temp && exec \"$@\""
			cmd := exec.Command("unshare", "-rm", "sh", "-c", onSmallDisk, "sh", test.disk,
				"sh", "-c", mkdir, "sh", "etl2parquet", "convert", inputs, "-o", test.output, "--temp-dir", test.temp, "--siblings=off", "--bundle=never")
			cmd.Dir = dir
			err := cmd.Run()
			stderr := readFile(t, filepath.Join(dir, "stderr"))
			t.Logf("%v: %s", err, stderr)
			status := cmd.ProcessState.ExitCode()
			if status != exitFailed && status != exitSomeFailed {
				t.Errorf("exit status %d; %s", status, readFile(t, filepath.Join(dir, "again.log")))
			}
			checkFullDisk(t, stderr)
			out := func(copied string) string {
				if strings.HasPrefix(test.output, "../") {
					return filepath.Join(dir, test.output[len("../"):])
				}
				return filepath.Join(dir, copied, test.output)
			}
			if !strings.HasPrefix(test.output, "../") {
				if phase := left(t, out("failed"), nil, want); phase != "only what is committed" && phase != "all as it was before" {
					t.Errorf("left %s: %v", phase, tree(t, out("failed")))
				}
			}
			if diff := cmp.Diff(want, tree(t, out("again"))); diff != "" {
				t.Errorf("-undisturbed +again:\n%s", diff)
			}
			for _, temp := range []string{"failed/temp", "again/temp", "temp"} {
				if stray := tree(t, filepath.Join(dir, temp)); len(stray) > 0 {
					t.Errorf("temporary files are left: %v", stray)
				}
			}
		})
	}
}

// checkFullDisk checks that every line names the full disk, and that no two lines have
// the same subject.
func checkFullDisk(t *testing.T, stderr string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	named := make(map[string]bool)
	for _, line := range lines {
		if !strings.HasPrefix(line, "etl2parquet: ") || !strings.HasSuffix(line, ": no space left on device") {
			t.Errorf("%q does not report a full disk", line)
		}
		name := strings.SplitN(line, ": ", 3)[1]
		if named[name] {
			t.Errorf("a second line for %s: %q", name, line)
		}
		named[name] = true
	}
	if len(lines) > 7 {
		t.Errorf("%d lines for 6 traces", len(lines))
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(text)
}
