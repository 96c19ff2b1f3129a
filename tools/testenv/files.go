package testenv

import (
	"errors"
	"os"
	"path/filepath"
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
