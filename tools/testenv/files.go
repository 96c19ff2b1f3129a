package testenv

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ReadFile returns the contents of a file that must be readable.
func ReadFile(t testing.TB, path string) []byte {
	t.Helper()
	contents, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return contents
}

// WriteFile writes a file for a test, and the folders above it if there are none.
func WriteFile[T ~string | ~[]byte](t testing.TB, path string, contents T) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(contents), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// Update is set by the flag -update of a test: goldens are rewritten, not compared.
var Update = flag.Bool("update", false, "rewrite the goldens in testdata")

// Golden compares a text with that of a file, or rewrites the file with -update.
func Golden(t testing.TB, path, got string) {
	t.Helper()
	if *Update {
		WriteFile(t, path, got)
	}
	if diff := Diff(strings.Split(string(ReadFile(t, path)), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs, -update rewrites it: %s", path, diff)
	}
}

// Files returns the contents of all files below a folder, "" of links, by their paths below it, with slashes: none
// if there is no such folder.
func Files(t testing.TB, root string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if path == "." && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		files[path] = ""
		if entry.Type().IsRegular() {
			files[path] = string(ReadFile(t, filepath.Join(root, path)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
