package views_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestFindings runs the statement of each finding as it is. Its first row must have the number of the
// finding in its first column. The trace quiet has none.
func TestFindings(t *testing.T) {
	t.Run("synthetic", func(t *testing.T) {
		folder := t.TempDir()
		var traces []string
		for i, c := range viewstest.Read(t, "../../../views") {
			if !slices.Contains([]string{"what_stands_out", "activities", "context_switches", "disk_io", "lost_time", "packets"}, c.View) {
				continue // together they have findings of each kind
			}
			dir := filepath.Join(folder, fmt.Sprint(i))
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			traces = append(traces, c.WriteTraces(t, dir)...)
		}
		const kinds = 18
		if n := checkFindings(t, traces); n != kinds {
			t.Errorf("%d kinds of findings, want %d", n, kinds)
		}
	})
	t.Run("real", func(t *testing.T) {
		testenv.All(t, "all real traces")
		checkFindings(t, testenv.SharedTraces(t))
	})
}

// checkFindings runs the statements of all findings in the traces, and returns the number of their kinds. They may
// only read tables that the view itself reads, so that no second conversion of a trace has to make others.
func checkFindings(t *testing.T, traces []string) int {
	t.Helper()
	d := convertAll(t, filepath.Join(t.TempDir(), "out"), traces...)
	sql, err := views.Script(t.Context(), d, views.BuiltIn().Needed([]string{"what_stands_out"}))
	if err != nil {
		t.Fatal(err)
	}
	findings := csvRows(t, interop.Ask(t, sql, "SELECT trace, kind, value, sql FROM what_stands_out ORDER BY trace, rank")[0])[1:]
	var queries []string
	kinds := make(map[string]bool)
	for _, f := range findings {
		queries, kinds[f[1]] = append(queries, f[3]), true
		if f[0] == "quiet" {
			t.Errorf("a trace without anything of note: %s", f[1])
		}
	}
	for i, answer := range interop.Ask(t, sql, queries...) {
		f, rows := findings[i], csvRows(t, answer)
		if len(rows) < 2 || rows[1][0] != f[2] {
			t.Errorf("%s: %s: value %s, but\n%s\nhas %v", f[0], f[1], f[2], f[3], rows[:min(3, len(rows))])
		}
	}
	return len(kinds)
}
