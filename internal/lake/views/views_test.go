package views

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// folder has the folders of the views.
const folder = "../../../views"

func TestDuckType(t *testing.T) {
	b := schema.Column{Name: "b", Type: schema.Struct, Nullable: true, Fields: []schema.Column{{Name: "c", Type: schema.Timestamp, List: true}}}
	c := schema.Column{Name: "s", Type: schema.Struct, List: true, Nullable: true, Fields: []schema.Column{{Name: "a", Type: schema.Float}, b}}
	if got, want := duckType(&c), "STRUCT(a FLOAT, b STRUCT(c TIMESTAMPTZ[]))[]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFolders checks that each view is documented and is one SELECT, so that programs can find it
// in views.sql, and that it reads only existing tables and views.
func TestFolders(t *testing.T) {
	taken := make(map[string]bool)
	for _, table := range schema.Tables() {
		taken[table.ViewName()] = true
	}
	for _, v := range BuiltIn().All() {
		if taken[v.Name] {
			t.Errorf("%s: another view has this name", v.Name)
		}
		if !strings.HasPrefix(v.Doc, "One row per ") && !strings.Contains(v.Doc, ", one row per ") && v.Name != schema.EventsName || !strings.HasSuffix(v.Doc, ".") {
			t.Errorf("%s: bad documentation %q", v.Name, v.Doc)
		}
		for _, part := range []string{"# " + v.Name + "\n", "\n## Rule\n", "\nSource: ", "\n## Proven on\n"} {
			if strings.Count(v.Page, part) != 1 {
				t.Errorf("%s: the page needs %q once", v.Name, part)
			}
		}
		if _, proven, _ := strings.Cut(v.Page, "\n## Proven on\n\n"); strings.HasPrefix(proven, "Synthetic traces only") == viewstest.ProvenOnRealTraces(t, folder, v.Name) {
			t.Errorf("%s: the page must say, by these first words, that only synthetic traces prove the view if %s has no real trace, and only then", v.Name, viewstest.ProofFile)
		}
		for _, s := range v.Sources {
			for _, fault := range BuiltIn().Faults(s) {
				t.Errorf("%s/%s: %s has no field %q; %s", v.Name, s.File, fault.Event, fault.Name, fault.Hint)
			}
			if s.Recorded == "" || !v.hasColumn(sourceColumn) {
				t.Errorf("%s/%s does not say what records it, or the view has no column source", v.Name, s.File)
			}
		}
		if sql := v.SQL(); !strings.HasPrefix(sql, "SELECT ") && !strings.HasPrefix(sql, "WITH ") || strings.Contains(sql, ";") || strings.HasSuffix(sql, "\n") {
			t.Errorf("%s: no SELECT alone: %q", v.Name, sql)
		}
		for i := range v.Columns {
			c := &v.Columns[i]
			if !strings.HasSuffix(c.Doc, ".") || c.Type == 0 || slices.ContainsFunc(v.Columns[:i], func(other schema.Column) bool { return other.Name == c.Name }) {
				t.Errorf("%s: column %q, %v: %q", v.Name, c.Name, c.Type, c.Doc)
			}
		}
		for _, name := range v.Rows {
			if !slices.Contains(v.Reads, name) {
				t.Errorf("%s does not read %s, which gives it rows", v.Name, name)
			}
		}
		for _, name := range v.Reads {
			if !taken[name] && BuiltIn().byName[name] == nil && BuiltIn().eventTable(name) == nil {
				t.Errorf("%s reads %s, which is no table of the kernel's or of the built-in catalogue, and no view", v.Name, name)
			}
		}
	}
	for _, m := range BuiltIn().Macros() {
		if taken[m.Name] || BuiltIn().Lookup(m.Name) != nil || BuiltIn().LookupMacro(strings.ToUpper(m.Name)) != m {
			t.Errorf("%s: another view has this name, or it is not found by it", m.Name)
		}
		if !strings.Contains(m.Doc, ": one row per ") || len(m.Parameters) == 0 || len(m.Columns) == 0 || len(m.Rows) == 0 {
			t.Errorf("%s: bad documentation %q", m.Name, m.Doc)
		}
	}
	for _, table := range schema.HeaderTables() {
		if !slices.Contains(BuiltIn().Lookup(schema.EventsName).Reads, table.Name) {
			t.Errorf("events lacks %s", table.Name)
		}
	}
}

// TestPages compares docs/views.md, which has the pages of all views, with the folders.
func TestPages(t *testing.T) {
	var got strings.Builder
	got.WriteString(`# Views

The views over the tables that ` + "`views.sql`, `query`, the [DuckDB extension](duckdb.md) and\n" + `[Spark](cookbook.md) have. ` + "`etl2parquet describe cpu_samples`" + ` explains the columns of one.
`)
	for _, v := range BuiltIn().All() {
		got.WriteString("\n" + strings.ReplaceAll(v.Page, "\n## ", "\n### "))
		if list := BuiltIn().SourcesOf(v.Name); len(list) > 0 {
			got.WriteString("\n### Sources\n\n| source | recorded by | events |\n|---|---|---|\n")
			for _, s := range list {
				fmt.Fprintf(&got, "| %s | %s | `%s` |\n", s.Name, s.Recorded, strings.Join(s.Events(), "`, `"))
			}
		}
	}
	for _, m := range BuiltIn().Macros() {
		got.WriteString("\n" + strings.ReplaceAll(m.Page, "\n## ", "\n### "))
	}
	compareFile(t, "../../../docs/views.md", strings.ReplaceAll(got.String(), "\n# ", "\n## "))
}

// TestSparkViews checks that Spark's SQL was made of the present views.
func TestSparkViews(t *testing.T) {
	sum := sha256.New()
	for _, v := range slices.SortedFunc(slices.Values(BuiltIn().All()), func(a, b *View) int { return strings.Compare(a.Name, b.Name) }) {
		sql, _ := BuiltIn().Statement(v)
		sum.Write([]byte(v.Name + "\n" + sql + "\n"))
	}
	line, _, _ := strings.Cut(string(testenv.ReadFile(t, "../../../python/etl2parquet/_spark_views.sql")), "\n")
	if want := hex.EncodeToString(sum.Sum(nil)); !strings.HasSuffix(line, want) {
		t.Errorf("%q, want %s: go test ./interop -run TestSparkViews -update, with ETL2PARQUET_TESTS=all", line, want)
	}
}

func compareFile(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	indextest.CompareGolden(t, path, "", string(want), got)
}

// TestHostileNames checks that names from folders and records stay names in SQL.
func TestHostileNames(t *testing.T) {
	for _, test := range []struct{ name, got, want string }{
		{"comment", sqlComment("events/a/b\n.shell id\r\u0085"), "events/a/b\ufffd.shell id\ufffd\ufffd"},
		{"name", sqlQuoted(`a" FROM x; --`), `"a"" FROM x; --"`},
		{"text", sqlText("a' OR '"), "'a'' OR '''"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

func TestNeeded(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  []string
	}{
		{[]string{"Thread_CSwitch"}, []string{"thread_cswitch"}},
		{[]string{"image_loads"}, []string{"image_load", "image_loads", "images"}},
		{[]string{"contoso_shop_checkout"}, []string{"contoso_shop_checkout"}},
		{[]string{"CPU_Samples", "traces"}, []string{"cpu_samples", "perfinfo_collectionstart", "perfinfo_sampleprof", "stack_events", "stacks", "traces"}},
		{[]string{"folded_stacks"}, []string{"folded_stacks", "stacks"}},
		{nil, nil},
	} {
		if diff := cmp.Diff(test.want, sortedKeys(BuiltIn().Needed(test.names))); diff != "" {
			t.Errorf("%v: -want +got:\n%s", test.names, diff)
		}
	}
	if needed := BuiltIn().Needed([]string{"Search"}); !needed["search"] || !needed["events"] || !needed["event_header"] || !needed[EventFields] || needed[EventStacks] {
		t.Errorf("search needs %v", needed)
	}
	if needed := BuiltIn().Needed([]string{"events"}); !needed["event_header"] || !needed["event_types"] || needed["buffers"] || needed["processes"] {
		t.Errorf("events needs %v", needed)
	}
}

func sortedKeys(m map[string]bool) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// viewsOf reads views that are given as SQL by name.
func viewsOf(sql map[string]string) (*Set, error) {
	files := make(fstest.MapFS)
	for name, text := range sql {
		files[name+"/view.sql"] = &fstest.MapFile{Data: []byte(text)}
		files[name+"/view.md"] = &fstest.MapFile{Data: []byte("# " + name + "\n\nA row per\nthing.\n\nMore.\n")}
	}
	return readSet(files, new(Set))
}

// TestViewsOfViews checks the order of views that read others, and the tables that SQL over them needs.
func TestViewsOfViews(t *testing.T) {
	s, err := viewsOf(map[string]string{
		"a":      "SELECT * FROM c JOIN b USING (trace)",
		"b":      "WITH own AS (SELECT * FROM stacks) SELECT * FROM own -- FROM none\n",
		"c":      "SELECT * FROM b JOIN images, (SELECT unnest(range(len(x))) AS n) AS own",
		"events": "SELECT * FROM d",
		"d":      "--   n INT64 nullable: A number.\nSELECT n FROM files",
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range s.list {
		names = append(names, v.Name+" <- "+strings.Join(v.Reads, " "))
		if v.Doc != "A row per thing." {
			t.Errorf("%s: %q", v.Name, v.Doc)
		}
	}
	if diff := cmp.Diff([]string{"d <- files", "events <- d", "b <- stacks", "c <- b images", "a <- b c"}, names); diff != "" {
		t.Errorf("order: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "images", "stacks"}, sortedKeys(s.Needed([]string{"A"}))); diff != "" {
		t.Errorf("needed: -want +got:\n%s", diff)
	}
	if columns := s.byName["d"].Columns; len(columns) != 1 || columns[0].Name != "n" || columns[0].Type != schema.Int64 || !columns[0].Nullable || s.byName["d"].sql != "SELECT n FROM files" {
		t.Errorf("d has %v, %q", columns, s.byName["d"].sql)
	}
}

func TestWrongMacros(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT 1": "m/macro.sql: it does not begin with its parameters",
		"-- parameters text\n--   n: A.\nSELECT 1": `m/macro.sql: not a column: "n: A."`,
	} {
		files := fstest.MapFS{"m/macro.sql": {Data: []byte(sql)}, "m/view.md": {Data: []byte("# m\n\nA row.\n")}}
		if _, err := readSet(files, new(Set)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", sql, err, want)
		}
	}
	for _, files := range []fstest.MapFS{
		{"m/macro.sql": {Data: []byte("-- parameters text\nSELECT 1")}},
		{"m/macro.sql": {Data: []byte("-- parameters text\nSELECT 1")}, "m/view.md": {Data: []byte("A row.\n")}},
	} {
		if _, err := readSet(files, new(Set)); err == nil {
			t.Error("no page, or none with a title")
		}
	}
}

func TestWrongViews(t *testing.T) {
	for _, test := range []struct {
		sql  map[string]string
		want string
	}{
		{map[string]string{"a": "SELECT * FROM b", "b": "SELECT * FROM c", "c": "SELECT * FROM b"}, "views read each other: a -> b -> c -> b"},
		{map[string]string{"a": "SELECT * FROM a"}, "views read each other: a -> a"},
		{map[string]string{"a": "--   n NUMBER: A number.\nSELECT 1"}, `a/view.sql: not a column: "n NUMBER: A number."`},
	} {
		if _, err := viewsOf(test.sql); err == nil || err.Error() != test.want {
			t.Errorf("%v: %v, want %s", test.sql, err, test.want)
		}
	}
	const page = "# a\n\nA row.\n"
	for _, test := range []struct{ view, source, want string }{
		{"merge = { key = ['n'], within_ms = 1 }\ncolumn = [{ name = 'n', type = 'INT64', doc = 'N.' }]", "", "a/view.toml: merge: the view has no column clock_ns"},
		{"merge = { key = ['n'], within_ms = 1, by = 'n' }\ncolumn = [{ name = 'n', type = 'INT64', doc = 'N.' }]", "", "a/view.toml: a view that merges needs the column source"},
		{"merge = { key = [] }", "", "a/view.toml: merge needs a key and within_ms"},
		{"column = [{ name = 'state' }]", "", `a/view.toml: the column "state" needs a type and doc, as not all events have it`},
		{"column = [{ name = 'n', type = 'TEXT', doc = 'N.' }]", "", `a/view.toml: not a column: "n" of the type "TEXT", which can be STRING, INT64, DOUBLE, BOOLEAN, TIMESTAMP and others`},
		{"column = []", "", "a: the view has no source, a file beside view.toml"},
		{"column = []", "name = 'x'\n[from]\nevents = ['events']\n[start]\nevents = ['events']", "a/s.toml: it needs either from, or start and stop"},
		{"column = []", "name = 'x'\n[start]\nevents = ['events']\n[stop]\nevents = ['events']", "a/s.toml: start has no key, by which its stop is found"},
		{"column = []", "name = 'x'\n[start]\nevents = ['events']\nkey = ['a']\n[stop]\nevents = ['events']\nkey = ['a', 'b']", "a/s.toml: the keys of start and stop have different lengths"},
		{"column = []", "name = 'x'\norder = 'queue'\n[from]\nevents = ['events']", "a/s.toml: order is of a source with start and stop"},
		{"column = []", "[from]\nevents = ['events']", "a/s.toml: it has no name"},
	} {
		files := fstest.MapFS{"a/view.toml": {Data: []byte(test.view)}, "a/view.md": {Data: []byte(page)}}
		if test.source != "" {
			files["a/s.toml"] = &fstest.MapFile{Data: []byte(test.source)}
		}
		if _, err := readSet(files, new(Set)); err == nil || err.Error() != test.want {
			t.Errorf("%s %s: %v, want %s", test.view, test.source, err, test.want)
		}
	}
	files := fstest.MapFS{"a/view.sql": {Data: []byte("SELECT 1")}, "a/view.md": {Data: []byte("A row.\n")}}
	if _, err := readSet(files, new(Set)); err == nil || !strings.Contains(err.Error(), "a title and a paragraph") {
		t.Errorf("a page without a title: %v", err)
	}
	delete(files, "a/view.md")
	if _, err := readSet(files, new(Set)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no page: %v", err)
	}
}

// TestCatalogueTables checks that a view can read the tables of events of Windows' catalogue, and
// that the tables have the columns of all forms of their events.
func TestCatalogueTables(t *testing.T) {
	s, err := viewsOf(map[string]string{
		"a": "SELECT * FROM microsoft_windows_dotnetruntime_gc_start JOIN thread_cswitch",
		"b": "SELECT * FROM microsoft_windows_powershell_4104 JOIN no_such_table JOIN a",
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, table := range s.CatalogueTables() {
		names = append(names, table.Name)
	}
	if diff := cmp.Diff([]string{"events/Microsoft-Windows-DotNETRuntime/GC_Start", "events/Microsoft-Windows-PowerShell/4104"}, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	gc := eventTable("microsoft_windows_dotnetruntime_gc_start")
	for _, column := range []string{"time_ns", "event_id", "count", "reason", "depth", "type", "clr_instance_id", "payload_rest"} {
		if gc.Column(column) < 0 {
			t.Errorf("%s has no column %s", gc.Name, column)
		}
	}
}
