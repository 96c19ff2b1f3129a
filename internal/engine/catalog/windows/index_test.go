package windows

import (
	"bytes"
	"os"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
)

// TestIndex checks that the unpacked index is that of the catalogue. With -update, it writes it.
func TestIndex(t *testing.T) {
	c, err := packed.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	want := c.ReadyIndex()
	if *decodetest.Update {
		if err := os.WriteFile("windows.index", want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(index, want) {
		t.Fatalf("windows.index has %d bytes that are not those of windows.catalog, which gives %d: use -update", len(index), len(want))
	}
}
