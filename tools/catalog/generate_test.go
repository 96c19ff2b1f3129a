package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestGenerate checks that the catalogue in the repository is generated from its sources.
func TestGenerate(t *testing.T) {
	shared := filepath.Dir(testenv.Shared(t, "catalog"))
	want, err := generate(shared)
	if err != nil {
		t.Fatal(err)
	}
	const path = "../../internal/engine/catalog/windows/windows.catalog"
	have := testenv.ReadFile(t, path)
	if !bytes.Equal(have, want) {
		t.Errorf("%s has %d bytes and differs from the %d bytes of its sources: run go generate ./internal/engine/catalog/windows", path, len(have), len(want))
	}
}
