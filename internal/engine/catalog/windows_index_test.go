package catalog_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestWindowsIndex bounds the size of the catalogue, because every program contains it, and checks that
// the unpacked index is that of the catalogue. With -update, it writes it.
func TestWindowsIndex(t *testing.T) {
	const most, path = 2_500_000, "windows/windows.index"
	file := testenv.ReadFile(t, "windows/windows.catalog")
	if len(file) > most {
		t.Errorf("%d bytes, at most %d", len(file), most)
	}
	c, err := packed.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	want := c.ReadyIndex()
	if *testenv.Update {
		testenv.WriteFile(t, path, want)
		return
	}
	if index, err := os.ReadFile(path); err != nil || !bytes.Equal(index, want) {
		t.Fatalf("windows.index has %d bytes that are not those of windows.catalog, which gives %d: use -update, %v", len(index), len(want), err)
	}
}
