package interop_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestEngines checks that engines that know only the paths of a table's files count the
// same rows of each trace: in the original folder, after a move, and in a copy.
func TestEngines(t *testing.T) {
	interop.RequireJava(t)
	python := interop.NewEngines(t)
	folder := t.TempDir()
	var inputs []string
	for _, name := range []string{"one", "two"} {
		data := testenv.ReadFile(t, "../testdata/sample.etl")
		input := filepath.Join(folder, name+".etl")
		testenv.WriteFile(t, input, data)
		inputs = append(inputs, input)
	}
	made, moved, copied := filepath.Join(folder, "made"), filepath.Join(folder, "moved"), filepath.Join(folder, "copied")
	if err := convertAll(made, inputs); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(copied, os.DirFS(made)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(made, moved); err != nil {
		t.Fatal(err)
	}
	tables := []string{"traces", "processes", "perfinfo_trace_header", "events/Thread/CSwitch"}
	want := map[string]int64{"traces": 1, "processes": 5, "perfinfo_trace_header": 323, "events/Thread/CSwitch": 120}
	type question struct {
		Root   string   `json:"root"`
		Tables []string `json:"tables"`
	}
	var answers []map[string]map[string]map[string]int64
	python.Run(t, "engines.py", []question{{moved, tables}, {copied, tables}}, &answers)
	for i, root := range []string{moved, copied} {
		if len(answers[i]) != 4 {
			t.Errorf("%d engines, want 4", len(answers[i]))
		}
		for engine, got := range answers[i] {
			for table, rows := range want {
				if !maps.Equal(got[table], map[string]int64{"one": rows, "two": rows}) {
					t.Errorf("%s reads %v of the table %s in %s, want %d rows of each trace", engine, got[table], table, root, rows)
				}
			}
		}
	}
}
