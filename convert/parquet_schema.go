package convert

import (
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// parquetSchema returns the Parquet schema of a table.
func parquetSchema(t *schema.Table) *parquet.Schema {
	root := orderedGroup{}
	for i := range t.Columns {
		c := &t.Columns[i]
		root.fields = append(root.fields, orderedField{Node: parquetNode(c), name: c.Name})
	}
	return parquet.NewSchema(t.Name, root)
}

func parquetNode(c *schema.Column) parquet.Node {
	node := parquet.Encoded(leafNode(c), leafEncoding(c))
	if c.List {
		node = parquet.List(node)
	}
	if c.Nullable {
		node = parquet.Optional(node)
	}
	return node
}

func leafNode(c *schema.Column) parquet.Node {
	switch c.Type {
	case schema.Boolean:
		return parquet.Leaf(parquet.BooleanType)
	case schema.Int32:
		return parquet.Leaf(parquet.Int32Type)
	case schema.Int64:
		return parquet.Leaf(parquet.Int64Type)
	case schema.Uint64:
		return parquet.Uint(64)
	case schema.Double:
		return parquet.Leaf(parquet.DoubleType)
	case schema.Timestamp:
		return parquet.Timestamp(parquet.Microsecond)
	case schema.Binary:
		return parquet.Leaf(boundedType{parquet.ByteArrayType})
	}
	return parquet.String()
}

// leafEncoding chooses the encoding that the values' kind asks for
// (measured: PERFORMANCE.md, section 3).
func leafEncoding(c *schema.Column) encoding.Encoding {
	isBytes := c.Type == schema.String || c.Type == schema.Binary
	switch {
	case c.Type == schema.Boolean:
		return &parquet.Plain
	case c.Encoding == schema.Repeating:
		return &parquet.RLEDictionary
	case isBytes:
		return &parquet.DeltaLengthByteArray
	case c.Encoding == schema.Rising:
		return &parquet.DeltaBinaryPacked
	case c.Type == schema.Int64 && !c.List:
		return &parquet.DeltaBinaryPacked // offsets and sizes: short differences
	}
	return &parquet.Plain
}

// orderedGroup is a group whose fields stay in their order; parquet.Group
// sorts them by name.
type orderedGroup struct {
	parquet.Group
	fields []orderedField
}

func (g orderedGroup) Fields() []parquet.Field {
	fields := make([]parquet.Field, len(g.fields))
	for i := range g.fields {
		fields[i] = &g.fields[i]
	}
	return fields
}

type orderedField struct {
	parquet.Node
	name string
}

func (f *orderedField) Name() string { return f.name }

// Value is for rows as Go values, which this package does not write.
func (f *orderedField) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// boundedType is the type of binary columns. The library keeps the smallest
// and largest value of each page and column whole, which for payloads may be
// 128 KiB, and cuts the upper bound in the page index without raising it. Here
// both are cut to a few bytes and stay bounds.
type boundedType struct{ parquet.Type }

const boundSize = 16

// NewColumnIndexer keeps bounds whole: boundedPage has made them short.
func (t boundedType) NewColumnIndexer(int) parquet.ColumnIndexer {
	return t.Type.NewColumnIndexer(1 << 20)
}

func (t boundedType) NewColumnBuffer(columnIndex, numValues int) parquet.ColumnBuffer {
	return boundedBuffer{t.Type.NewColumnBuffer(columnIndex, numValues)}
}

func (t boundedType) LogicalType() *format.LogicalType { return nil }

type boundedBuffer struct{ parquet.ColumnBuffer }

func (b boundedBuffer) Page() parquet.Page { return boundedPage{b.ColumnBuffer.Page()} }

type boundedPage struct{ parquet.Page }

func (p boundedPage) Bounds() (lower, upper parquet.Value, ok bool) {
	lower, upper, ok = p.Page.Bounds()
	if !ok {
		return lower, upper, false
	}
	column := lower.Column()
	cut := lower.ByteArray()
	lower = parquet.ByteArrayValue(cut[:min(len(cut), boundSize)]).Level(0, 0, column)
	return lower, parquet.ByteArrayValue(upperBound(upper.ByteArray())).Level(0, 0, column), true
}

// upperBound returns a short value that is not below v.
func upperBound(v []byte) []byte {
	if len(v) <= boundSize {
		return v
	}
	for end := boundSize; end > 0; end-- {
		if v[end-1] != 0xff {
			bound := append([]byte(nil), v[:end]...)
			bound[end-1]++
			return bound
		}
	}
	return v // starts with 0xFF throughout: no short value is above it
}
