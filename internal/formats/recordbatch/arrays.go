package recordbatch

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// arrays makes the arrays of one batch.
type arrays struct {
	memory memory.Allocator
	texts  *columns.Texts
	lease  *lease
	stack  []uint32 // the slots of the current column, above those of the structs around it
}

// column returns the array of a column whose rows are at a place. In slots without a row, a
// nullable column is null; a required one has zeros, which are not visible because the struct
// around them is null.
func (a *arrays) column(c *columns.Column, t arrow.DataType, rows place) arrow.ArrayData {
	height := len(a.stack)
	at := a.values(c, rows)
	var validity *memory.Buffer // nil if all are valid
	nulls := 0
	if c.Spec.Nullable {
		validity, nulls = a.validity(at), at.nulls()
	}
	var data arrow.ArrayData
	if c.Spec.List {
		elements := a.array(c, t.(*arrow.ListType).Elem(), place{length: c.Elements(), full: true}, nil, 0)
		data = newData(t, at.length, nulls, []arrow.ArrayData{elements}, validity, a.offsets(c.Lists, at))
	} else {
		data = a.array(c, t, at, validity, nulls)
	}
	a.stack = a.stack[:height]
	return data
}

// array returns an array of the values of a column or, for a list, of its elements.
func (a *arrays) array(c *columns.Column, t arrow.DataType, at place, validity *memory.Buffer, nulls int) arrow.ArrayData {
	var values *memory.Buffer
	switch c.Spec.Type {
	case schema.Struct:
		members := make([]arrow.ArrayData, len(c.Members))
		for i, f := range t.(*arrow.StructType).Fields() {
			members[i] = a.column(&c.Members[i], f.Type, at)
		}
		return newData(t, at.length, nulls, members, validity)
	case schema.String, schema.Binary:
		if c.Spec.Encoding == schema.Varied {
			return newData(t, at.length, nulls, nil, validity, a.offsets(c.Ends, at), a.share(c.Bytes))
		}
		offsets, bytes := a.coded(c.Codes, at)
		return newData(t, at.length, nulls, nil, validity, offsets, bytes)
	case schema.Boolean:
		values = a.bools(c.Bools, at)
	case schema.Int32:
		values = fixed(a, c.Small, at)
	case schema.Float:
		values = fixed(a, c.Floats, at)
	case schema.Double:
		values = fixed(a, c.Reals, at)
	default:
		values = fixed(a, c.Ints, at)
	}
	return newData(t, at.length, nulls, nil, validity, values)
}

// newData returns an array that owns its buffers and children.
func newData(t arrow.DataType, length, nulls int, children []arrow.ArrayData, buffers ...*memory.Buffer) arrow.ArrayData {
	data := array.NewData(t, length, buffers, children, nulls, 0) // retains them
	release(children)
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	return data
}
