package bundle

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestViews checks the views of a dataset of two traces with few tables.
func TestViews(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "it's a [new] folder")
	d := openDataset(t, root)
	o := testOptions
	o.Selection.Tables = []string{"traces", "event_header"}
	for _, trace := range []string{"a", "b"} {
		path := indextest.Write(t, trace+".etl", newTraceOfEvents(t, 2))
		if _, err := convertFile(context.Background(), d, path, trace, o); err != nil {
			t.Fatal(err)
		}
	}
	if err := views.Write(t.Context(), d.Dataset); err != nil {
		t.Fatal(err)
	}
	text := testenv.ReadFile(t, filepath.Join(root, viewsName))
	got := strings.ReplaceAll(withoutPayloads(string(text)), filepath.ToSlash(filepath.Dir(root)), "ROOT")
	const golden = "testdata/views/views.sql"
	want, err := os.ReadFile(golden)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	indextest.CompareGolden(t, golden, "", string(want), got)

	for path := range testenv.Files(t, root) {
		if strings.HasSuffix(path, ".tmp") {
			t.Errorf("a file is left: %s", path)
		}
	}
}

// viewsFolders are names of folders that could end a comment, a text or a pattern too early.
var viewsFolders = []string{"a\nb", "a\r\nSELECT 1;", "a'b", `a"b`, "$HOME", "a;b", "-- a", "/* a", "[x]*?", "ü😀\u2028x", "\x1b[31m", "{a,b}", "a\tb"}

// viewsIn writes the views of the dataset in root.
func viewsIn(t *testing.T, root string) (d *Dataset, sql string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(root), 0o777); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDataset(root)
	if err != nil {
		t.Skipf("this system has no folder of this name: %v", err)
	}
	o := testOptions
	o.Selection.Tables = []string{"event_header"}
	path := indextest.Write(t, "a.etl", newTraceOfEvents(t, 2))
	if _, err := convertFile(context.Background(), d, path, "a", o); err != nil {
		t.Fatal(err)
	}
	if err := views.Write(t.Context(), d.Dataset); err != nil {
		t.Fatal(err)
	}
	text := testenv.ReadFile(t, filepath.Join(root, viewsName))
	return d, string(text)
}

// TestViewsFolders checks that the name of a folder stays within the comment line and within
// the texts of statements.
func TestViewsFolders(t *testing.T) {
	t.Parallel()
	for _, name := range viewsFolders {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), name, "out")
			_, sql := viewsIn(t, root)
			how, _, _ := strings.Cut(sql, "\n")
			if !strings.HasPrefix(how, "-- DuckDB views over this dataset: ") || strings.ContainsAny(how, "\r\u2028\x1b") {
				t.Errorf("the comment is %q", how)
			}
			pattern := strings.NewReplacer("'", "''", "[", "[[]", "*", "[*]", "?", "[?]").Replace(filepath.ToSlash(root))
			if want := "ELSE '" + pattern + "' END;\n"; !strings.Contains(sql, want) {
				t.Errorf("no %q in the views", want)
			}
		})
	}
}

// TestViewsFoldersDuckDB lets DuckDB read the views in a folder whose name has all special
// characters.
func TestViewsFoldersDuckDB(t *testing.T) {
	t.Parallel()
	python := interop.NewPython(t)
	root := filepath.Join(t.TempDir(), "a\r\nSELECT 1; b'c \"d\" $HOME; -- /* [x]*? {ü😀}", "out")
	viewsIn(t, root)
	if answer := readViews(t, python, root, "event_header"); answer.Rows["event_header"] != 2 || len(answer.Errors) > 0 {
		t.Errorf("%d rows, errors %v", answer.Rows["event_header"], answer.Errors)
	}
}

// withoutPayloads omits all views of payloads but one, because there are hundreds.
func withoutPayloads(sql string) string {
	var kept []string
	for _, view := range strings.Split(sql, "\n\n") {
		_, rest, _ := strings.Cut(view, "CREATE OR REPLACE VIEW ")
		name, _, _ := strings.Cut(rest, " ")
		t, ok := schema.LookupTable(name)
		if !ok || !t.IsPayload() || name == "thread_readythread" {
			kept = append(kept, view)
		}
	}
	return strings.Join(kept, "\n\n")
}

// TestViewsOfNothing checks the views of a dataset without files: only the fixed ones.
func TestViewsOfNothing(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	d := openDataset(t, root)
	if err := views.Write(t.Context(), d.Dataset); err != nil {
		t.Fatal(err)
	}
	text := testenv.Files(t, root)[viewsName]
	for _, table := range schema.Tables() {
		if has := strings.Contains(text, "CREATE OR REPLACE VIEW "+table.ViewName()+" AS SELECT NULL::VARCHAR AS \"trace\", "); has == table.IsPayload() {
			t.Errorf("a view of %s: %v", table.Name, has)
		}
	}
	if strings.Contains(text, "read_parquet") {
		t.Error("a view reads missing files")
	}
}

func TestViewsFail(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	d := openDataset(t, root)
	if err := os.MkdirAll(filepath.Join(root, viewsName, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := views.Write(t.Context(), d.Dataset); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(filepath.Join(root, "."+viewsName+".tmp")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a temporary file is left: %v", err)
	}
}
