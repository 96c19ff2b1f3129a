package main

import (
	"bytes"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestGenerate checks that the catalogue in the repository is generated from the facts in it.
func TestGenerate(t *testing.T) {
	want, err := generate("../../knowledge")
	if err != nil {
		t.Fatal(err)
	}
	const path = "../../internal/engine/catalog/windows/windows.catalog"
	have := testenv.ReadFile(t, path)
	if !bytes.Equal(have, want) {
		t.Errorf("%s has %d bytes and differs from the %d bytes of knowledge: run go generate ./internal/engine/catalog/windows", path, len(have), len(want))
	}
}
