package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// askingProgram returns a run of the program that answers a question.
func askingProgram(cache, sql string, args ...string) (cmd *exec.Cmd, rows, said *bytes.Buffer) {
	cmd = exec.Command("etl2parquet", append([]string{"query", "--format", "csv", "--cache", cache, sql}, args...)...)
	cmd.Args = append(cmd.Args[:len(cmd.Args)-len(args)-1], append(args, sql)...)
	rows, said = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = rows, said
	return cmd, rows, said
}

// TestCacheKill kills runs at random points: package cache ends in each of them. All others answer as
// without a cache, and the last one leaves nothing of the killed ones.
func TestCacheKill(t *testing.T) {
	testenv.All(t, "ten kills of the program")
	a := newAsker(t)
	want := a.answers(cacheQuestions, sampleTrace)
	random := rand.New(rand.NewPCG(34, 1))
	begin := time.Now()
	cmd, rows, said := askingProgram(a.cache, cacheQuestions[0], sampleTrace)
	if err := cmd.Run(); err != nil || rows.String() != want[cacheQuestions[0]] {
		t.Fatal(err, rows, said)
	}
	took := time.Since(begin)
	killed := 0
	for n := range testenv.Times(t, 0, 0, 10, 100) {
		sql := cacheQuestions[random.IntN(len(cacheQuestions))]
		if n%3 == 0 { // so that pieces must be made
			if err := exec.Command("etl2parquet", "cache", "clear", "--cache", a.cache).Run(); err != nil {
				t.Fatal(err)
			}
		}
		cmd, rows, said := askingProgram(a.cache, sql, sampleTrace)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(took))))
		if cmd.Process.Kill() == nil && cmd.Wait() != nil {
			killed++
		} else if rows.String() != want[sql] {
			t.Errorf("%s: -fresh +kept:\n%s%s", sql, cmp.Diff(want[sql], rows.String()), said)
		}
		if n%4 == 3 {
			sql := cacheQuestions[random.IntN(len(cacheQuestions))]
			if got, said := a.ask(sql, sampleTrace); got != want[sql] {
				t.Errorf("after %d kills, %s: -fresh +kept:\n%s%s", killed, sql, cmp.Diff(want[sql], got), said)
			}
		}
	}
	t.Logf("%d killed, a whole run took %s", killed, took)
	for _, sql := range cacheQuestions {
		if got, said := a.ask(sql, sampleTrace); got != want[sql] {
			t.Errorf("%s: -fresh +kept:\n%s%s", sql, cmp.Diff(want[sql], got), said)
		}
	}
	a.ask("SELECT count(*) FROM image_unload", sampleTrace) // makes a piece, and removes leftovers
	if left, err := filepath.Glob(filepath.Join(a.cache, "new-*")); err != nil || len(left) > 0 {
		t.Errorf("%q is left, %v", left, err)
	}
	locks, err := filepath.Glob(filepath.Join(a.cache, "*", "*.lock"))
	if err != nil || len(locks) != len(a.pieces()) {
		t.Errorf("%d locks for %d pieces, %v", len(locks), len(a.pieces()), err)
	}
}

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
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
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
