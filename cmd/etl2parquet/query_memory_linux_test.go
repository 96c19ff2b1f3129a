package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// exhausting are statements that need more memory than 256 MiB for values that DuckDB does not count, or as fast as the
// machine gives it.
var exhausting = []string{
	"SELECT len(list_transform(range(500000000), lambda x: x))",
	"SELECT count(*) FROM (SELECT unnest(generate_series(1, 3e9::BIGINT)))",
	"WITH RECURSIVE r(n, t) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, t || t FROM r WHERE n < 40) SELECT max(length(t)) FROM r",
	"SELECT histogram(range) FROM range(200000000)",
	"SELECT max(l) FROM (SELECT len(list_transform(range(50000000), lambda x: x + range)) AS l FROM range(100))",
	"SELECT len(list_zip(range(200000000), range(200000000)))",
	"SELECT length(repeat('x', 1000000000))",
	"SELECT length(repeat('x', 4000000000))",
	"SELECT length(string_agg(repeat('x', 1000), ',')) FROM range(10000000)",
	"SELECT list_aggregate(range(400000000), 'sum')",
	"WITH RECURSIVE r(l) AS (SELECT [1] UNION ALL SELECT list_concat(l, l) FROM r WHERE len(l) < 1000000000) SELECT count(*) FROM r",
	"SELECT len(list(a.range || '-' || b.range)) FROM range(10000) a, range(10000) b",
	"SELECT max(len(l)) FROM (SELECT list(range) OVER (ORDER BY range) AS l FROM range(1000000))",
	"SELECT cardinality(map_from_entries(list_transform(range(50000000), lambda x: {'k': x, 'v': x})))",
	"SELECT length(to_json(range(300000000))::VARCHAR)",
	"SELECT json_array_length('[' || repeat('1,', 300000000) || '1]')",
	"SELECT len(list_sort(range(300000000)))",
	"SELECT len(string_split(repeat('a,', 200000000), ','))",
	"SELECT len(list_reduce(list_transform(range(2000), lambda x: range(x * 1000)), lambda a, b: list_concat(a, b)))",
	"SELECT length(replace(repeat('x', 200000000), 'x', 'yyyyyyyyyy'))",
	"SELECT quantile_cont(range, 0.5) FROM range(2000000000)",
}

// mostResident is the most memory that a process may have with --memory 256MiB: its limit on data, which is half as much
// again as that and the reserve for the program and two threads, and the program's own files. On a machine that is not
// busy, the watch ends it earlier.
const mostResident = ((256+128+2*8)*3/2 + 100) << 20

// watchPeak watches the memory of a program that has started and of those that it starts. The function that it returns
// ends that, and returns the most that one of them had. What the system counts when a program ends has the memory of the
// process that started it, too.
func watchPeak(t *testing.T, pid int) (end func() int64) {
	most, stop, ended := int64(0), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for tick := time.NewTicker(5 * time.Millisecond); ; {
			select {
			case <-stop:
				tick.Stop()
				return
			case <-tick.C:
			}
			for _, pid := range append(descendants(t, pid), pid) {
				status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // it may have ended
				if _, rest, found := strings.Cut(string(status), "VmHWM:"); found {
					kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
					most = max(most, kib<<10)
				}
			}
		}
	}()
	return func() int64 { close(stop); <-ended; return most }
}

const needsMemory = "DuckDB needs more memory than its limit of 256.0 MiB, and the 144.0 MiB beside it for the program itself: raise --memory, "

// TestQueryMemory runs statements that take all memory, locked and by an agent: DuckDB ends within its bound, and the
// error names the flag. A statement over the events still answers.
func TestQueryMemory(t *testing.T) {
	testenv.Slow(t, "DuckDB fills its memory")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	folder := agentRoot(t)
	limits := []string{"--memory", "256MiB", "--workers", "2"}
	statements := exhausting[:testenv.Times(t, 1, 1, len(exhausting), len(exhausting))]
	for _, sql := range statements {
		cmd := exec.Command("etl2parquet", append([]string{"query", "set", sql, "--locked"}, limits...)...)
		cmd.Dir = folder
		out := new(strings.Builder)
		cmd.Stdout, cmd.Stderr = out, out
		begin := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		peak := watchPeak(t, cmd.Process.Pid)
		err := cmd.Wait()
		if err == nil || !strings.Contains(out.String(), needsMemory) {
			t.Errorf("%s: %v, %s", sql, err, out)
		}
		checkPeak(t, sql, begin, peak())
	}
	s := startMCP(t, append([]string{"--root", folder}, limits...)...)
	peak, begin := watchPeak(t, s.server.Process.Pid), time.Now()
	for _, sql := range statements {
		peak, begin := watchPeak(t, s.server.Process.Pid), time.Now()
		if text, failed := s.call(t, "query", arguments{"sql": sql, "input": "set"}); !failed || !strings.Contains(text, needsMemory) {
			t.Errorf("%s: %s", sql, text)
		}
		checkPeak(t, "mcp: "+sql, begin, peak())
	}
	if text, failed := s.call(t, "query", arguments{"sql": "SELECT event_name, timestamp, fields FROM events ORDER BY ALL", "input": "set"}); failed || !strings.Contains(text, " of 449 rows, cut") {
		t.Errorf("sorted events: %.200s", text)
	}
	checkPeak(t, "mcp: the agent's statements", begin, peak())
}

// checkPeak logs what a statement took since it began, and checks its memory.
func checkPeak(t *testing.T, sql string, begin time.Time, peak int64) {
	t.Helper()
	t.Logf("%4d MiB %6.2f s  %s", peak>>20, time.Since(begin).Seconds(), sql)
	if peak > mostResident {
		t.Errorf("%s: %d MiB", sql, peak>>20)
	}
}
