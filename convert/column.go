package convert

import "github.com/etl2parquet/etl2parquet/schema"

// column holds the values of one column of a batch. Only one of the slices of
// values is used, by the column's type. A null has no value there, only a
// false in valid; rows after the last non-null one are not even in valid, so
// that a column without values costs nothing.
type column struct {
	spec  *schema.Column
	valid []bool // of nullable columns: per row, whether it has a value

	ints  []int64 // Int64, Timestamp; Uint64 by its bits; elements, if List
	small []int32 // Int32
	bools []bool  // Boolean
	reals []float64
	codes []uint32 // String, Binary if Repeating: the value, in the batch's texts
	ends  []uint32 // String, Binary if Varied: where each value ends in bytes
	bytes []byte   //
	lists []uint32 // List: where the elements of each row end
}

func (c *column) reset() {
	c.valid, c.ints, c.small, c.bools, c.reals = c.valid[:0], c.ints[:0], c.small[:0], c.bools[:0], c.reals[:0]
	c.codes, c.ends, c.bytes, c.lists = c.codes[:0], c.ends[:0], c.bytes[:0], c.lists[:0]
}

// at says that the value appended next belongs to a row of a nullable column;
// rows are given in rising order, those left out are null.
func (c *column) at(row int) *column {
	for len(c.valid) < row {
		c.valid = append(c.valid, false)
	}
	c.valid = append(c.valid, true)
	return c
}

func (c *column) int64(v int64)     { c.ints = append(c.ints, v) }
func (c *column) uint64(v uint64)   { c.ints = append(c.ints, int64(v)) }
func (c *column) int32(v int32)     { c.small = append(c.small, v) }
func (c *column) bool(v bool)       { c.bools = append(c.bools, v) }
func (c *column) float64(v float64) { c.reals = append(c.reals, v) }
func (c *column) code(v uint32)     { c.codes = append(c.codes, v) }

func (c *column) blob(v []byte) {
	c.bytes = append(c.bytes, v...)
	c.ends = append(c.ends, uint32(len(c.bytes)))
}

// endList ends a row of a LIST, whose elements were appended before.
func (c *column) endList() { c.lists = append(c.lists, uint32(c.elements())) }

func (c *column) elements() int {
	switch c.spec.Type {
	case schema.String, schema.Binary:
		if c.spec.Encoding == schema.Varied {
			return len(c.ends)
		}
		return len(c.codes)
	case schema.Int32:
		return len(c.small)
	case schema.Boolean:
		return len(c.bools)
	case schema.Double:
		return len(c.reals)
	}
	return len(c.ints)
}

// values returns how many rows have a value.
func (c *column) values() int {
	if c.spec.List {
		return len(c.lists)
	}
	return c.elements()
}

// memory returns the bytes in use.
func (c *column) memory() int64 {
	return int64(len(c.valid) + 8*len(c.ints) + 4*len(c.small) + len(c.bools) + 8*len(c.reals) +
		4*len(c.codes) + 4*len(c.ends) + len(c.bytes) + 4*len(c.lists))
}
