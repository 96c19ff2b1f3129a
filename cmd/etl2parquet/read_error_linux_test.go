package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var readErrorLine = regexp.MustCompile(`^etl2parquet: (\S+): (.* )?read (\d+ bytes )?at 0x[0-9a-f]+: (read \S+: )?input/output error$`)

// TestReadErrors lets strace fail one read of an input. The unreadable input is reported in a
// line with the position in the file, other inputs are converted, and without the fault the
// same command completes the dataset.
func TestReadErrors(t *testing.T) {
	testenv.All(t, "strace")
	t.Parallel()
	testenv.RacedElsewhere(t)
	inputs := filepath.Join(t.TempDir(), "in")
	writeBatch(t, inputs)
	inject := func(file string, when int) []string {
		return failing(t, filepath.Join(inputs, file), "pread64", fmt.Sprintf("error=EIO:when=%d+", when))
	}
	undisturbed := newBatch(t, inputs)
	undisturbed.run(t)
	want := tree(t, filepath.Join(undisturbed.dir, "out"))
	r := rand.New(rand.NewPCG(3, 50))
	for _, file := range []string{"a.etl", "b.zip", "e.etl.gz", "f.zip"} {
		failed := 0
		for _, when := range []int{1, 2 + r.IntN(20)} {
			b := newBatch(t, inputs)
			cmd := exec.Command("strace", append(inject(file, when), append([]string{"etl2parquet"}, b.args...)...)...)
			cmd.Dir = b.dir
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			err := cmd.Run()
			if stderr.Len() == 0 && err == nil {
				continue // it makes fewer reads
			}
			failed++
			if status := cmd.ProcessState.ExitCode(); status != exitSomeFailed {
				t.Errorf("%s, read %d: exit status %d", file, when, status)
			}
			for line := range strings.Lines(stderr.String()) {
				text := readErrorLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
				if text == nil || !strings.HasPrefix(text[1], filepath.Join(inputs, file)) {
					t.Errorf("%s, read %d: %q does not name the unreadable input and the position", file, when, line)
				}
			}
			out := filepath.Join(b.dir, "out")
			if phase := left(t, out, nil, want); phase != "only what is committed" {
				t.Errorf("%s, read %d: it left %s", file, when, phase)
			}
			b.run(t)
			if diff := cmp.Diff(want, tree(t, out)); diff != "" {
				t.Errorf("%s, read %d: -undisturbed +again:\n%s", file, when, diff)
			}
		}
		if failed == 0 {
			t.Errorf("%s: no read has failed", file)
		}
		t.Logf("%s: unreadable in %d runs", file, failed)
	}
}

// failing returns the arguments with which strace makes a system call fail for a file or
// folder. It skips the test if strace cannot do that.
func failing(t *testing.T, path, call, how string) []string {
	t.Helper()
	args := []string{"-f", "-qq", "-o", "/dev/null", "-P", path, "-e", "trace=" + call, "-e", "inject=" + call + ":" + how}
	testenv.Tool(t, "strace")
	if out, err := exec.Command("strace", append(slices.Clone(args), "true")...).CombinedOutput(); err != nil {
		testenv.Missing(t, "strace that makes system calls fail", "allow ptrace, or take a newer strace", fmt.Errorf("%w: %s", err, out))
	}
	return args
}
