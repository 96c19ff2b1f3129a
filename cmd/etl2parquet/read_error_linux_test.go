package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var readErrorLine = regexp.MustCompile(`^etl2parquet: (\S+): (.* )?read (\d+ bytes )?at 0x[0-9a-f]+: (read \S+: )?input/output error$`)

// TestReadErrors has strace make some read of an input fail: what cannot be
// read is named in a line with the place in the file, the others are
// converted, and when it can be read the same command makes the dataset whole.
func TestReadErrors(t *testing.T) {
	inputs := filepath.Join(t.TempDir(), "in")
	writeBatch(t, inputs)
	inject := func(file string, when int) []string {
		return []string{"-f", "-qq", "-o", "/dev/null", "-P", filepath.Join(inputs, file), "-e", "trace=pread64",
			"-e", fmt.Sprintf("inject=pread64:error=EIO:when=%d+", when)}
	}
	if out, err := exec.Command("strace", append(inject("a.etl", 1), "true")...).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no strace that makes reads fail: %v: %s", err, out)
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
					t.Errorf("%s, read %d: %q does not say what could not be read, and where", file, when, line)
				}
			}
			out := filepath.Join(b.dir, "out")
			if phase := left(t, out, nil, want); phase != "only what is committed" {
				t.Errorf("%s, read %d: it has left %s", file, when, phase)
			}
			b.run(t)
			if diff := cmp.Diff(want, tree(t, out)); diff != "" {
				t.Errorf("%s, read %d: -undisturbed +again:\n%s", file, when, diff)
			}
		}
		if failed == 0 {
			t.Errorf("%s: no read has failed", file)
		}
		t.Logf("%s: %d runs could not read it", file, failed)
	}
}
