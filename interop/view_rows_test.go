package interop_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestViewRows checks the rows of each view over the traces in its folder, in Spark as in
// docs/cookbook.md and in the newest DuckDB. Package views uses DuckDB's program.
func TestViewRows(t *testing.T) {
	python := interop.NewEngines(t)
	interop.RequireJava(t)
	text, err := exec.Command(builtProgram(t), "describe", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	all := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	folders, statements := make(map[string]string), make(map[string][]string)
	only := regexp.MustCompile(*onlyProofs)
	cases := slices.DeleteFunc(viewstest.Read(t, viewsFolder), func(c *viewstest.Case) bool { return !only.MatchString(c.View) })
	for _, c := range cases {
		folder, name := t.TempDir(), c.View+"/"+c.Name
		if err := convertAll(filepath.Join(folder, "out"), c.WriteTraces(t, folder)); err != nil {
			t.Fatal(err)
		}
		tables := bytes.Join(tablesNeeded(t, all, c.View), []byte("\n"))
		testenv.WriteFile(t, filepath.Join(folder, "tables.ndjson"), tables)
		folders[name], statements[name] = folder, []string{c.Query}
	}
	var answers map[string]map[string][]cookbookRows
	python.Run(t, "cookbook.py", map[string]any{"setup": readCookbook(t).setup, "statements": statements, "folders": folders}, &answers)
	for _, c := range cases {
		rows, err := csv.NewReader(strings.NewReader(c.Rows)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, engine := range views.Engines() {
			name := c.View + "/" + c.Name
			t.Run(name+"/"+engine.String(), func(t *testing.T) {
				var got [][]string
				for _, row := range answers[name][engine.String()][0].Rows {
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

// tablesNeeded returns the entries of describe --json that a view needs: Spark takes seconds for all.
func tablesNeeded(t *testing.T, all [][]byte, view string) (tables [][]byte) {
	t.Helper()
	needed := views.Needed([]string{view})
	for _, entry := range all {
		var table struct{ Name string }
		if err := json.Unmarshal(entry, &table); err != nil {
			t.Fatal(err)
		}
		if needed[schema.ViewName(table.Name)] {
			tables = append(tables, entry)
		}
	}
	if len(tables) != len(needed) {
		t.Errorf("%s needs %d tables and views, of which describe has %d", view, len(needed), len(tables))
	}
	return tables
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
