// Package viewstest is for tests only. It reads the row tests of the views.
package viewstest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// Case is a test of the rows of a view: traces, a query, and its result. In rows.txtar it consists
// of <name>/trace, a trace as text, or <name>/<trace>.trace for each of several traces;
// <name>/query.sql; and <name>/rows.csv, with a header line and NULL for missing values.
type Case struct {
	View, Name  string
	Query, Rows string

	traces  map[string]string // text by name
	archive *txtar.Archive
	path    string
}

// Read reads the cases of all views below a folder, and fails if a view has none.
func Read(t testing.TB, folder string) []*Case { return read(t, folder, "view.sql") }

// ReadMacros reads the cases of all macros below a folder, like Read.
func ReadMacros(t testing.TB, folder string) []*Case { return read(t, folder, "macro.sql") }

func read(t testing.TB, folder, file string) (cases []*Case) {
	t.Helper()
	views, err := filepath.Glob(filepath.Join(folder, "*", file))
	if err != nil || len(views) == 0 {
		t.Fatalf("no %s in %s: %v", file, folder, err)
	}
	for _, view := range views {
		path := filepath.Join(filepath.Dir(view), "rows.txtar")
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		byName := make(map[string]*Case)
		for _, f := range archive.Files {
			name, kind, _ := strings.Cut(f.Name, "/")
			c := byName[name]
			if c == nil {
				c = &Case{View: filepath.Base(filepath.Dir(view)), Name: name, traces: make(map[string]string), archive: archive, path: path}
				byName[name] = c
				cases = append(cases, c)
			}
			trace, isTrace := strings.CutSuffix(kind, ".trace")
			switch {
			case kind == "query.sql":
				c.Query = string(f.Data)
			case kind == "rows.csv":
				c.Rows = string(f.Data)
			case kind == "trace":
				c.traces["trace"] = string(f.Data)
			case isTrace:
				c.traces[trace] = string(f.Data)
			default:
				t.Fatalf("%s: %s is no part of a test", path, f.Name)
			}
		}
		if len(byName) == 0 {
			t.Fatalf("%s has no test", path)
		}
	}
	return cases
}

// WriteTraces writes the traces into a folder, and returns their paths.
func (c *Case) WriteTraces(t testing.TB, folder string) (paths []string) {
	t.Helper()
	for name, text := range c.traces {
		path := filepath.Join(folder, name+".etl")
		if err := os.WriteFile(path, etltest.MustParse(t, text), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// Update replaces the rows of the case in rows.txtar.
func (c *Case) Update(t testing.TB, rows string) {
	t.Helper()
	for i := range c.archive.Files {
		if f := &c.archive.Files[i]; f.Name == c.Name+"/rows.csv" {
			f.Data = []byte(rows)
		}
	}
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o666); err != nil {
		t.Fatal(err)
	}
}
