package recordbatch

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/etl2parquet/etl2parquet/schema"
)

// types are the Arrow types of columns. Texts are plain strings: readers fail on
// dictionaries that differ from batch to batch, or make categories of them.
var types = [...]arrow.DataType{
	schema.Boolean:   arrow.FixedWidthTypes.Boolean,
	schema.Int32:     arrow.PrimitiveTypes.Int32,
	schema.Int64:     arrow.PrimitiveTypes.Int64,
	schema.Uint64:    arrow.PrimitiveTypes.Uint64,
	schema.Float:     arrow.PrimitiveTypes.Float32,
	schema.Double:    arrow.PrimitiveTypes.Float64,
	schema.String:    arrow.BinaryTypes.String,
	schema.Binary:    arrow.BinaryTypes.Binary,
	schema.Timestamp: arrow.FixedWidthTypes.Timestamp_us, // in UTC
}

// listElement is the name of the elements of a list, as in our Parquet files.
const listElement = "element"

// unitKey is the key of a column's unit in the metadata of its field.
const unitKey = "unit"

// Schema returns the Arrow schema of a table. Except for the units in the metadata of fields, it
// equals the schema that Arrow readers derive from a Parquet file of the table. Batches for which
// SetTrace was called have the schema of t.WithTrace().
func Schema(t *schema.Table) *arrow.Schema { return arrow.NewSchema(fields(t.Columns), nil) }

func fields(columns []schema.Column) []arrow.Field {
	list := make([]arrow.Field, len(columns))
	for i := range columns {
		c := &columns[i]
		list[i] = arrow.Field{Name: c.Name, Type: valueType(c), Nullable: c.Nullable}
		if c.Unit != "" {
			list[i].Metadata = arrow.NewMetadata([]string{unitKey}, []string{string(c.Unit)})
		}
		if c.List {
			list[i].Type = arrow.ListOfField(arrow.Field{Name: listElement, Type: list[i].Type})
		}
	}
	return list
}

// valueType returns the type of a column's values or, in a list, of its elements.
func valueType(c *schema.Column) arrow.DataType {
	if c.Type == schema.Struct {
		return arrow.StructOf(fields(c.Fields)...)
	}
	return types[c.Type]
}
