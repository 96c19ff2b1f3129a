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

// The keys of a column's unit and sentence in the metadata of its field.
const (
	unitKey = "unit"
	docKey  = "doc"
)

// Schema returns the Arrow schema of a table. Except for the metadata of fields, with units and
// sentences, it equals the schema that Arrow readers derive from a Parquet file of the table. Batches for which
// SetTrace was called have the schema of t.WithTrace().
func Schema(t *schema.Table) *arrow.Schema { return arrow.NewSchema(fields(t.Columns), nil) }

func fields(columns []schema.Column) []arrow.Field {
	list := make([]arrow.Field, len(columns))
	for i := range columns {
		c := &columns[i]
		list[i] = arrow.Field{Name: c.Name, Type: valueType(c), Nullable: c.Nullable}
		list[i].Metadata = metadata(c)
		if c.List {
			list[i].Type = arrow.ListOfField(arrow.Field{Name: listElement, Type: list[i].Type})
		}
	}
	return list
}

// metadata returns the metadata of a column's field: its sentence and its unit, as far as it has them.
func metadata(c *schema.Column) arrow.Metadata {
	var keys, values []string
	add := func(key, value string) {
		if value != "" {
			keys, values = append(keys, key), append(values, value)
		}
	}
	add(docKey, c.Doc)
	add(unitKey, string(c.Unit))
	return arrow.NewMetadata(keys, values)
}

// valueType returns the type of a column's values or, in a list, of its elements.
func valueType(c *schema.Column) arrow.DataType {
	if c.Type == schema.Struct {
		return arrow.StructOf(fields(c.Fields)...)
	}
	return types[c.Type]
}
