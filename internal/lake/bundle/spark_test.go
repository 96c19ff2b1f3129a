package bundle

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// realTraces returns the traces that tests convert: those in ../shared, or a sample if that is
// missing.
func realTraces(t testing.TB) []string {
	t.Helper()
	return testenv.SharedOr(t, "traces/*.etl", "../../../testdata/sample.etl")
}

// TestSparkDataset lets Spark read the dataset of real traces.
func TestSparkDataset(t *testing.T) {
	t.Parallel()
	testenv.All(t, "Spark")
	interop.RequireJava(t)
	python := interop.NewPython(t)
	dataset, rows := convertTraces(t, t.TempDir())
	var answer struct {
		Tables map[string]struct {
			Columns [][2]string      `json:"columns"`
			Rows    map[string]int64 `json:"rows"`
		} `json:"tables"`
	}
	python.Run(t, "spark.py", map[string]any{
		"dataset": map[string]any{"root": dataset, "tables": slices.Sorted(maps.Keys(rows))},
	}, &answer)
	total := int64(0)
	for name, want := range rows {
		got := answer.Tables[name]
		if !maps.Equal(got.Rows, want) {
			t.Errorf("table %s: rows by trace %v, want %v", name, got.Rows, want)
		}
		for _, n := range got.Rows {
			total += n
		}
		common := schema.CommonColumns() // and the columns of the trace's own events
		list := (&schema.Table{Columns: common[:len(common)-1]}).Stored().Columns
		table, own := schema.LookupTable(name)
		if own {
			list = table.Stored().Columns
		}
		columns := [][2]string{{"trace", "string"}}
		for i := range list {
			columns = append(columns, [2]string{list[i].Name, parquettest.EngineType("spark", &list[i])})
		}
		if !own {
			columns = append(columns, got.Columns[min(len(columns), len(got.Columns)):]...)
		}
		if !reflect.DeepEqual(got.Columns, columns) {
			t.Errorf("table %s: columns %v, want %v", name, got.Columns, columns)
		}
	}
	t.Logf("SCORE spark: %d tables, %d rows", len(answer.Tables), total)
}

// convertTraces makes a dataset and returns the rows by table and trace.
func convertTraces(t testing.TB, root string) (path string, rows map[string]map[string]int64) {
	t.Helper()
	d := openDataset(t, root)
	inputs := realTraces(t)
	names := partname.OfTraces(inputs)
	rows = make(map[string]map[string]int64)
	for i, input := range inputs {
		report, err := convertFile(context.Background(), d, input, names[i], Options{Options: pipeline.Options{Workers: 2, Memory: pipeline.DefaultMemory}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Files {
			if rows[f.Table] == nil {
				rows[f.Table] = make(map[string]int64)
			}
			rows[f.Table][report.Trace] = f.Rows
		}
	}
	return root, rows
}
