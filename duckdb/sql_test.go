package main_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// logicTest is a statement of a file in the format sqllogictest, as far as the files of test/sql use
// it, with its expected rows or a part of its error.
type logicTest struct {
	kind, sql, want string
	sorted          bool
}

// parseLogicTests reads the records of a file, which empty lines separate.
func parseLogicTests(t *testing.T, text string) (list []logicTest) {
	t.Helper()
	for record := range strings.SplitSeq(text, "\n\n") {
		var lines []string
		for line := range strings.Lines(record) {
			if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
				lines = append(lines, line)
			}
		}
		if len(lines) == 0 || lines[0] == "require etl2parquet" {
			continue
		}
		head := strings.Fields(lines[0])
		sql, want, _ := strings.Cut(strings.Join(lines[1:], "\n"), "\n----\n")
		kind := head[0]
		if kind == "statement" {
			kind = head[1]
		}
		if !slices.Contains([]string{"ok", "error", "query"}, kind) {
			t.Fatalf("an unknown record: %s", lines[0])
		}
		list = append(list, logicTest{kind, sql, want, slices.Contains(head, "rowsort")})
	}
	return list
}

// TestSQL runs the files of test/sql, which DuckDB's community registry runs, too: in the root of the
// repository, each in a session of its own.
func TestSQL(t *testing.T) {
	files, err := filepath.Glob("test/sql/*.test")
	if err != nil || len(files) == 0 {
		t.Fatal("no tests: ", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text := testenv.ReadFile(t, path)
			tests := parseLogicTests(t, string(text))
			steps := []step{{Do: "folder", Path: ".."}}
			for _, test := range tests {
				steps = append(steps, step{SQL: test.sql})
			}
			for i, a := range session(t, versions[0], steps...)[1:] {
				tests[i].check(t, a)
			}
		})
	}
}

func (test *logicTest) check(t *testing.T, a answer) {
	t.Helper()
	switch test.kind {
	case "error":
		if !strings.Contains(a.Error, test.want) || a.Error == "" {
			t.Errorf("%s: rows %v, error %q, want %q", test.sql, a.Rows, a.Error, test.want)
		}
	case "ok":
		if a.Error != "" {
			t.Errorf("%s: %s", test.sql, a.Error)
		}
	case "query":
		var rows []string
		for _, row := range a.Rows {
			rows = append(rows, strings.Join(row, "\t"))
		}
		if test.sorted {
			slices.Sort(rows)
		}
		if diff := cmp.Diff(test.want, strings.Join(rows, "\n")); diff != "" {
			t.Errorf("%s: %s%s", test.sql, a.Error, diff)
		}
	}
}
