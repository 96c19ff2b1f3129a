package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/doors/query"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestCacheVersion asks another build of the program about the same trace.
func TestCacheVersion(t *testing.T) {
	testenv.Slow(t, "programs")
	a := newAsker(t)
	const sql = "SELECT count(*) FROM image_load"
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := testenv.ReadFile(t, program)
	other := filepath.Join(t.TempDir(), "etl2parquet")
	if err := os.WriteFile(other, text, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"etl2parquet", other, "etl2parquet", other} {
		cmd := exec.Command(path, "query", sampleTrace, sql, "--format", "csv", "--cache", a.cache)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	sets := make(map[string]bool)
	for _, piece := range a.pieces() {
		sets[filepath.Dir(piece)] = true
	}
	if len(sets) != 2 || len(a.pieces()) != 2 {
		t.Errorf("pieces of two builds: %q", a.pieces())
	}
}

// TestCacheFullDisk answers while the disk of the cache is full, or cannot be written.
func TestCacheFullDisk(t *testing.T) {
	testenv.All(t, "small disks by unshare")
	t.Setenv(query.Variable, interop.NewDuckDB(t))
	if out, err := exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", t.TempDir()).CombinedOutput(); err != nil {
		testenv.Missing(t, "small disks", "allow user namespaces that mount tmpfs (unshare -rm)", fmt.Errorf("%w: %s", err, out))
	}
	sample := absoluteSample(t)
	none := asker{T: t}
	const sql = "SELECT event_ref, event_name, process_name, fields FROM events ORDER BY 1"
	want, _ := none.ask(sql, sample)
	for _, disk := range []string{"size=4k", "size=20k", "size=40k", "size=60k", "size=80k", "size=100k", "size=120k", "size=160k", "size=64m,nr_inodes=3", "size=64m,nr_inodes=10", "size=64m,nr_inodes=40", "size=64m,ro", "size=64m"} {
		t.Run(disk, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "disk"), 0o700); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("unshare", "-rm", "sh", "-c", onSmallDisk, "sh", "mode=700,"+disk,
				"etl2parquet", "query", sample, sql, "--format", "csv", "--temp-dir", dir)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), cacheVariable+"="+filepath.Join(dir, "disk", "cache"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s%s%s", err, out, readFile(t, filepath.Join(dir, "stderr")), readFile(t, filepath.Join(dir, "again.log")))
			}
			if got := readFile(t, filepath.Join(dir, "stdout")); got != want {
				t.Errorf("-fresh +kept:\n%s", cmp.Diff(want, got))
			}
			if got := readFile(t, filepath.Join(dir, "again.log")); !strings.HasSuffix(got, want) {
				t.Errorf("with enough space: -fresh +kept:\n%s", cmp.Diff(want, got))
			}
			t.Logf("%s", readFile(t, filepath.Join(dir, "stderr")))
			if left, err := filepath.Glob(filepath.Join(dir, "failed", "cache", "new-*")); err != nil || len(left) > 0 {
				t.Errorf("%q is left, %v", left, err)
			}
		})
	}
}
