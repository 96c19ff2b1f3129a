package recordbatch

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestUnits checks that fields have the units of columns in their metadata.
func TestUnits(t *testing.T) {
	s := Schema(&schema.Table{Columns: []schema.Column{
		{Name: "status", Type: schema.Int64, Unit: schema.AsNTStatus}, {Name: "none", Type: schema.Int64},
	}})
	if unit, ok := s.Field(0).Metadata.GetValue("unit"); !ok || unit != "ntstatus" {
		t.Errorf("unit %q, %t", unit, ok)
	}
	if s.Field(1).HasMetadata() {
		t.Error(s.Field(1))
	}
}
