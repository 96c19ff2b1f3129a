package views_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestDamagedTimes damages the time of an event in the traces of the views, and in real ones: all
// views, macros and findings of a dataset of them have an answer, and an event without a time is a
// problem.
func TestDamagedTimes(t *testing.T) {
	folder := t.TempDir()
	var originals []string
	for i, c := range viewstest.Read(t, ".") {
		dir := filepath.Join(folder, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		originals = append(originals, c.WriteTraces(t, dir)...)
	}
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
		"SELECT count(*) FROM events WHERE (timestamp IS NULL) <> (time_ns IS NULL) OR (seconds IS NULL) <> (time_ns IS NULL)",
		"SELECT count(*) > 0 FROM events WHERE time_ns IS NULL",
		"SELECT bit_xor(hash(r)) FROM search('a') AS r",
	}
	known := len(queries)
	for _, v := range views.All() {
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
