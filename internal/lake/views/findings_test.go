package views_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestFindings runs the statement of each finding as it is. Its first row must have the number of the
// finding in its first column.
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
		checkFindings(t, testenv.SharedTraces(t))
	})
}

// checkFindings runs the statements of all findings in the traces, by one start of DuckDB.
func checkFindings(t *testing.T, traces []string) {
	t.Helper()
	program, root := interop.FindDuckDB(t), filepath.Join(t.TempDir(), "out")
	convertAll(t, root, traces...)
	text, err := os.ReadFile(filepath.Join(root, dataset.ViewsFile))
	if err != nil {
		t.Fatal(err)
	}
	findings, err := csv.NewReader(strings.NewReader(run(t, program, string(text), "SELECT trace, finding, value, sql FROM what_stands_out ORDER BY trace, rank"))).ReadAll()
	if err != nil || len(findings) < 2 {
		t.Fatalf("%d findings, %v", len(findings)-1, err)
	}
	const mark = "\nend of finding\nend of finding\n"
	var statements strings.Builder
	for _, f := range findings[1:] {
		statements.WriteString(f[3] + ";\nSELECT 'end of finding' AS \"end of finding\";\n")
	}
	answers := strings.Split(run(t, program, string(text)+statements.String(), "SELECT 1 AS n"), mark)
	if len(answers) != len(findings) {
		t.Fatalf("%d answers to %d statements", len(answers)-1, len(findings)-1)
	}
	for i, f := range findings[1:] {
		rows, err := csv.NewReader(strings.NewReader(answers[i])).ReadAll()
		if err != nil || len(rows) < 2 || rows[1][0] != f[2] {
			t.Errorf("%s: %s: value %s, but\n%s\nhas %v, %v", f[0], f[1], f[2], f[3], firstRows(rows), err)
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

// TestNoFindings checks that a trace without anything of note has no finding.
func TestNoFindings(t *testing.T) {
	got := ""
	for _, c := range viewstest.Read(t, ".") {
		if c.View == "what_stands_out" {
			folder := t.TempDir()
			root := filepath.Join(folder, "out")
			convertAll(t, root, c.WriteTraces(t, folder)...)
			got += ask(t, interop.FindDuckDB(t), root, "SELECT (SELECT count(*) FROM traces WHERE trace = 'quiet') AS traces, count(*) AS findings FROM what_stands_out WHERE trace = 'quiet'")
		}
	}
	if want := fmt.Sprintln("traces,findings\n1,0"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
