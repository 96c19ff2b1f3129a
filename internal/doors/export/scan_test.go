package export

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
)

// TestRows checks that the table of a provider's event has the columns that rows are read from, as the
// built-in descriptions have it. Reading a table of the kernel checks it itself.
func TestRows(t *testing.T) {
	k, err := kindOf(Allocations)
	if err != nil {
		t.Fatal(err)
	}
	table, err := openText(t, "small").Table(k.table)
	if err != nil {
		t.Fatal(err)
	}
	if list := recordbatch.NewReader[allocationRow]().Missing(table.Definition); list != nil {
		t.Errorf("%s lacks %q", k.table, list)
	}
}
