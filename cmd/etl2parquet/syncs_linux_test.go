package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var syncCall = regexp.MustCompile(`fsync\(\d+<(.*?)>`)

// TestSyncs lets strace count the syncs of a conversion, and of a forced one that replaces
// all files. Each file and each folder is synced once. Only the folder of the records is
// synced more often, because the old record must be gone before the new one is written.
func TestSyncs(t *testing.T) {
	testenv.All(t, "strace")
	t.Parallel()
	testenv.Tool(t, "strace")
	sample := absoluteSample(t)
	b := newBatch(t, sample)
	for run, most := range []int{1, 2} {
		log := filepath.Join(b.temp, "calls")
		args := append([]string{"-f", "-y", "-qq", "-e", "trace=fsync", "-o", log, "etl2parquet"}, append(b.args, "--force")...)
		cmd := exec.Command("strace", args...)
		cmd.Dir = b.dir
		if text, err := cmd.CombinedOutput(); err != nil {
			testenv.Missing(t, "strace", "allow ptrace", err)
			t.Fatalf("%v: %s", err, text)
		}
		text := testenv.ReadFile(t, log)
		folders, files := make(map[string]int), 0
		for _, call := range syncCall.FindAllStringSubmatch(string(text), -1) {
			if strings.HasSuffix(call[1], ".tmp") {
				files++
			} else {
				folders[call[1]]++
			}
		}
		out := filepath.Join(b.dir, "out")
		for folder, n := range folders {
			if n > 1 && (folder != filepath.Join(out, "_traces") || n > most) {
				t.Errorf("run %d: %s is synced %d times", run, folder, n)
			}
		}
		written := 0
		for name := range tree(t, out) {
			if !strings.HasSuffix(name, "/") {
				written++
			}
		}
		if files != written || files < 30 {
			t.Errorf("run %d: %d of %d files are synced", run, files, written)
		}
		if err := os.Remove(log); err != nil {
			t.Fatal(err)
		}
	}
}
