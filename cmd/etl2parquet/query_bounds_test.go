package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/doors/query"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestQueryBounds compares the results of random SQL with bounds of time and provider over a trace, of which
// only what lies within the bounds is converted and kept, with those over the whole dataset of the trace.
func TestQueryBounds(t *testing.T) {
	testenv.Slow(t, "a hundred questions about whole traces")
	t.Setenv(query.Variable, interop.NewDuckDB(t))
	output := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), args, nil, &stdout, &stderr); status != exitDone {
			t.Fatalf("%q: exit status %d, %s", args, status, &stderr)
		}
		return stdout.String()
	}
	const seed = 34
	random := rand.New(rand.NewPCG(seed, seed))
	for _, name := range []string{"HTTP_Server.etl", "net.4.5.2.x86.etl", "Process.etl"}[:testenv.Times(t, 0, 1, 3, 3)] {
		trace, dataset := testenv.Shared(t, "traces/"+name), filepath.Join(t.TempDir(), "dataset")
		output("convert", trace, "-o", dataset)
		read := func(sql string) (rows [][]string) {
			rows, err := csv.NewReader(strings.NewReader(output("query", dataset, sql, "--format", "csv"))).ReadAll()
			if err != nil || len(rows) < 2 {
				t.Fatalf("%s: %d rows, %v", sql, len(rows), err)
			}
			return rows[1:]
		}
		times := read("SELECT time_ns FROM events USING SAMPLE 100 ROWS (reservoir, 1)")
		providers := read("SELECT DISTINCT provider_name, provider_id FROM events WHERE provider_name IS NOT NULL ORDER BY ALL")
		anyTime := func() int64 {
			ns, err := strconv.ParseInt(times[random.IntN(len(times))][0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return ns + random.Int64N(3) - 1
		}
		text := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
		condition := func() string {
			a, b, p := anyTime(), anyTime(), providers[random.IntN(len(providers))]
			a, b = min(a, b), max(a, b)
			switch random.IntN(8) {
			case 0:
				return fmt.Sprintf("time_ns BETWEEN %d AND %d", a, b)
			case 1:
				return fmt.Sprintf("timestamp > make_timestamp_ns(%d)::TIMESTAMPTZ AND time_ns < %d", a, b)
			case 2:
				return fmt.Sprintf("timestamp >= TIMESTAMPTZ %s", text(read(fmt.Sprintf("SELECT timestamp AS t FROM events WHERE time_ns >= %d ORDER BY ALL LIMIT 1", min(a, anyTime())))[0][0]))
			case 3:
				return fmt.Sprintf("provider_name = %s AND %d <= time_ns", text(p[0]), a)
			case 4:
				return fmt.Sprintf("provider_name IN (%s, 'nosuch')", text(p[0]))
			case 5:
				return fmt.Sprintf("provider_id = %s AND time_ns <= %d", text(p[1]), b)
			case 6:
				return fmt.Sprintf("(time_ns < %d OR time_ns > %d)", a, b)
			}
			return fmt.Sprintf("time_ns = %d", a)
		}
		for i := range testenv.Times(t, 0, 6, 12, 100) {
			sql := []string{
				"SELECT count(*) AS n, sum(hash(e)) AS h FROM events AS e WHERE %s",
				"SELECT event_name, process_name, count(*) AS n, count(stack_id) AS s FROM events WHERE %s GROUP BY ALL ORDER BY ALL",
				"SELECT count(*) AS n, max(p.image_path) AS p FROM events AS e JOIN processes AS p USING (trace, process_id) WHERE %s",
				"SELECT (SELECT count(*) FROM events WHERE %s) AS a, (SELECT min(time_ns) FROM event_header WHERE %s) AS b",
				"SELECT count(*) AS n, sum(hash(s)) AS h FROM stack_events AS s WHERE time_ns > %d",
				"SELECT count(*) AS n FROM (SELECT *, row_number() OVER (ORDER BY event_ref) AS r FROM events) WHERE r %% 2 = 0 AND %s",
			}[i%6]
			switch strings.Count(sql, "%s") {
			case 2:
				sql = fmt.Sprintf(sql, condition(), condition())
			case 1:
				sql = fmt.Sprintf(sql, condition())
			default:
				sql = fmt.Sprintf(sql, anyTime())
			}
			want := output("query", dataset, sql, "--format", "csv")
			for _, keep := range [][]string{{"--no-cache"}, {"--cache", filepath.Join(filepath.Dir(dataset), "cache")}} {
				if got := output(append([]string{"query", trace, sql, "--format", "csv"}, keep...)...); got != want {
					t.Errorf("%s, %s\n%s\nfrom the trace:\n%.500s\nfrom the dataset:\n%.500s", name, keep[0], sql, got, want)
				}
			}
		}
	}
}
