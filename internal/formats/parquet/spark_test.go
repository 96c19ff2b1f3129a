package parquet

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestSpark checks that Spark reads every type, and random rows. It is one test because Spark takes
// long to start.
func TestSpark(t *testing.T) {
	testenv.All(t, "Spark")
	interop.RequireJava(t)
	python := interop.NewPython(t)
	folder := t.TempDir()
	cases, questions := caseFiles(t, folder, 8)
	var files []*patternFile
	for i, compression := range Compressions {
		f := newPatternFile(t, folder, 200+uint64(i), 2_000, compression, 4)
		f.Probes = []probe{} // each would be a Spark job
		files = append(files, f)
	}
	large := newPatternFile(t, folder, 210, 40_000, "snappy", 200)
	var some []probe
	for i := 0; i < len(large.Probes); i += 3 {
		some = append(some, large.Probes[i])
	}
	large.Probes = some
	files = append(files, large)

	var answer struct {
		Values  []valuesAnswer  `json:"values"`
		Columns []columnsAnswer `json:"columns"`
	}
	python.Run(t, "spark.py", map[string]any{
		"values": questions, "columns": files,
	}, &answer)
	for i, r := range cases {
		t.Run(r.Table.Name, func(t *testing.T) { answer.Values[i].compare(t, "spark", r) })
	}
	for i, f := range files {
		t.Run(f.name, func(t *testing.T) { f.compare(t, "spark", answer.Columns[i]) })
	}
}
