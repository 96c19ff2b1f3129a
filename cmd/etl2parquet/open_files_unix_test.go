//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// withOpenFiles returns a command that runs the program with a limit on open files.
func withOpenFiles(dir string, limit int, args ...string) *exec.Cmd {
	sh := []string{"-c", `ulimit -n "$0" && exec etl2parquet "$@"`, strconv.Itoa(limit)}
	cmd := exec.Command("sh", append(sh, args...)...)
	cmd.Dir = dir
	return cmd
}

// withSoftLimit returns a command that runs the program with a limit on open files that programs may raise.
func withSoftLimit(dir string, limit int, args ...string) *exec.Cmd {
	cmd := withOpenFiles(dir, limit, args...)
	cmd.Args[2] = strings.Replace(cmd.Args[2], "-n", "-S -n", 1)
	return cmd
}

// TestOpenFilesDuckDB asks about more tables than DuckDB may open files, unless it gets this process's limit. Where
// that cannot be raised, the error names it.
func TestOpenFilesDuckDB(t *testing.T) {
	testenv.Slow(t, "hundreds of tables")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	dir := t.TempDir()
	tables := oneOfMany(t, 270, 1000)
	testenv.WriteFile(t, filepath.Join(dir, "many.etl"), manyTables(t, tables))
	const sql = "SELECT count(fields) FROM events"
	want := fmt.Sprintf("count(fields)\n%d\n", tables+1) // with the header of the trace
	run := func(cmd *exec.Cmd, want string) {
		t.Helper()
		out, err := cmd.CombinedOutput()
		if (err != nil) != strings.HasPrefix(want, "etl2parquet: ") || !strings.Contains(string(out), want) || strings.Contains(string(out), "fewer findings") {
			t.Errorf("%q: %v: %.2000s", cmd.Args[3:], err, out)
		}
	}
	most := strconv.Itoa(tables)
	run(withSoftLimit(dir, 256, "convert", "many.etl", "-o", "set", "--quiet", "--max-tables", most), "")
	for _, limit := range []int{256, 1024} {
		for _, input := range []string{"set", "many.etl"} {
			run(withSoftLimit(dir, limit, "query", input, sql, "--format", "csv"), want)
		}
		run(withSoftLimit(dir, limit, "report", "many.etl", "-o", fmt.Sprintf("%d.html", limit)), "")
	}
	run(withOpenFiles(dir, 128, "query", "set", sql), "etl2parquet: the limit of 128 open files is too low for the tables that DuckDB reads: raise it, ")
}

// leastLimit returns the lowest limit on open files with which the program works.
func leastLimit(t *testing.T) int {
	t.Helper()
	out, err := withOpenFiles(t.TempDir(), 32, "convert", "in", "-o", "out").CombinedOutput()
	said := regexp.MustCompile(`^etl2parquet: the limit of 32 open files is too low: (\d+) are needed; raise it, for example with ulimit -n 1024\n$`).FindSubmatch(out)
	if err == nil || err.Error() != "exit status 1" || said == nil {
		t.Fatalf("%v: %s", err, out)
	}
	least, err := strconv.Atoi(string(said[1]))
	if err != nil {
		t.Fatal(err)
	}
	return least
}

// oneOfMany returns few, or many where there is time.
func oneOfMany(t *testing.T, few, many int) int { return testenv.Times(t, few, few, many, many) }

// manyTables returns a trace whose events are in many tables.
func manyTables(t *testing.T, tables int) []byte {
	t.Helper()
	return etltest.MustParse(t, fmt.Sprintf("trace buffersize=65536\nstream\nrepeat %d {\n event64 schema=E$i(A:u32) payload=u32:$i\n}\n", tables))
}

// copies writes a trace to a folder many times.
func copies(t *testing.T, folder string, n int) {
	t.Helper()
	sample := testenv.ReadFile(t, sampleTrace)
	for i := range n {
		testenv.WriteFile(t, filepath.Join(folder, fmt.Sprintf("t%03d.etl", i)), sample)
	}
}

// nested writes archives in archives, of kinds that need temporary files.
func nested(t *testing.T, path string, n int) {
	t.Helper()
	sample := testenv.ReadFile(t, sampleTrace)
	var names, contents []string
	for i := range n {
		names = append(names, fmt.Sprintf("%d.zip", i))
		zipped := mustPack(t, "b.gz", nil, []string{string(sample)})
		contents = append(contents, mustPack(t, "x.zip", []string{"a.etl", "b.etl.gz"}, []string{string(sample), zipped}))
	}
	testenv.WriteFile(t, path, mustPack(t, "x.tar.gz", names, contents))
}

// TestOpenFiles converts with a low limit on open files: more tables than files,
// many concurrent traces, traces that share files, and archives in archives. The
// output must have the same bytes as without the limit.
func TestOpenFiles(t *testing.T) {
	testenv.Slow(t, "programs with a limit on open files")
	t.Parallel()
	least := leastLimit(t)
	if least > 64 {
		t.Errorf("%d open files are needed", least)
	}
	for name, test := range map[string]struct {
		limit int
		make  func(t *testing.T, folder string)
		args  []string
	}{
		"tables": {limit: 128, make: func(t *testing.T, folder string) {
			testenv.WriteFile(t, filepath.Join(folder, "many.etl"), manyTables(t, oneOfMany(t, 300, 5000)))
		}},
		"traces":  {limit: 128, make: func(t *testing.T, folder string) { copies(t, folder, oneOfMany(t, 6, 60)) }},
		"bundled": {limit: least, make: func(t *testing.T, folder string) { copies(t, folder, oneOfMany(t, 40, 400)) }, args: []string{"--bundle=1MiB"}},
		"tables of a bundle": {limit: least, make: func(t *testing.T, folder string) {
			for i := range 3 {
				testenv.WriteFile(t, filepath.Join(folder, fmt.Sprintf("%d.etl", i)), manyTables(t, oneOfMany(t, 100, 400)))
			}
		}, args: []string{"--bundle=256MiB"}},
		"archives": {limit: least, make: func(t *testing.T, folder string) { nested(t, filepath.Join(folder, "a.tgz"), oneOfMany(t, 3, 12)) }, args: []string{"--archive-depth", "4"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inputs := filepath.Join(t.TempDir(), "in")
			test.make(t, inputs)
			var want map[string]string
			for _, limit := range []int{0, test.limit} {
				dir := t.TempDir()
				args := append([]string{"convert", inputs, "-o", "out", "--workers", "64", "--report", "r.json", "--progress", "none"}, test.args...)
				cmd := withOpenFiles(dir, limit, args...)
				if limit == 0 {
					cmd = exec.Command("etl2parquet", args...)
					cmd.Dir = dir
				}
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%d open files: %v: %.2000s", limit, err, out)
				}
				got := tree(t, filepath.Join(dir, "out"))
				if want == nil {
					want = got
					continue
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%d open files: %.2000s", limit, diff)
				}
			}
		})
	}
}

// TestOpenFilesBucket converts into a bucket with a low limit on open files: more
// tables and requests than files.
func TestOpenFilesBucket(t *testing.T) {
	testenv.All(t, "MinIO")
	testenv.RacedElsewhere(t)
	storetest.MinIO(t)
	dir := t.TempDir()
	testenv.WriteFile(t, filepath.Join(dir, "in", "many.etl"), manyTables(t, oneOfMany(t, 150, 600)))
	copies(t, filepath.Join(dir, "in"), oneOfMany(t, 4, 16))
	mustRun(t, "convert", filepath.Join(dir, "in"), "-o", filepath.Join(dir, "local"))
	want := contentsOf(t, store.NewFolder(filepath.Join(dir, "local")))
	for _, limit := range []int{128, leastLimit(t)} {
		out := fmt.Sprintf("out/%d", limit)
		cmd := withOpenFiles(dir, limit, "convert", filepath.Join(dir, "in"), "-o", bucketURL(out), "--workers", "64", "--progress", "none")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%d open files: %v: %.2000s", limit, err, out)
		}
		sameFiles(t, want, contentsOf(t, bucket(t, out)))
	}
}
