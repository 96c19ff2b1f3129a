package views_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// viewTraces writes the traces of the views' tests to a folder, and returns their paths.
func viewTraces(t *testing.T, folder string) (paths []string) {
	for i, c := range viewstest.Read(t, "../../../views") {
		dir := filepath.Join(folder, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, c.WriteTraces(t, dir)...)
	}
	return paths
}

// TestDamagedTimes damages the time of an event in the traces of the views, and in real ones: all
// views, macros and findings of a dataset of them have an answer, and an event without a time is a
// problem.
func TestDamagedTimes(t *testing.T) {
	folder := t.TempDir()
	originals := viewTraces(t, folder)
	if testenv.Running(t) > testenv.TierQuick {
		originals = append(originals, testenv.Shared(t, "traces/HTTP_Server.etl"))
	}
	if testenv.Running(t) >= testenv.TierAll {
		originals = append(originals, testenv.SharedFiles(t, "traces/*.etl")...)
		originals = append(originals, testenv.SharedFiles(t, "cases/*.etl")...)
	}
	random := testenv.Seeded(t.Name())
	var mutants []string
	for len(mutants) < testenv.Times(t, 12, 80, 300, 300) {
		trace := testenv.ReadFile(t, originals[random.IntN(len(originals))])
		if len(trace) > 4<<20 {
			continue
		}
		if mutant := decodetest.DamageTime(random, trace); mutant != nil {
			path := filepath.Join(folder, fmt.Sprintf("mutant%d.etl", len(mutants)))
			testenv.WriteFile(t, path, mutant)
			mutants = append(mutants, path)
		}
	}
	d := convertAll(t, filepath.Join(folder, "out"), mutants...)
	sql, err := views.Script(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	queries := []string{
		"SELECT max(seconds) < 1e10, count(*) > 0 FROM events",
		"SELECT count(*) FROM (SELECT trace, count(*) AS n FROM events WHERE time_ns IS NULL GROUP BY trace) AS e" +
			" FULL JOIN (SELECT trace, sum(count) AS n FROM problems WHERE code = 'time_damaged' GROUP BY trace) AS p USING (trace) WHERE e.n IS DISTINCT FROM p.n",
		"SELECT count(*) FROM events WHERE (timestamp IS NULL) <> (time_ns IS NULL) OR (seconds IS NULL) <> (time_ns IS NULL) OR (clock_ns IS NULL) <> (time_ns IS NULL)",
		"SELECT count(*) > 0 FROM events WHERE time_ns IS NULL",
		"SELECT bit_xor(hash(r)) FROM search('a') AS r",
	}
	known := len(queries)
	for _, v := range views.BuiltIn().All() {
		queries = append(queries, "SELECT bit_xor(hash(r)) FROM "+v.Name+" AS r") // reads all columns
	}
	want := []string{"true,true", "0", "0", "true"}
	for i, answer := range interop.Ask(t, sql, queries...) {
		lines := strings.Split(strings.TrimSpace(answer), "\n")
		if len(lines) != 2 || i < len(want) && lines[1] != want[i] {
			t.Errorf("%s\n%s", queries[i], answer)
		}
	}
	if len(queries) < known+30 {
		t.Errorf("%d queries", len(queries))
	}
}

// TestClockThatIsSet checks durations over a clock that is set: an activity over a step, and one after it.
func TestClockThatIsSet(t *testing.T) {
	const (
		begin = "event64 provider=75ebc33e-8670-4eb6-b535-3b9d6bb222fd id=3001 op=1 task=3000 pid=600 tid=%d t=+%s\n"
		end   = "event64 provider=75ebc33e-8670-4eb6-b535-3b9d6bb222fd id=3002 op=2 task=3000 pid=600 tid=%d t=+%s payload=u32:0\n"
		set   = "event64 provider=a68ca8b7-004f-d7b6-a698-07e2de0f1f5d id=1 ver=1 t=+%s payload=filetime:+%[1]s,filetime:+%s,u32:1\n"
	)
	folder := t.TempDir()
	write := func(name, clock, step string) string {
		text := "trace clock=" + clock + " mode=noperprocessor start=2024-05-01T12:00:00Z\nbuffer\n" + fmt.Sprintf(begin, 1, "7201s") + step +
			fmt.Sprintf(end, 1, "3s") + fmt.Sprintf(begin, 2, "4s") + fmt.Sprintf(end, 2, "6s")
		path := filepath.Join(folder, name+".etl")
		testenv.WriteFile(t, path, etltest.MustParse(t, text))
		return path
	}
	stated := fmt.Sprintf(set, "2s", "7202s")
	d := convertAll(t, filepath.Join(folder, "out"), write("counter", "qpc", stated), write("stated", "system", stated), write("unstated", "system", ""))
	sql, err := views.Script(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `trace,thread_id,seconds,end,duration
counter,1,7201.0,NULL,NULL
counter,2,4.0,6.0,2.0
stated,1,7201.0,7203.0,2.0
stated,2,7204.0,7206.0,2.0
unstated,1,7201.0,7201.0000001,NULL
unstated,2,7202.0000001,7204.0000001,2.0
`
	answer := interop.Ask(t, sql, "SELECT a.trace, thread_id, round(seconds, 7) AS seconds, round((a.end_ns - t.start_ns) / 1e9, 7) AS end, duration_ns / 1e9 AS duration"+
		" FROM activities AS a JOIN traces AS t USING (trace) WHERE state <> 'no start' ORDER BY 1, 2")[0]
	if diff := cmp.Diff(want, answer); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestPossibleDurations checks that no view has a duration of two events that is negative or longer than
// the trace.
func TestPossibleDurations(t *testing.T) {
	folder := t.TempDir()
	traces := viewTraces(t, folder)
	if testenv.Running(t) > testenv.TierQuick {
		traces = append(traces, testenv.SharedFiles(t, "cases/*.etl")...)
		traces = append(traces, testenv.SharedFiles(t, "cases/*/*.etl")...)
	}
	if testenv.Running(t) >= testenv.TierAll {
		traces = append(traces, testenv.SharedFiles(t, "traces/*.etl")...)
	}
	d := convertAll(t, filepath.Join(folder, "out"), traces...)
	sql, err := views.Script(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	var queries []string
	for _, v := range views.BuiltIn().All() {
		for _, c := range v.Columns {
			switch v.Name {
			case "dpc_isr", "page_faults", "registry", "boot", "http_requests", "services": // what a payload states may be longer
				continue
			}
			switch c.Name {
			case "duration_ns", "wait_ns", "away_ns", "ran_ns", "ready_ns", "blocked_ns", "pause_ns", "suspending_ns", "queued_ns", "run_ns", "jit_ns":
				queries = append(queries, fmt.Sprintf("SELECT v.trace, v.%[1]s FROM %[2]s AS v JOIN whole USING (trace) WHERE v.%[1]s NOT BETWEEN 0 AND whole.ns LIMIT 5", c.Name, v.Name))
			}
		}
	}
	sql += "CREATE TABLE whole AS SELECT trace, max(clock_ns) - min(clock_ns) AS ns FROM events GROUP BY trace;\n"
	for i, answer := range interop.Ask(t, sql, queries...) {
		if lines := strings.Split(strings.TrimSpace(answer), "\n"); len(lines) != 1 {
			t.Errorf("%s\n%s", queries[i], answer)
		}
	}
	if len(queries) < 15 {
		t.Errorf("%d queries", len(queries))
	}
}
