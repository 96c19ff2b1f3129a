package parquet

import (
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// types are the Parquet types of columns.
var types = [...]struct {
	physical  format.Type
	logical   format.LogicalTypeValue
	converted thrift.Null[deprecated.ConvertedType]
}{
	schema.Boolean:   {physical: format.Boolean},
	schema.Int32:     {physical: format.Int32},
	schema.Int64:     {physical: format.Int64},
	schema.Uint64:    {format.Int64, &format.IntType{BitWidth: 64}, thrift.New(deprecated.Uint64)},
	schema.Float:     {physical: format.Float},
	schema.Double:    {physical: format.Double},
	schema.String:    {format.ByteArray, new(format.StringType), thrift.New(deprecated.UTF8)},
	schema.Binary:    {physical: format.ByteArray},
	schema.Timestamp: {format.Int64, &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: new(format.MicroSeconds)}}, thrift.New(deprecated.TimestampMicros)},
}

// schemaElements returns the schema of a table for the footer: the tree of its nodes, parents
// first.
func schemaElements(t *schema.Table, withIDs bool) []format.SchemaElement {
	s := schemaTree{elements: make([]format.SchemaElement, 0, 2*len(t.Columns)+1)} // enough unless there are many lists
	s.elements = append(s.elements, format.SchemaElement{Name: t.Name, NumChildren: thrift.New(int32(len(t.Columns)))})
	if withIDs {
		s.ids = make(fieldIDs, len(t.Columns))
	}
	for i := range t.Columns {
		s.column(&t.Columns[i], "")
	}
	return s.elements
}

// schemaTree is the nodes of a schema so far.
type schemaTree struct {
	elements []format.SchemaElement
	ids      fieldIDs // nil: nodes have none
}

// column appends the nodes of a column, whose path begins with above.
func (s *schemaTree) column(c *schema.Column, above string) {
	path, repetition := above+c.Name, format.Required
	if c.Nullable {
		repetition = format.Optional
	}
	if !c.List {
		s.value(c, c.Name, path, repetition)
		return
	}
	s.elements = append(s.elements,
		format.SchemaElement{
			Name: c.Name, RepetitionType: thrift.New(repetition), NumChildren: thrift.New(int32(1)), FieldID: s.ids.of(path),
			LogicalType: format.LogicalType{Value: new(format.ListType)}, ConvertedType: thrift.New(deprecated.List),
		},
		format.SchemaElement{Name: listGroup, RepetitionType: thrift.New(format.Repeated), NumChildren: thrift.New(int32(1))})
	s.value(c, listElement, path+"."+listElement, format.Required)
}

// value appends the nodes of a column's value or, for a LIST, of an element.
func (s *schemaTree) value(c *schema.Column, name, path string, repetition format.FieldRepetitionType) {
	var e format.SchemaElement
	if c.Type == schema.Struct {
		e = format.SchemaElement{Name: name, RepetitionType: thrift.New(repetition), NumChildren: thrift.New(int32(len(c.Fields)))}
	} else {
		e = leafElement(c, name, repetition)
	}
	e.FieldID = s.ids.of(path)
	s.elements = append(s.elements, e)
	for i := range c.Fields {
		s.column(&c.Fields[i], path+".")
	}
}

// The names of the inner nodes of a LIST in the specification.
const (
	listGroup   = "list"
	listElement = "element"
)

func leafElement(c *schema.Column, name string, repetition format.FieldRepetitionType) format.SchemaElement {
	t := &types[c.Type]
	e := format.SchemaElement{Name: name, Type: thrift.New(t.physical), RepetitionType: thrift.New(repetition), ConvertedType: t.converted}
	if t.logical != nil {
		e.LogicalType = format.LogicalType{Value: t.logical}
	}
	return e
}

// hasDictionary reports whether the values of a column begin in a dictionary.
func hasDictionary(c *schema.Column) bool {
	return c.Encoding == schema.Repeating && c.Type != schema.Boolean && c.Type != schema.Float && c.Type != schema.Double
}

// valueEncoding returns the encoding for the values of a column without a dictionary.
func valueEncoding(c *schema.Column) format.Encoding {
	switch c.Type {
	case schema.Boolean, schema.Float, schema.Double:
		return format.Plain
	case schema.String, schema.Binary:
		return format.DeltaLengthByteArray
	}
	if c.Encoding == schema.Alike || c.Encoding == schema.Varied && c.List {
		return format.Plain
	}
	return format.DeltaBinaryPacked
}

// numberWidth returns the bytes of a plain number of a column.
func numberWidth(c *schema.Column) int {
	if c.Type == schema.Int32 {
		return 4
	}
	return 8
}
