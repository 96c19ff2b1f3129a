package answers_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestHostileSources checks that no source of a user has more than expressions, in any of its parts.
func TestHostileSources(t *testing.T) {
	t.Setenv(answers.Variable, interop.FindDuckDB(t))
	parts := map[string]string{
		"column": "name = 'x'\n[from]\nevents = ['event_header']\n[columns]\nimage_path = %\n",
		"where":  "name = 'x'\n[from]\nevents = ['event_header']\nwhere = %\n[columns]\n",
		"key":    "name = 'x'\n[start]\nevents = ['event_header']\nkey = [%]\n[stop]\nevents = ['event_header']\n[columns]\n",
	}
	for part, source := range parts {
		for i, e := range append([]string{"lower(process_name)"}, viewstest.HostileExpressions...) {
			if part == "where" && e == "" { // no condition
				continue
			}
			folder := t.TempDir()
			testenv.WriteFile(t, filepath.Join(folder, "process_starts", "own.toml"), []byte(strings.ReplaceAll(source, "%", strconv.Quote(e))))
			err := parseWith(t, folder)
			if isRight := i == 0; (err == nil) != isRight {
				t.Errorf("%s %q: %v", part, e, err)
			}
			if i > 0 && (err == nil || !strings.Contains(err.Error(), "process_starts/own.toml")) {
				t.Errorf("%s %q: the error does not name the source: %v", part, e, err)
			}
		}
	}
}

// parseWith parses a statement with the views of a folder.
func parseWith(t *testing.T, folder string) error {
	t.Helper()
	set, err := views.BuiltIn().With(folder)
	if err != nil {
		return err
	}
	duckdb, err := answers.Find(set)
	if err != nil {
		t.Fatal(err)
	}
	defer duckdb.Close()
	_, err = duckdb.Statements(t.Context(), "SELECT 1")
	return err
}
