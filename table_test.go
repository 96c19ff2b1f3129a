package etl2parquet_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet"
)

// TestTable looks up tables: one of the trace's by each of its names, one without rows, none.
func TestTable(t *testing.T) {
	trace := openWith(t, "testdata/sample.etl", etl2parquet.Options{})
	for name, rows := range map[string]int64{
		"": 449, "events": 449, "Thread/CSwitch": 120, "thread_cswitch": 120, "events/Thread/CSwitch": 120, "Registry/Open": 0,
	} {
		table, err := trace.Table(name)
		if err != nil || table.Rows != rows || table.Doc == "" || !table.Schema.HasField("time_ns") || table.Definition.Column("time_ns") < 0 {
			t.Errorf("%q: %q, %d rows, %v", name, table.Name, table.Rows, err)
		}
		listed := slices.ContainsFunc(trace.Tables(), func(other etl2parquet.Table) bool { return other.Name == table.Name })
		if listed != (rows > 0) {
			t.Errorf("%q is among the tables: %v", table.Name, listed)
		}
	}
	if _, err := trace.Table("Thread/CSwich"); !errors.Is(err, etl2parquet.ErrNoTable) {
		t.Errorf("no such table: %v", err)
	}
}
