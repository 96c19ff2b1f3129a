package pcapng

import (
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestRows checks that the tables of providers' events have the columns that rows are read from, as the
// built-in descriptions have them: each column of packets in one of the tables at least. Reading a table of
// the kernel checks it itself.
func TestRows(t *testing.T) {
	traces, err := etl2parquet.OpenAll(t.Context(), []string{"../../../../testdata/sample.etl"}, etl2parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close()
	missing := func(list func(*schema.Table) []string, name string) []string {
		table, err := traces.Table(name)
		if err != nil {
			t.Fatal(err)
		}
		return list(table.Definition)
	}
	for name, list := range map[string]func(*schema.Table) []string{
		"20": recordbatch.NewReader[componentRow]().Missing, "270": recordbatch.NewReader[componentRow]().Missing, "90": recordbatch.NewReader[edgeRow]().Missing, "30": recordbatch.NewReader[propertyRow]().Missing,
	} {
		if columns := missing(list, "Microsoft-Windows-PktMon/"+name); columns != nil {
			t.Errorf("event %s of PktMon lacks %q", name, columns)
		}
	}
	var nowhere []string
	for i, s := range sources {
		columns := missing(recordbatch.NewReader[packetRow]().Missing, s.table)
		if i == 0 {
			nowhere = columns
		}
		nowhere = slices.DeleteFunc(nowhere, func(name string) bool { return !slices.Contains(columns, name) })
	}
	if len(nowhere) > 0 {
		t.Errorf("no source has %q", nowhere)
	}
}
