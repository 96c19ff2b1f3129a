package interop_test

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/doors/export"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// exported are the exports of a real trace, and a dataset of it, whose views count the same.
type exported struct {
	folder string
	traces *etl2parquet.Traces
}

const exportedTrace = "traces/net.4.5.2.x86.etl"

func newExported(t *testing.T) *exported {
	t.Helper()
	e := &exported{folder: t.TempDir()}
	path := testenv.Shared(t, exportedTrace)
	if _, err := convert.Run(t.Context(), []string{path}, filepath.Join(e.folder, "dataset"), convert.Options{}); err != nil {
		t.Fatal(err)
	}
	var err error
	if e.traces, err = etl2parquet.OpenAll(t.Context(), []string{path}, etl2parquet.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.traces.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// write writes the file of a format, and returns its path.
func (e *exported) write(t *testing.T, format string, o export.Options) string {
	t.Helper()
	f, err := export.Find(format, "")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(t.Context(), e.traces, &b, o); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(e.folder, "trace"+f.Extension)
	testenv.WriteFile(t, path, b.Bytes())
	return path
}

// query returns the rows of a statement over the views of the dataset, without their header.
func (e *exported) query(t *testing.T, sql string) [][]string {
	t.Helper()
	views := testenv.ReadFile(t, filepath.Join(e.folder, "dataset", "views.sql"))
	rows, err := csv.NewReader(strings.NewReader(interop.Ask(t, string(views), sql)[0])).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %v", sql, err)
	}
	return rows[1:]
}

// count returns the only value of a statement.
func (e *exported) count(t *testing.T, sql string) int64 {
	t.Helper()
	rows := e.query(t, sql)
	n, err := strconv.ParseInt(rows[0][0], 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

// TestExports lets the readers of others read the exports of a real trace, and compares what they count
// with the views.
func TestExports(t *testing.T) {
	testenv.Slow(t, "a real trace in all formats")
	e := newExported(t)
	all := e.count(t, "SELECT count(*) FROM cpu_samples")
	busy := e.count(t, "SELECT count(*) FROM cpu_samples WHERE NOT is_idle")
	t.Run("folded", func(t *testing.T) { e.checkFolded(t, all, busy) })
	t.Run("pprof", func(t *testing.T) { e.checkPprof(t, all, busy) })
	t.Run("firefox", func(t *testing.T) { e.checkFirefox(t, busy) })
	t.Run("perfetto and speedscope", func(t *testing.T) { e.checkByPython(t, busy) })
	t.Run("speedscope's app", func(t *testing.T) { e.checkSpeedscopeApp(t) })
}

// foldedLines returns the lines of a file as counts.
func foldedLines(t *testing.T, path string) (lines map[string]int64, total int64) {
	t.Helper()
	text := testenv.ReadFile(t, path)
	lines = make(map[string]int64)
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		at := strings.LastIndexByte(line, ' ')
		n, err := strconv.ParseInt(line[at+1:], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		lines[line[:at]] += n
		total += n
	}
	return lines, total
}

// checkFolded compares the lines of stacks with those of the view folded_stacks.
func (e *exported) checkFolded(t *testing.T, all, busy int64) {
	if _, total := foldedLines(t, e.write(t, "folded", export.Options{Idle: true})); total != all {
		t.Errorf("%d samples, cpu_samples has %d", total, all)
	}
	if _, total := foldedLines(t, e.write(t, "folded", export.Options{})); total != busy {
		t.Errorf("%d samples, cpu_samples has %d", total, busy)
	}
	o := export.Options{Of: export.Events, Scan: etl2parquet.Scan{Selection: facts.Selection{Events: []string{"PerfInfo/SampleProf"}}}}
	lines, total := foldedLines(t, e.write(t, "folded", o))
	rows := e.query(t, "SELECT f.stack, count(*) FROM cpu_samples JOIN folded_stacks AS f USING (trace, stack_id) GROUP BY ALL")
	if len(rows) != len(lines) {
		t.Errorf("%d stacks, folded_stacks has %d", len(lines), len(rows))
	}
	for _, row := range rows {
		if got := strconv.FormatInt(lines[row[0]], 10); got != row[1] {
			t.Errorf("%s: %s samples, folded_stacks has %s", row[0], got, row[1])
		}
	}
	t.Logf("SCORE folded: %d samples, %d without idle ones, %d stacks of %d events", all, busy, len(lines), total)
}

// checkPprof compares the totals and the functions of go tool pprof with the views.
func (e *exported) checkPprof(t *testing.T, all, busy int64) {
	testenv.All(t, "go tool pprof")
	top := func(o export.Options) string {
		path := e.write(t, "pprof", o)
		out, err := exec.CommandContext(t.Context(), "go", "tool", "pprof", "-top", "-sample_index=samples", "-nodecount=20", path).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if text := top(export.Options{Idle: true}); !strings.Contains(text, fmt.Sprintf("%d total", all)) {
		t.Errorf("go tool pprof does not have %d samples:\n%s", all, text)
	}
	text := top(export.Options{})
	if !strings.Contains(text, fmt.Sprintf("%d total", busy)) {
		t.Errorf("go tool pprof does not have %d samples:\n%s", busy, text)
	}
	rows := e.query(t, `SELECT coalesce(nullif(stack_functions[1], ''), function) AS f, count(*) AS n FROM cpu_samples
		WHERE NOT is_idle GROUP BY 1 HAVING f IS NOT NULL ORDER BY n DESC, f LIMIT 5`)
	for _, row := range rows {
		line := regexp.MustCompile(`(?m)^ *` + row[1] + ` .* ` + regexp.QuoteMeta(row[0]) + `$`)
		if !line.MatchString(text) {
			t.Errorf("go tool pprof does not have %s with %s samples:\n%s", row[0], row[1], text)
		}
	}
}

// checkByPython reads files with Perfetto's own definitions and with speedscope's schema.
func (e *exported) checkByPython(t *testing.T, busy int64) {
	schema := filepath.Join(interop.NodePackage(t, "speedscope"), "dist", "release", "file-format-schema.json")
	python := interop.NewPythonWith(t, "interop/exports.txt")
	var got struct {
		Perfetto struct {
			Unknown, Switches, Dangling, Overlapping, Processes int64
			Fields, Names, Leaves                               map[string]int64
		}
		Speedscope struct {
			Errors                    []string
			Profiles, Samples, Weight int64
			First                     string
		}
	}
	python.Run(t, "exports.py", map[string]string{
		"perfetto": e.write(t, "perfetto", export.Options{}), "speedscope": e.write(t, "speedscope", export.Options{}), "schema": schema,
	}, &got)
	if p := &got.Perfetto; p.Unknown != 0 || p.Dangling != 0 || p.Overlapping != 0 || p.Fields["perf_sample"] != busy {
		t.Errorf("%d unknown fields, %d open and %d overlapping spans, %d samples of %d", p.Unknown, p.Dangling, p.Overlapping, p.Fields["perf_sample"], busy)
	}
	names := got.Perfetto.Names
	for name, sql := range map[string]string{
		"suspension: SuspendForGC": "SELECT count(*) FROM gc_pauses WHERE is_gc AND pause_ns IS NOT NULL",
		"GC generation 0":          "SELECT count(*) FROM gc WHERE generation = 0",
		"write":                    "SELECT count(*) FROM disk_io WHERE operation = 'write'",
		"hard fault":               "SELECT count(*) FROM pagefault_hardfault",
		"lock contention":          "SELECT count(*) FROM contention",
	} {
		if want := e.count(t, sql); names[name] != want {
			t.Errorf("%s: %d spans, the view has %d", name, names[name], want)
		}
	}
	for _, row := range e.query(t, `SELECT stack_functions[1] AS f, count(*) AS n FROM cpu_samples WHERE NOT is_idle AND f <> '' GROUP BY 1 ORDER BY n DESC LIMIT 5`) {
		if n := strconv.FormatInt(got.Perfetto.Leaves[row[0]], 10); n != row[1] {
			t.Errorf("%s: %s samples, cpu_samples has %s", row[0], n, row[1])
		}
	}
	interval := e.count(t, "SELECT max(interval_ns) FROM cpu_samples")
	if s := &got.Speedscope; len(s.Errors) > 0 || s.Samples != busy || s.Weight != busy*interval {
		t.Errorf("speedscope: %q, %d samples of %d, %d ns", s.Errors, s.Samples, busy, s.Weight)
	}
	t.Logf("SCORE perfetto: %d fields unknown, %d samples, %d kinds of span; speedscope: %d profiles", got.Perfetto.Unknown, busy, len(names), got.Speedscope.Profiles)
}

// checkFirefox loads the profile by the importer of the Firefox Profiler, and lists its threads.
func (e *exported) checkFirefox(t *testing.T, busy int64) {
	program := filepath.Join(interop.NodePackage(t, "@firefox-devtools/profiler-cli"), "dist", "profiler-cli.js")
	path := e.write(t, "firefox", export.Options{})
	home := t.TempDir()
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "node", append([]string{program}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+home, "PROFILER_CLI_SESSION_DIR="+home)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	defer run("stop", "--all")
	if out, err := run("load", path); err != nil && !strings.Contains(out, "did not become ready") {
		t.Fatalf("load: %v: %s", err, out)
	}
	var list struct{ Threads []struct{ CPUMs float64 } }
	var text string
	for range 60 { // the reader may still be starting
		var err error
		if text, err = run("thread", "list", "--json"); err == nil && json.Unmarshal([]byte(text), &list) == nil && len(list.Threads) > 0 {
			break
		}
		time.Sleep(time.Second)
	}
	if len(list.Threads) == 0 {
		t.Fatalf("no threads: %.500s", text)
	}
	// Of each thread, the time before its first sample is unknown: the rest is an interval a sample.
	sum := 0.0
	for _, thread := range list.Threads {
		sum += thread.CPUMs
	}
	threads := e.count(t, "SELECT count(*) FROM (SELECT DISTINCT process_id, thread_id FROM cpu_samples WHERE NOT is_idle)")
	if want := float64(busy - threads); sum != want {
		t.Errorf("%g ms of processor time, want %g", sum, want)
	}
	t.Logf("SCORE firefox: %d threads, %g ms", len(list.Threads), sum)
}

// checkSpeedscopeApp opens the profile in speedscope's page, from disk, and reads the list of profiles
// that it shows.
func (e *exported) checkSpeedscopeApp(t *testing.T) {
	page := filepath.Join(interop.NodePackage(t, "speedscope"), "dist", "release", "index.html")
	chromium := testenv.Tool(t, "chromium")
	file := testenv.ReadFile(t, e.write(t, "speedscope", export.Options{}))
	script := filepath.Join(e.folder, "profile.js")
	call := fmt.Sprintf("speedscope.loadFileFromBase64(%q, %q)", "trace.speedscope.json", base64.StdEncoding.EncodeToString(file))
	testenv.WriteFile(t, script, call)
	cmd := exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--enable-unsafe-swiftshader",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=20000", "--dump-dom", "file://"+page+"#localProfilePath="+script)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, m := range regexp.MustCompile(`<tr title="([^"]*)"`).FindAllStringSubmatch(string(out), -1) {
		shown = append(shown, m[1])
	}
	var want struct{ Profiles []struct{ Name string } }
	if err := json.Unmarshal(file, &want); err != nil {
		t.Fatal(err)
	}
	for i := range want.Profiles {
		if !slices.Contains(shown, want.Profiles[i].Name) {
			t.Errorf("speedscope does not show %s among %d profiles", want.Profiles[i].Name, len(shown))
		}
	}
}
