package interop_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// lakeTraces are traces with all types of columns, and with events of which traces have different
// columns. docs/lakehouses.md has the result for all traces.
var lakeTraces = []string{"traces/primitive-types.etl", "traces/smallEtlFile.etl", "traces/CldFlt0.etl", "traces/CldFlt1.etl"}

// TestLakehouses adds the files of a dataset with signed columns to Iceberg, Delta and DuckLake: each
// has the rows of a dataset with unsigned columns, by the bits of their values.
func TestLakehouses(t *testing.T) {
	inputs := []string{"../testdata/sample.etl"}
	for _, trace := range lakeTraces {
		inputs = append(inputs, testenv.Shared(t, trace))
	}
	python := interop.NewPythonWith(t, "interop/lakehouses.txt")
	folder := t.TempDir()
	convert := func(name, unsigned string) string {
		root := filepath.Join(folder, name)
		d, err := bundle.OpenDataset(root)
		if err != nil {
			t.Fatal(err)
		}
		names := partname.OfTraces(inputs)
		for i, input := range inputs {
			if _, err := convertFile(d, input, names[i], bundle.Options{Options: pipeline.Options{Workers: 2, Memory: pipeline.DefaultMemory}, Unsigned: unsigned}); err != nil {
				t.Fatal(err)
			}
		}
		if err := views.Write(context.Background(), d.Dataset); err != nil {
			t.Fatal(err)
		}
		return root
	}
	question := map[string]string{"default": convert("default", ""), "signed": convert("signed", parquet.UnsignedInt64), "scratch": t.TempDir()}
	type result struct {
		Equal     int      `json:"equal"`
		Different []string `json:"different"`
	}
	var answer struct {
		Tables   int    `json:"tables"`
		Unsigned int    `json:"unsigned"`
		Rows     int    `json:"rows"`
		Iceberg  result `json:"iceberg"`
		Delta    result `json:"delta"`
		DuckLake result `json:"ducklake"`
	}
	python.Run(t, "lakehouses.py", question, &answer)
	for name, r := range map[string]result{"Iceberg": answer.Iceberg, "Delta": answer.Delta, "DuckLake": answer.DuckLake} {
		if r.Equal != answer.Tables || len(r.Different) > 0 {
			t.Errorf("%s: %d of %d tables are equal; different: %q", name, r.Equal, answer.Tables, r.Different)
		}
	}
	if answer.Unsigned < 20 {
		t.Errorf("%d tables have unsigned columns", answer.Unsigned)
	}
	t.Logf("SCORE %d tables, %d with unsigned columns, %d rows; each by Iceberg, Delta, DuckLake", answer.Tables, answer.Unsigned, answer.Rows)

	// The views have the same rows, too.
	t.Run("views", func(t *testing.T) { compareSignedViews(t, question["default"], question["signed"]) })
}

// compareSignedViews compares the rows of all views of two datasets by the bits of their numbers.
func compareSignedViews(t *testing.T, unsigned, signed string) {
	var answer struct {
		Views     int      `json:"views"`
		Rows      int      `json:"rows"`
		Different []string `json:"different"`
	}
	interop.NewPython(t).Run(t, "signed_views.py", map[string]string{"default": unsigned, "signed": signed}, &answer)
	if answer.Views < 60 || answer.Rows < 1000 || len(answer.Different) > 0 {
		t.Errorf("%d views with %d rows; different: %q", answer.Views, answer.Rows, answer.Different)
	}
	t.Logf("SCORE %d views, %d rows", answer.Views, answer.Rows)
}
