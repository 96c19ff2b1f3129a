package convert

import (
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/schema"
)

// column holds the values of one column of a batch. Only one of the slices of
// values is used, by the column's type. A null has no value there, only a
// false in valid; rows after the last non-null one are not even in valid, so
// that a column without values costs nothing.
//
// A Struct is a tree of columns. The rows of its members are its structs, by
// their number in the batch: those of all rows in turn, elements if it is a
// List, and none for a null.
type column struct {
	spec  *schema.Column
	valid []bool // of nullable columns: per row, whether it has a value

	ints    []int64 // Int64, Timestamp; Uint64 by its bits; elements, if List
	small   []int32 // Int32
	bools   []bool  // Boolean
	floats  []float32
	reals   []float64
	codes   []uint32 // String, Binary if Repeating: the value, in the batch's texts
	ends    []uint32 // String, Binary if Varied: where each value ends in bytes
	bytes   []byte   //
	structs int      // Struct: how many
	lists   []uint32 // List: where the elements of each row end

	members []column // Struct: in the order of the fields
}

func newColumn(spec *schema.Column) column {
	c := column{spec: spec}
	if len(spec.Fields) > 0 {
		c.members = make([]column, len(spec.Fields))
		for i := range c.members {
			c.members[i] = newColumn(&spec.Fields[i])
		}
	}
	return c
}

func (c *column) reset() {
	c.valid, c.ints, c.small, c.bools, c.floats, c.reals = c.valid[:0], c.ints[:0], c.small[:0], c.bools[:0], c.floats[:0], c.reals[:0]
	c.codes, c.ends, c.bytes, c.structs, c.lists = c.codes[:0], c.ends[:0], c.bytes[:0], 0, c.lists[:0]
	for i := range c.members {
		c.members[i].reset()
	}
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

// present is at for n rows from one on.
func (c *column) present(row, n int) *column {
	c.pad(row)
	repeat(&c.valid, true, n)
	return c
}

// more appends n values, which the caller fills in.
func more[T any](values *[]T, n int) []T {
	at := len(*values)
	*values = slices.Grow(*values, n)[:at+n]
	return (*values)[at:]
}

// repeat appends a value n times.
func repeat[T any](values *[]T, v T, n int) {
	room := more(values, n)
	for i := range room {
		room[i] = v
	}
}

// none stands for null among codes, and among ids.
const none = -1

// codesAt appends the codes of rows from one on, of which some may be none.
func (c *column) codesAt(row int, codes []int64) {
	switch countNone(codes) {
	case len(codes):
	case 0:
		c.present(row, len(codes))
		for i, room := 0, more(&c.codes, len(codes)); i < len(room); i++ {
			room[i] = uint32(codes[i])
		}
	default:
		for i, code := range codes {
			if code != none {
				c.at(row + i).code(uint32(code))
			}
		}
	}
}

// int64sAt appends the numbers of rows from one on, of which some may be none.
func (c *column) int64sAt(row int, numbers []int64) {
	switch countNone(numbers) {
	case len(numbers):
	case 0:
		c.present(row, len(numbers))
		c.ints = append(c.ints, numbers...)
	default:
		for i, n := range numbers {
			if n != none {
				c.at(row + i).int64(n)
			}
		}
	}
}

func countNone(values []int64) (n int) {
	for _, v := range values {
		isNone := 0
		if v == none {
			isNone = 1
		}
		n += isNone
	}
	return n
}

// append appends the values of another column of this kind, as those of the
// rows from one on.
func (c *column) append(row int, other *column, codes *textCodes) {
	if len(other.valid) > 0 {
		c.pad(row)
		c.valid = append(c.valid, other.valid...)
	}
	elements, structs, size := uint32(c.elements()), c.structs, uint32(len(c.bytes))
	c.ints, c.small, c.bools = append(c.ints, other.ints...), append(c.small, other.small...), append(c.bools, other.bools...)
	c.floats, c.reals = append(c.floats, other.floats...), append(c.reals, other.reals...)
	for i, room := 0, more(&c.codes, len(other.codes)); i < len(room); i++ {
		room[i] = codes.code(other.codes[i])
	}
	c.bytes = append(c.bytes, other.bytes...)
	for _, end := range other.ends {
		c.ends = append(c.ends, size+end)
	}
	for _, end := range other.lists {
		c.lists = append(c.lists, elements+end)
	}
	c.structs += other.structs
	for i := range c.members {
		c.members[i].append(structs, &other.members[i], codes)
	}
}

// pad says that the rows before one that have not been given are null.
func (c *column) pad(row int) {
	if missing := row - len(c.valid); missing > 0 {
		c.valid = append(c.valid, make([]bool, missing)...)
	}
}

func (c *column) int64(v int64)     { c.ints = append(c.ints, v) }
func (c *column) uint64(v uint64)   { c.ints = append(c.ints, int64(v)) }
func (c *column) int32(v int32)     { c.small = append(c.small, v) }
func (c *column) bool(v bool)       { c.bools = append(c.bools, v) }
func (c *column) float32(v float32) { c.floats = append(c.floats, v) }
func (c *column) float64(v float64) { c.reals = append(c.reals, v) }
func (c *column) code(v uint32)     { c.codes = append(c.codes, v) }

func (c *column) blob(v []byte) {
	c.bytes = append(c.bytes, v...)
	c.ends = append(c.ends, uint32(len(c.bytes)))
}

// beginStruct appends a struct, as the value of a row or an element, and
// returns its number: the row of the values of its members that are appended
// next.
func (c *column) beginStruct() int {
	c.structs++
	return c.structs - 1
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
	case schema.Float:
		return len(c.floats)
	case schema.Double:
		return len(c.reals)
	case schema.Struct:
		return c.structs
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

// has reports whether a row has a value.
func (c *column) has(row int) bool {
	return !c.spec.Nullable || row < len(c.valid) && c.valid[row]
}

// check reports a column whose length does not fit the number of rows.
func (c *column) check(rows int) error {
	want := rows
	if c.spec.Nullable {
		want = 0
		for _, valid := range c.valid {
			one := 0 // no jump, which could be mispredicted
			if valid {
				one = 1
			}
			want += one
		}
	}
	if got := c.values(); got != want || len(c.valid) > rows {
		return fmt.Errorf("column %s has %d values in %d rows, want %d", c.spec.Name, got, rows, want)
	}
	if ended := c.ended(); c.spec.List && ended != c.elements() {
		return fmt.Errorf("column %s has %d elements, %d in its lists", c.spec.Name, c.elements(), ended)
	}
	for i := range c.members {
		if err := c.members[i].check(c.structs); err != nil {
			return fmt.Errorf("%s: %w", c.spec.Name, err)
		}
	}
	return nil
}

// ended returns how many elements are in lists that are complete.
func (c *column) ended() int {
	if len(c.lists) == 0 {
		return 0
	}
	return int(c.lists[len(c.lists)-1])
}

// memory returns the bytes in use.
func (c *column) memory() int64 {
	n := int64(len(c.valid) + 8*len(c.ints) + 4*len(c.small) + len(c.bools) + 4*len(c.floats) + 8*len(c.reals) +
		4*len(c.codes) + 4*len(c.ends) + len(c.bytes) + 4*len(c.lists))
	for i := range c.members {
		n += c.members[i].memory()
	}
	return n
}

// capacity returns the bytes that are there for values.
func (c *column) capacity() int64 {
	n := int64(cap(c.valid) + 8*cap(c.ints) + 4*cap(c.small) + cap(c.bools) + 4*cap(c.floats) + 8*cap(c.reals) +
		4*cap(c.codes) + 4*cap(c.ends) + cap(c.bytes) + 4*cap(c.lists))
	for i := range c.members {
		n += c.members[i].capacity()
	}
	return n
}
