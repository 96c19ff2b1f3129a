package interop_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// manyEvents returns the number of events in trace i.
func manyEvents(i int) int { return 1 + i%7 }

// writeMany writes small traces, a thousand in a folder.
func writeMany(t *testing.T, root string, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		text := fmt.Sprintf("trace\nrepeat %d dt=1ms { event64 schema=Event(Number:u32) payload=u32:$i }\n", manyEvents(i))
		data := etltest.MustParse(t, text)
		path := filepath.Join(root, fmt.Sprintf("%03d", i/1000), fmt.Sprintf("small%05d.etl", i))
		if i%1000 == 0 || i == from {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		testenv.WriteFile(t, path, data)
	}
}

// TestManyTraces converts many small traces in one run. Its memory is about that of a run
// with a tenth of them or, if they share files, within --memory. DuckDB and Spark count
// the events of each trace.
func TestManyTraces(t *testing.T) {
	n := testenv.Times(t, 0, 300, 10_000, 10_000)
	python := interop.NewPython(t)
	dir := t.TempDir()
	program := builtProgram(t)
	few, all := filepath.Join(dir, "few"), filepath.Join(dir, "all")
	writeMany(t, few, 0, n/10)
	writeMany(t, all, 0, n)
	want := make(map[string]int)
	for i := range n {
		want[fmt.Sprintf("small%05d", i)] = manyEvents(i)
	}
	for _, test := range []struct {
		name   string
		args   []string
		files  int   // of a table, at most
		memory int64 // 0: the peak of a tenth of the traces
	}{{"files of its own", []string{"--bundle", "never"}, n, 0}, {"bundled", []string{"--memory", "512MiB"}, 1, 512 << 20}} {
		t.Run(test.name, func(t *testing.T) {
			out := filepath.Join(dir, "dataset")
			defer os.RemoveAll(out)
			most := test.memory
			if most == 0 {
				const perTrace = 4 << 10 // for the list of traces
				most = convertMany(t, program, n/10, append([]string{few, "-o", filepath.Join(dir, "few.out")}, test.args...)...)*5/4 + 8<<20 + perTrace*int64(n)
			}
			if peak := convertMany(t, program, n, append([]string{all, "-o", out}, test.args...)...); peak > most {
				t.Errorf("%d traces take up to %d MiB, want %d", n, peak>>20, most>>20)
			}
			if files, err := filepath.Glob(filepath.Join(out, "traces", "*.parquet")); err != nil || len(files) > test.files {
				t.Error(files, err)
			}
			checkMany(t, python, out, want)
		})
	}
}

// convertMany runs the program and returns its peak memory, or 0 if the system does not
// report it.
func convertMany(t *testing.T, program string, n int, args ...string) (peak int64) {
	t.Helper()
	cmd := exec.Command(program, append([]string{"convert", "--quiet"}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	highWater := regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
	for running := true; running; {
		select {
		case err := <-ended:
			if running = false; err != nil {
				t.Fatalf("%v: %s", err, &out)
			}
		case <-time.After(20 * time.Millisecond):
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			if m := highWater.FindSubmatch(status); err == nil && m != nil { // on Linux, while the process runs
				kib, err := strconv.ParseInt(string(m[1]), 10, 64)
				if err != nil {
					t.Error(err)
				}
				peak = max(peak, kib<<10)
			}
		}
	}
	state := cmd.ProcessState
	t.Logf("%d traces: %d MiB, %.1f s of processors (%.1f in the system)", n, peak>>20, (state.UserTime() + state.SystemTime()).Seconds(), state.SystemTime().Seconds())
	return peak
}

// checkMany lets DuckDB, and Spark in the tier all, count the events of each trace.
func checkMany(t *testing.T, python *interop.Python, root string, want map[string]int) {
	t.Helper()
	check := func(reader string, got map[string]int) {
		t.Helper()
		wrong := 0
		for trace, n := range want {
			if got[trace] != n {
				if wrong++; wrong < 5 {
					t.Errorf("%s: %s has %d events, want %d", reader, trace, got[trace], n)
				}
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d traces, want %d", reader, len(got), len(want))
		}
	}
	var rows [][][]any
	python.Run(t, "query.py", []map[string]string{{
		"sql": filepath.Join(root, "views.sql"), "query": "SELECT trace, count(*) FROM event_header GROUP BY trace",
	}}, &rows)
	counts := make(map[string]int)
	for _, row := range rows[0] {
		counts[row[0].(string)] = int(row[1].(float64))
	}
	check("DuckDB", counts)
	if testenv.Running(t) < testenv.TierAll {
		return
	}
	interop.RequireJava(t)
	var spark struct {
		Tables map[string]struct {
			Rows map[string]int `json:"rows"`
		} `json:"tables"`
	}
	python.Run(t, "spark.py", map[string]any{
		"values": []any{}, "columns": []any{}, "dataset": map[string]any{"root": root, "tables": []string{"event_header"}},
	}, &spark)
	check("Spark", spark.Tables["event_header"].Rows)
}
