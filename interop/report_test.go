package interop_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// reportData is the part of a page's data that is compared with SQL.
type reportData struct {
	Lanes []struct {
		ID, SQL string
		Series  []struct {
			Name          string
			Total, Events int64
		}
	}
	Flame *struct {
		SQL                           string
		Unit                          string
		Names, Modules                []string
		Labels, Parents, Nodes, Cells []int64
	}
	Kinds []struct {
		Provider, Name string
		Events         int64
	}
	Tables []struct {
		Name, SQL string
		Total     int64
		Rows      [][]any
	}
}

// figure is a name with its number of events and its value, as a page and as SQL have them.
type figure struct {
	Name          string
	Events, Value int64
}

// figureColumns are the columns of the statement of a lane: of the name, the events and the value. After =
// is the name itself.
var figureColumns = map[string][3]string{
	"processor": {"process", "samples", "samples"},
	"gc":        {"generation", "collections", "pause_ns"},
	"disk":      {"operation", "transfers", "disk_ns"},
	"faults":    {"=waiting for a page", "faults", "wait_ns"},
	"jit":       {"=compiling", "methods", "jit_ns"},
	"network":   {"direction", "events", "bytes"},
	"requests":  {"=HTTP requests", "requests", "requests"},
	"packets":   {"=packets", "packets", "packets"},
	"errors":    {"level", "events", "events"},
	"providers": {"provider", "events", "events"},
}

// reportTraces are the real traces whose pages are tested.
var reportTraces = []string{"net.4.5.2.x86", "HTTP_Server", "KernelNetwork", "PktMon", "WindowsUpdate.20251008.140245.443.8", "gcevents"}

// writeReport writes the page of a trace, and returns its path.
func writeReport(t *testing.T, program, trace string, args ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "page.html")
	if out, err := exec.Command(program, append([]string{"report", trace, "-o", path}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("report %s: %v\n%s", trace, err, out)
	}
	return path
}

var dataOfPage = regexp.MustCompile(`id="data">"([A-Za-z0-9+/=]*)"</script>`)

// readReport returns the data of a page.
func readReport(t *testing.T, page []byte) *reportData {
	t.Helper()
	found := dataOfPage.FindSubmatch(page)
	if found == nil {
		t.Fatal("the page has no data")
	}
	z, err := zlib.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(found[1])))
	if err != nil {
		t.Fatal(err)
	}
	d := new(reportData)
	if err := json.NewDecoder(z).Decode(d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestReportFigures compares the figures of pages with the results of the statements beside them, in
// DuckDB.
func TestReportFigures(t *testing.T) {
	t.Setenv("ETL2PARQUET_DUCKDB", interop.NewDuckDB(t))
	folder := testenv.Shared(t, "traces")
	program := builtProgram(t)
	for _, name := range reportTraces[:testenv.Times(t, 0, 3, len(reportTraces), len(reportTraces))] {
		t.Run(name, func(t *testing.T) {
			trace := filepath.Join(folder, name+".etl")
			d := readReport(t, testenv.ReadFile(t, writeReport(t, program, trace)))
			var statements []string
			for _, l := range d.Lanes {
				statements = append(statements, tagged(l.ID, l.SQL))
			}
			if d.Flame != nil && d.Flame.Unit == "samples" {
				statements = append(statements, tagged("functions", d.Flame.SQL))
			}
			for _, table := range d.Tables {
				statements = append(statements, tagged("table "+table.Name, table.SQL))
			}
			rows := runTagged(t, program, trace, statements)
			for _, l := range d.Lanes {
				var got []figure
				for _, s := range l.Series {
					got = append(got, figure{s.Name, s.Events, s.Total})
				}
				if diff := cmp.Diff(sqlFigures(l.ID, rows[l.ID], got), sorted(got)); diff != "" {
					t.Errorf("lane %s differs from %s\n(-SQL +page):\n%s", l.ID, l.SQL, diff)
				}
			}
			if d.Flame != nil && d.Flame.Unit == "samples" {
				if diff := cmp.Diff(sqlFunctions(rows["functions"]), ownSamples(d)); diff != "" {
					t.Errorf("the functions differ (-SQL +page):\n%s", diff)
				}
			}
			for _, table := range d.Tables {
				if got, want := len(table.Rows), min(len(rows["table "+table.Name]), 300); got != want || int64(got) > table.Total {
					t.Errorf("table %s has %d rows of %d, want %d", table.Name, got, table.Total, want)
				}
			}
			t.Logf("%d lanes, %d functions, %d tables are equal", len(d.Lanes), len(rows["functions"]), len(d.Tables))
		})
	}
}

// tagged returns a statement whose rows have a name.
func tagged(name, sql string) string {
	return fmt.Sprintf("SELECT '%s' AS tag, to_json(r) AS r FROM (%s) AS r", name, sql)
}

// runTagged runs tagged statements over a trace, and returns their rows by name.
func runTagged(t *testing.T, program, trace string, statements []string) map[string][]map[string]any {
	t.Helper()
	out, err := exec.Command(program, "query", trace, strings.Join(statements, ";\n"), "--format", "ndjson").Output()
	if err != nil {
		t.Fatalf("query: %v\n%s", err, err.(*exec.ExitError).Stderr)
	}
	rows := make(map[string][]map[string]any)
	for line := range bytes.Lines(out) {
		var row struct {
			Tag string
			R   map[string]any
		}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&row); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		rows[row.Tag] = append(rows[row.Tag], row.R)
	}
	return rows
}

func sorted(list []figure) []figure {
	sort.Slice(list, func(i, k int) bool { return list[i].Name < list[k].Name })
	return list
}

// integer returns a number of SQL; 0 for NULL.
func integer(v any) (n int64) {
	if number, ok := v.(json.Number); ok {
		n, _ = number.Int64()
	}
	return n
}

// sqlFigures returns the rows of a lane's statement as figures. Those that the lane has not by name are
// together in "others"; those without events and value are left out.
func sqlFigures(lane string, rows []map[string]any, of []figure) []figure {
	names := make(map[string]bool)
	for _, f := range of {
		names[f.Name] = true
	}
	columns := figureColumns[lane]
	sums := make(map[string]*figure)
	for _, row := range rows {
		name, isName := strings.CutPrefix(columns[0], "=")
		if !isName {
			name = fmt.Sprint(row[name])
		}
		switch lane {
		case "gc":
			name = "generation " + name
		case "errors":
			name = map[string]string{"1": "critical", "2": "error", "3": "warning"}[name]
		}
		if !names[name] && names["others"] {
			name = "others"
		}
		f := sums[name]
		if f == nil {
			f = &figure{Name: name}
			sums[name] = f
		}
		f.Events += integer(row[columns[1]])
		f.Value += integer(row[columns[2]])
	}
	var list []figure
	for _, f := range sums {
		if f.Events != 0 || f.Value != 0 {
			list = append(list, *f)
		}
	}
	return sorted(list)
}

func sqlFunctions(rows []map[string]any) map[string]int64 {
	own := make(map[string]int64)
	for _, row := range rows {
		function, _ := row["function"].(string)
		module, _ := row["module"].(string)
		own[function+" in "+module] += integer(row["samples"])
	}
	return own
}

// ownSamples returns the samples of the functions of a page's flame graph.
func ownSamples(d *reportData) map[string]int64 {
	f := d.Flame
	own := make(map[string]int64)
	node := int64(0)
	for i := 0; i < len(f.Cells); i += 3 {
		node += f.Cells[i]
		label := f.Nodes[node]
		own[f.Names[f.Labels[2*label]]+" in "+f.Modules[f.Labels[2*label+1]]] += f.Cells[i+2]
	}
	return own
}
