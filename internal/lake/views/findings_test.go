package views_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestFindings runs the statement of each finding as it is. Its first row must have the number of the
// finding in its first column. The trace quiet has none.
func TestFindings(t *testing.T) {
	t.Run("synthetic", func(t *testing.T) {
		folder := t.TempDir()
		var traces []string
		for _, c := range viewstest.Read(t, ".") {
			if c.View == "what_stands_out" {
				traces = append(traces, c.WriteTraces(t, folder)...)
			}
		}
		checkFindings(t, traces)
	})
	t.Run("real", func(t *testing.T) {
		testenv.All(t, "all real traces")
		checkFindings(t, testenv.SharedTraces(t))
	})
}

// checkFindings runs the statements of all findings in the traces.
func checkFindings(t *testing.T, traces []string) {
	t.Helper()
	d := convertAll(t, filepath.Join(t.TempDir(), "out"), traces...)
	answers := ask(t, d, "SELECT trace, finding, value, sql FROM what_stands_out ORDER BY trace, rank")
	var queries []string
	findings := csvRows(t, answers[0])[1:]
	for _, f := range findings {
		queries = append(queries, f[3])
		if f[0] == "quiet" {
			t.Errorf("a trace without anything of note: %s", f[1])
		}
	}
	if len(findings) == 0 {
		t.Fatal("no findings")
	}
	for i, answer := range ask(t, d, queries...) {
		f, rows := findings[i], csvRows(t, answer)
		if len(rows) < 2 || rows[1][0] != f[2] {
			t.Errorf("%s: %s: value %s, but\n%s\nhas %v", f[0], f[1], f[2], f[3], firstRows(rows))
		}
	}
}

func firstRows(rows [][]string) [][]string { return rows[:min(3, len(rows))] }

// TestTablesOfFindings checks that the statements of findings read only tables that the view itself
// reads, so that no second conversion of a trace has to make others.
func TestTablesOfFindings(t *testing.T) {
	text, err := os.ReadFile("what_stands_out/view.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, sql, _ := strings.Cut(string(text), "WITH spans")
	made := views.Needed([]string{"what_stands_out"})
	reads := 0
	for _, m := range regexp.MustCompile(`FROM ([a-z_]+) WHERE trace = \{trace\}`).FindAllStringSubmatch(sql, -1) {
		reads++
		for name := range views.Needed([]string{m[1]}) {
			if !made[name] {
				t.Errorf("a statement over %s needs %s", m[1], name)
			}
		}
	}
	if want := strings.Count(sql, "{trace}") - 1; reads != want { // the last one is where they are filled in
		t.Errorf("%d statements have a form that this test knows, of %d", reads, want)
	}
}
