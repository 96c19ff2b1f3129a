package parquet

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/schema"
)

// bare returns columns with only the properties that a file stores.
func bare(columns []schema.Column) []schema.Column {
	var list []schema.Column
	for _, c := range columns {
		list = append(list, schema.Column{Name: c.Name, Type: c.Type, List: c.List, Nullable: c.Nullable, Unit: c.Unit, Fields: bare(c.Fields)})
	}
	return list
}

// nestedColumns returns a table with structs in lists and in structs.
func nestedColumns() *schema.Table {
	inner := schema.Column{Name: "inner", Type: schema.Struct, Nullable: true, Fields: []schema.Column{{Name: "x", Type: schema.Uint64, List: true, Unit: "bytes"}}}
	return &schema.Table{Name: "nested", Columns: []schema.Column{
		{Name: "one", Type: schema.Struct, Fields: []schema.Column{{Name: "t", Type: schema.String, Nullable: true}, inner}},
		{Name: "many", Type: schema.Struct, List: true, Nullable: true, Fields: []schema.Column{inner, {Name: "b", Type: schema.Boolean}}},
		{Name: "after", Type: schema.Int32, Unit: "hresult"},
	}}
}

// TestReadColumns reads back the columns of every table, and of a table with all types.
func TestReadColumns(t *testing.T) {
	for _, table := range append(schema.Tables(), everyColumn(), nestedColumns()) {
		file := writeCells(t, table, "none", nil, nil)
		got, err := ReadColumns(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatalf("%s: %v", table.Name, err)
		}
		if diff := cmp.Diff(bare(table.Columns), got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", table.Name, diff)
		}
	}
}

// FuzzReadColumns checks that any footer has columns or is an error, and that its
// claims are checked before they are used.
func FuzzReadColumns(f *testing.F) {
	file := writeCells(f, everyColumn(), "none", nil, nil)
	f.Add(file)
	f.Add(writeCells(f, nestedColumns(), "none", nil, nil))
	f.Add(file[:len(file)/2])
	f.Fuzz(func(t *testing.T, file []byte) {
		columns, err := ReadColumns(bytes.NewReader(file), int64(len(file)))
		if (err == nil) != (len(columns) > 0) {
			t.Fatalf("%d columns and %v", len(columns), err)
		}
		for i := range columns {
			_ = columns[i].TypeName()
		}
	})
}
