package views_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// convertAll makes a dataset of traces.
func convertAll(t testing.TB, root string, inputs ...string) *dataset.Dataset {
	t.Helper()
	d, err := bundle.OpenDataset(root)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range partname.OfTraces(inputs) {
		convertFile(t, d, inputs[i], name)
	}
	return d.Dataset
}

func convertFile(t testing.TB, d *bundle.Dataset, path, name string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	in := pipeline.Input{Name: path, ModTime: info.ModTime(), Size: info.Size(), Trace: file}
	if _, err := d.Convert(t.Context(), in, name, bundle.Options{Options: pipeline.Options{Workers: 2, Memory: 48 << 20, Messages: catalog.MessagesAll}}); err != nil {
		t.Fatal(err)
	}
}

func TestMain(m *testing.M) { os.Exit(interop.Main(m)) }

var words = regexp.MustCompile(`\w+`)

// ask returns the answers of DuckDB's program to queries over the views of a dataset, as CSV. It defines the views that
// the queries need; in the tier all, all views.
func ask(t testing.TB, d *dataset.Dataset, queries ...string) []string {
	t.Helper()
	var needed map[string]bool
	if testenv.Running(t) < testenv.TierAll {
		names := slices.DeleteFunc(words.FindAllString(strings.Join(queries, " "), -1), func(name string) bool {
			return !views.BuiltIn().IsTable(name) && views.BuiltIn().LookupMacro(name) == nil
		})
		needed = views.BuiltIn().Needed(append(names, views.EventFields, views.EventStacks))
	}
	sql, err := views.Script(t.Context(), d, needed)
	if err != nil {
		t.Fatal(err)
	}
	return interop.Ask(t, sql, queries...)
}

// TestRows asks DuckDB for the rows of each view, over the traces in its folder.
func TestRows(t *testing.T) {
	for _, c := range slices.Concat(viewstest.Read(t, "../../../views"), viewstest.ReadMacros(t, "../../../views")) {
		t.Run(c.View+"/"+c.Name, func(t *testing.T) {
			folder := t.TempDir()
			d := convertAll(t, filepath.Join(folder, "out"), c.WriteTraces(t, folder)...)
			got := ask(t, d, c.Query)[0]
			switch {
			case got == c.Rows:
			case *testenv.Update:
				c.Update(t, got)
			default:
				t.Errorf("-want +got:\n%s", cmp.Diff(c.Rows, got))
			}
		})
	}
}

// TestColumns compares the documented columns of each view with those that DuckDB finds.
func TestColumns(t *testing.T) {
	names := []string{views.EventFields, views.EventStacks}
	for _, v := range views.BuiltIn().All() {
		names = append(names, v.Name)
	}
	for _, m := range views.BuiltIn().Macros() {
		names = append(names, m.Name)
	}
	sql, err := views.Script(t.Context(), convertAll(t, filepath.Join(t.TempDir(), "out")), views.BuiltIn().Needed(names))
	if err != nil {
		t.Fatal(err)
	}
	queries := []string{"SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal ORDER BY table_name, column_index"}
	for _, m := range views.BuiltIn().Macros() {
		queries = append(queries, "SELECT column_name, column_type FROM (DESCRIBE FROM "+m.Name+"('"+strings.Join(m.Parameters, "', '")+"'))")
	}
	answers := interop.Ask(t, sql, queries...)
	got := make(map[string][]string)
	for _, row := range csvRows(t, answers[0])[1:] {
		got[row[0]] = append(got[row[0]], row[1]+" "+row[2])
	}
	types := map[schema.Type]string{schema.Boolean: "BOOLEAN", schema.Int32: "INTEGER", schema.Int64: "BIGINT", schema.Uint64: "UBIGINT", schema.Double: "DOUBLE",
		schema.String: "VARCHAR", schema.Binary: "BLOB", schema.Timestamp: "TIMESTAMP WITH TIME ZONE"}
	for _, v := range views.BuiltIn().All() {
		want := []string{"trace VARCHAR"}
		for _, c := range v.Columns {
			name := c.Name + " " + types[c.Type]
			if c.List {
				name += "[]"
			}
			want = append(want, name)
		}
		if diff := cmp.Diff(want, got[v.Name]); diff != "" {
			t.Errorf("%s: -documented +in DuckDB:\n%s", v.Name, diff)
		}
	}
	for i, m := range views.BuiltIn().Macros() {
		want := "column_name,column_type\ntrace,VARCHAR\n"
		for _, c := range m.Columns {
			want += c.Name + "," + types[c.Type] + "\n"
		}
		if diff := cmp.Diff(want, answers[1+i]); diff != "" {
			t.Errorf("%s: -documented +in DuckDB:\n%s", m.Name, diff)
		}
	}
}

// TestEventsOfTwoNames checks that an event with different names in two traces has one view with
// all rows and, where a table has two events, that each view is cut to its event.
func TestEventsOfTwoNames(t *testing.T) {
	folder := t.TempDir()
	d := convertAll(t, filepath.Join(folder, "out"),
		viewstest.NamedTrace(t, folder, "a", "GC_Start", "GC_Stop", 3),
		viewstest.NamedTrace(t, folder, "b", "Collection", "GC_Start", 4),
		viewstest.NamedTrace(t, folder, "c", "Collection", "GC_Start", 5))
	all, err := views.Script(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	needed, err := views.Script(t.Context(), d, map[string]bool{"p_collection": true, "p_1": true, "p_gc_start": true})
	if err != nil {
		t.Fatal(err)
	}
	const rows = "SELECT trace, event_name, a, count(*) AS n FROM %s GROUP BY ALL ORDER BY ALL"
	want := []string{
		"trace,event_name,a,n\na,GC_Start,1,3\nb,Collection,1,4\nc,Collection,1,5\n",
		"trace,event_name,a,n\na,GC_Start,1,3\nb,Collection,1,4\nc,Collection,1,5\n",
		"trace,event_name,a,n\na,GC_Stop,2,1\nb,GC_Start,2,1\nc,GC_Start,2,1\n",
		"p_1 p_collection p_gc_start\n",
	}
	for sql, names := range map[string]string{needed: want[3], all: "p_1 p_2 p_65534 p_collection p_gc_start p_gc_stop p_manifestdata\n"} {
		want[3] = "names\n" + names
		got := interop.Ask(t, sql, fmt.Sprintf(rows, "p_collection"), fmt.Sprintf(rows, "p_1"), fmt.Sprintf(rows, "p_gc_start"),
			`SELECT string_agg(view_name, ' ' ORDER BY view_name) AS names FROM duckdb_views() WHERE view_name LIKE 'p\_%' ESCAPE '\'`)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// TestTablesOfTheCatalogue checks that a view can read the table of an event of Windows' catalogue
// in a dataset without the event, and with a form of it that has few of the columns.
func TestTablesOfTheCatalogue(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.etl")
	trace := etltest.MustParse(t, `trace buffersize=16384
stream
event64 provider=e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 id=1 op=1 ver=0 payload=u32:7|1
`)
	testenv.WriteFile(t, path, trace)
	const table, columns = "microsoft_windows_dotnetruntime_gc_start", "trace, count, depth, client_sequence_number"
	collections := map[string]string{"collections": "SELECT " + columns + " FROM " + table + " WHERE time_ns > 0", "busiest": "SELECT max(count) AS n FROM collections"}
	without := convertAll(t, filepath.Join(folder, "without"))
	with := convertAll(t, filepath.Join(folder, "with"), path)
	for _, test := range []struct {
		name  string
		d     *dataset.Dataset
		views map[string]string
		names []string
		query string
		want  string
	}{
		{"without the event", without, collections, nil, "FROM collections", columns + "\n"},
		{"without the event, what a view needs", without, collections, []string{"collections"}, "FROM collections", columns + "\n"},
		{"a view of a view", without, collections, []string{"busiest"}, "FROM busiest", "n\nNULL\n"},
		{"a view that does not read it", without, map[string]string{"a": "SELECT * FROM traces"}, nil, "SELECT view_name FROM duckdb_views() WHERE view_name IN ('a', '" + table + "')", "view_name\na\n"},
		{"an old form", with, collections, nil, "FROM collections", columns + "\na,7,NULL,NULL\n"},
		{"an old form, what a view needs", with, collections, []string{"collections"}, "FROM collections", columns + "\na,7,NULL,NULL\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			sql, err := views.ScriptOf(t.Context(), test.d, test.views, test.names...)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(test.want, ", ", ",")
			if got := interop.Ask(t, sql, test.query)[0]; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
