package recordbatch_test

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestColumns checks that tables of all types are read back from their Arrow schema.
func TestColumns(t *testing.T) {
	for _, c := range columnstest.Cases(20) {
		got, err := recordbatch.Columns(recordbatch.Schema(c.Table))
		if err != nil || len(got) != len(c.Table.Columns) {
			t.Fatalf("%s: %d columns, %v", c.Name, len(got), err)
		}
		for i := range got {
			want := &c.Table.Columns[i]
			if got[i].Name != want.Name || got[i].TypeName() != want.TypeName() || !got[i].Nullable {
				t.Errorf("%s: %s %s, want %s %s", c.Name, got[i].Name, got[i].TypeName(), want.Name, want.TypeName())
			}
		}
	}
	deep := columnstest.DeepColumn(schema.MaxDepth+1, false)
	for _, kind := range []arrow.DataType{
		arrow.PrimitiveTypes.Int8, arrow.FixedWidthTypes.Timestamp_ns, arrow.ListOf(arrow.ListOf(arrow.PrimitiveTypes.Int32)), arrow.StructOf(), arrow.Null,
		recordbatch.Schema(&schema.Table{Columns: []schema.Column{deep}}).Field(0).Type,
	} {
		if _, err := recordbatch.Columns(arrow.NewSchema([]arrow.Field{{Name: "x", Type: kind}}, nil)); err == nil {
			t.Errorf("%s is a type of a column", kind)
		}
	}
}
