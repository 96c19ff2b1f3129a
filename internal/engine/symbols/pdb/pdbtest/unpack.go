package pdbtest

import (
	"compress/gzip"
	"io"
	"os"
	"testing"
)

// Unpack returns the contents of a golden file that gzip compressed.
func Unpack(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
