package interop_test

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// cookbook is the content of the page: the title and the statement of each question,
// and the lines that make views of a dataset in Spark.
type cookbook struct {
	titles, statements []string
	setup              string
}

var (
	fencePattern = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")
	titlePattern = regexp.MustCompile(`(?m)^## (\d+\. .*)$`)
)

func readCookbook(t testing.TB) *cookbook {
	t.Helper()
	page := testenv.ReadFile(t, "../docs/cookbook.md")
	var c cookbook
	for _, title := range titlePattern.FindAllSubmatch(page, -1) {
		c.titles = append(c.titles, string(title[1]))
	}
	for _, fence := range fencePattern.FindAllSubmatch(page, -1) {
		switch string(fence[1]) {
		case "sql":
			c.statements = append(c.statements, string(fence[2]))
		case "python":
			c.setup += string(fence[2])
		}
	}
	if len(c.titles) != 14 || len(c.statements) != 14 || c.setup == "" {
		t.Fatalf("%d titles, %d statements, %d bytes of Python; want 14, 14 and some", len(c.titles), len(c.statements), len(c.setup))
	}
	return &c
}

// cookbookLimit is the limit on rows in the statements of the page, except for image
// loads and the process tree.
const cookbookLimit = 20

// cookbookRows is an engine's answer, with numbers as float64.
type cookbookRows struct {
	Columns []string
	Rows    [][]any
}

// TestCookbook runs every statement of docs/cookbook.md unchanged, in DuckDB and in
// Spark. The answers for a hand-made trace are known; for real traces
// cookbook_expect.py computes them.
func TestCookbook(t *testing.T) {
	python := interop.NewEngines(t)
	interop.RequireJava(t)
	page := readCookbook(t)
	folders := make(map[string]string)
	want := make(map[string][][][]any)
	add := func(name string, inputs ...string) (root string) {
		folder := t.TempDir()
		root = filepath.Join(folder, "out")
		if err := convertAll(root, inputs); err != nil {
			t.Fatal(err)
		}
		folders[name] = folder
		return root
	}
	add("made", writeCookbookTrace(t))
	want["made"] = madeAnswers()
	traces := append(testenv.SharedOr(t, "traces/net.4.5.2.x86.etl"), testenv.SharedOr(t, "traces/diaghub.kernel.1.etl")...)
	if len(traces) > 0 {
		var expected map[int][][]any
		python.Run(t, "cookbook_expect.py", map[string]string{"root": add("real", traces...)}, &expected)
		for i := range page.titles {
			want["real"] = append(want["real"], expected[i+1])
		}
	}

	answers := make(map[string]map[string][]cookbookRows)
	python.Run(t, "cookbook.py", map[string]any{"setup": page.setup, "statements": page.statements, "folders": folders, "program": builtProgram(t)}, &answers)
	for name := range folders {
		for _, engine := range []string{"duckdb", "spark"} {
			for i, title := range page.titles {
				t.Run(name+"/"+engine+"/"+title, func(t *testing.T) {
					got, want := answers[name][engine][i], want[name][i]
					all := len(want)
					if strings.Contains(page.statements[i], fmt.Sprintf("LIMIT %d;", cookbookLimit)) {
						want = want[:min(all, cookbookLimit)]
					}
					compareCookbook(t, got, want)
					if first := answers[name]["duckdb"][i].Columns; !slices.Equal(got.Columns, first) {
						t.Errorf("columns %v, but %v in DuckDB", got.Columns, first)
					}
					t.Logf("SCORE %d rows of %d", len(got.Rows), all)
				})
			}
		}
	}
}

func compareCookbook(t *testing.T, got cookbookRows, want [][]any) {
	if len(got.Rows) != len(want) {
		t.Errorf("%d rows, want %d", len(got.Rows), len(want))
	}
	for i := range max(len(got.Rows), len(want)) {
		var g, w []any
		if i < len(got.Rows) {
			g = got.Rows[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if !slices.EqualFunc(g, w, sameValue) {
			t.Errorf("row %d of %v:\n got %v\nwant %v", i, got.Columns, g, w)
		}
	}
}

// sameValue compares two values of JSON, and numbers within rounding errors.
func sameValue(a, b any) bool {
	x, isX := a.(float64)
	y, isY := b.(float64)
	if !isX || !isY {
		return a == b
	}
	if x == math.Trunc(x) && y == math.Trunc(y) {
		return x == y
	}
	return math.Abs(x-y) < 0.0051
}

func writeCookbookTrace(t testing.TB) (path string) {
	t.Helper()
	text := testenv.ReadFile(t, "testdata/cookbook.txt")
	path = filepath.Join(t.TempDir(), "made.etl")
	testenv.WriteFile(t, path, etltest.MustParse(t, string(text)))
	return path
}

// madeAnswers returns the answers for testdata/cookbook.txt, computed by hand from its
// comments.
func madeAnswers() [][][]any {
	const (
		volume   = `\Device\HarddiskVolume3\`
		drivers  = `\SystemRoot\system32\`
		software = `\REGISTRY\MACHINE\SOFTWARE\`
	)
	at := func(ms int64) float64 {
		return float64(time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC).UnixMicro() + ms*1000)
	}
	answers := [][][]any{
		{ // process, pid, samples, in_dpc_or_isr, cpu_ms, percent of 14
			{"app.exe", 2000., 4., 1., 2., 28.57},
			{"explorer.exe", 1000., 3., 0., 1.5, 21.43},
			{"tool.exe", 2000., 3., 0., 1.5, 21.43},
			{"quiet.exe", 1500., 2., 0., 1., 14.29},
			{"Idle", 0., 1., 1., 0.5, 7.14},
			{nil, nil, 1., 0., 0.5, 7.14},
		},
		{ // process, pid, switches, threads, ran_ms, left_to_wait
			{"Idle", 0., 6., 1., 28 + 10 + 501 + 20 + 464.5, 0.},
			{"app.exe", 2000., 4., 1., 2. + 1 + 1 + 1, 3.},
			{"explorer.exe", 1000., 3., 2., 1 + 5.5 + 3, 3.},
			{"tool.exe", 2000., 2., 1., 1., 1.},
		},
		{ // process, pid, tid, reason, wait_ms, of_it_ready_us, readied_by, its pid and tid, from_dpc
			{"app.exe", 2000., 2004., "UserRequest", 28., 100., "explorer.exe", 1000., 1004., false},
			{"tool.exe", 2000., 2008., "UserRequest", 20., nil, nil, nil, nil, nil},
			{"app.exe", 2000., 2004., "DelayExecution", 10., 10., "Idle", 0., 0., true},
			{"explorer.exe", 1000., 1004., "UserRequest", 0.5, 200., "app.exe", 2000., 2004., false},
		},
		{ // process, pid, file, reads, bytes_read, writes, bytes_written, disk_ms
			{"explorer.exe", 1000., volume + "log.txt", 1., 65536., 0., 0., 3.},
			{"explorer.exe", 1000., volume + "old.tmp", 0., 0., 1., 16384., 4.},
			{"app.exe", 2000., volume + "log.txt", 2., 12288., 1., 512., 3.5},
			{"System", 4., nil, 1., 2048., 0., 0., 1.},
			{"explorer.exe", 1000., volume + "new.tmp", 0., 0., 1., 1024., 0.1},
		},
		{ // process, pid, file, faults, bytes, fault_ms
			{"tool.exe", 2000., volume + "log.txt", 1., 32768., 20.},
			{"app.exe", 2000., volume + "log.txt", 2., 12288., 3.5},
			{"explorer.exe", 1000., volume + "new.tmp", 1., 4096., 0.1},
		},
		{ // timestamp, process, pid, image, image_size
			{at(50), "Idle", 0., drivers + "net.sys", float64(0x20000)},
			{at(102), "app.exe", 2000., volume + "app.exe", float64(0x10000)},
			{at(702), "tool.exe", 2000., volume + "tool.exe", float64(0x30000)},
		},
		{ // remote_address, process, pid, sent, received
			{"2001:db8::1", "explorer.exe", 1000., 0., 9000.},
			{"10.0.0.1", "app.exe", 2000., 1500., 3000.},
			{"2001:db8::1", "tool.exe", 2000., 70., 0.},
			{"10.0.0.1", "tool.exe", 2000., 40., 0.},
		},
		{ // kind, driver, function, calls, total_us, longest_us
			{"DPC", "net.sys", nil, 2., 150., 100.},
			{"timer DPC", "ntoskrnl.exe", nil, 1., 30., 30.},
			{"ISR", "net.sys", nil, 2., 15., 10.},
			{"threaded DPC", nil, nil, 1., 7., 7.},
		},
		{ // key, opens, queries, changes, errors, not_found, access_denied
			{software + "App", 1., 4., 1., 2., 1., 1.},
			{software + `App\MISSING`, 2., 0., 0., 2., 2., 0.},
			{"?", 0., 1., 0., 0., 0., 0.},
			{software + `Late\New`, 1., 0., 0., 0., 0., 0.},
			{`\REGISTRY\MACHINE\SYSTEM\Svc`, 0., 1., 0., 0., 0., 0.},
			{`\REGISTRY\USER\S-1-5-18`, 0., 1., 0., 0., 0., 0.},
		},
		{ // process, pid, parent_id, started, ended, exit_status, command_line
			{"Idle", 0., 0., nil, nil, nil, nil},
			{"  System", 4., 0., nil, nil, nil, nil},
			{"    quiet.exe", 1500., 4., nil, nil, nil, "quiet"},
			{"explorer.exe", 1000., 996., nil, nil, nil, "explorer"},
			{"  app.exe", 2000., 1000., at(100), at(600), 3., "app /x"},
			{"    child.exe", 3000., 2000., at(200), nil, nil, "child"},
			{"  tool.exe", 2000., 1000., at(700), nil, nil, "tool"},
			{"    late.exe", 3100., 2000., at(750), nil, nil, "late"},
		},
		{ // process, pid, operation, file, operations, errors, bytes, total_ms, longest_ms
			{"explorer.exe", 1000., "read", volume + "log.txt", 2., 1., 100., 2., 1.5},
			{"explorer.exe", 1000., "create", volume + "doc.txt", 1., 0., nil, 1., 1.},
			{"explorer.exe", 1000., "cleanup", volume + "doc.txt", 1., 0., nil, 0.2, 0.2},
			{"explorer.exe", 1000., "write", volume + "doc.txt", 1., 0., nil, nil, nil},
		},
		{ // process, pid, module, samples, with_stack
			{"app.exe", 2000., "app.exe", 4., 1.},
			{"explorer.exe", 1000., nil, 3., 1.},
			{"tool.exe", 2000., "tool.exe", 3., 0.},
			{"quiet.exe", 1500., nil, 2., 0.},
			{nil, nil, nil, 1., 0.},
		},
		{ // process, pid, module, function, samples, stacks
			{"app.exe", 2000., "app.exe", "?", 4., 1.},
			{"explorer.exe", 1000., nil, "?", 3., 1.},
			{"tool.exe", 2000., "tool.exe", "?", 3., 0.},
			{"quiet.exe", 1500., nil, "?", 2., 0.},
			{nil, nil, nil, "?", 1., 0.},
		},
		{ // line
			{"app.exe;app.exe+0x1000;ntoskrnl.exe+0x500 1"},
			{"explorer.exe;0x402000 1"},
		},
	}
	for _, rows := range answers {
		for i := range rows {
			rows[i] = append([]any{"made"}, rows[i]...)
		}
	}
	return answers
}
