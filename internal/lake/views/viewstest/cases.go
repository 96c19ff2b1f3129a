// Package viewstest is for tests only. It reads the row tests of the views.
package viewstest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewcases"
)

// Case is a case of a view.
type Case struct {
	viewcases.Case
	View    string
	archive *txtar.Archive
	path    string
}

// Read reads the cases of all views below a folder, and fails if a view has none.
func Read(t testing.TB, folder string) []*Case { return read(t, folder, "view.*l") }

// ReadMacros reads the cases of all macros below a folder, like Read.
func ReadMacros(t testing.TB, folder string) []*Case { return read(t, folder, "macro.sql") }

func read(t testing.TB, folder, file string) (cases []*Case) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*", file)) // of views: view.sql and view.toml
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s in %s: %v", file, folder, err)
	}
	for _, view := range paths {
		path := filepath.Join(filepath.Dir(view), viewcases.File)
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list, err := viewcases.Parse(archive)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, c := range list {
			cases = append(cases, &Case{*c, filepath.Base(filepath.Dir(view)), archive, path})
		}
	}
	return cases
}

// WriteTraces writes the traces into a folder, and returns their paths.
func (c *Case) WriteTraces(t testing.TB, folder string) (paths []string) {
	t.Helper()
	for name, text := range c.Traces {
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
