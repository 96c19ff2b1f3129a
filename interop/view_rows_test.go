package interop_test

import (
	"encoding/csv"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestViewRows checks the rows of each view over the traces in its folder, in Spark as in
// docs/cookbook.md and in the newest DuckDB. Package views uses DuckDB's program.
func TestViewRows(t *testing.T) {
	python := interop.NewEngines(t)
	interop.RequireJava(t)
	folders, statements, names := make(map[string]string), make(map[string][]string), make(map[string][]string)
	only := regexp.MustCompile(*onlyProofs)
	cases := slices.DeleteFunc(viewstest.Read(t, viewsFolder), func(c *viewstest.Case) bool { return !only.MatchString(c.View) })
	for _, c := range cases {
		folder, name := t.TempDir(), c.View+"/"+c.Name
		if err := convertAll(filepath.Join(folder, "out"), c.WriteTraces(t, folder)); err != nil {
			t.Fatal(err)
		}
		folders[name], statements[name], names[name] = folder, []string{c.Query}, []string{c.View}
	}
	var answers map[string]map[string][]cookbookRows
	python.Run(t, "cookbook.py", map[string]any{"statements": statements, "folders": folders, "names": names, "program": builtProgram(t)}, &answers)
	for _, c := range cases {
		rows, err := csv.NewReader(strings.NewReader(c.Rows)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, engine := range []string{"duckdb", "spark"} {
			name := c.View + "/" + c.Name
			t.Run(name+"/"+engine, func(t *testing.T) {
				if engine == "spark" && c.View == withoutSpark {
					t.Skip("Spark has it without payloads")
				}
				var got [][]string
				for _, row := range answers[name][engine][0].Rows {
					var texts []string
					for _, value := range row {
						texts = append(texts, csvValue(value))
					}
					got = append(got, texts)
				}
				for _, row := range rows[1:] { // 0.0 is 0 in JSON
					for i := range row {
						if number, err := strconv.ParseFloat(row[i], 64); err == nil {
							row[i] = csvValue(number)
						}
					}
				}
				if diff := cmp.Diff(rows[1:], got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

// TestSparkViews compares Spark's SQL of the views, which the Python package has, with what is made of DuckDB's.
func TestSparkViews(t *testing.T) {
	python := interop.NewEngines(t)
	statements := make(map[string]string)
	for _, v := range views.BuiltIn().All() {
		statements[v.Name], _ = views.BuiltIn().Statement(v)
	}
	var got string
	python.Run(t, "spark_views.py", statements, &got)
	const path = "../python/etl2parquet/_spark_views.sql"
	indextest.CompareGolden(t, path, "", string(testenv.ReadFile(t, path)), got)
}

// csvValue returns a value of JSON as DuckDB's program prints it in CSV.
func csvValue(value any) string {
	switch value := value.(type) {
	case nil:
		return "NULL"
	case bool:
		return strconv.FormatBool(value)
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case string:
		return value
	case []any:
		var list []string
		for _, element := range value {
			if text := csvValue(element); text != "" {
				list = append(list, text)
			} else {
				list = append(list, "''")
			}
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return ""
}
