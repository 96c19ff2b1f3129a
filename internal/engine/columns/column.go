package columns

import (
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Column holds the values of one column of a batch. The column's type decides which one of the
// slices of values is used. A null has no value there; Valid says which rows have a value.
//
// A Struct is a tree of columns. Its members have one row per struct. The structs are numbered
// through the batch: one per row, one per element if the column is a List, and none for a null.
type Column struct {
	Spec  *schema.Column
	Valid Validity // of nullable columns

	Ints    []int64 // Int64, Timestamp; Uint64 by its bits; the elements of a List
	Small   []int32 // Int32
	Bools   []bool  // Boolean
	Floats  []float32
	Reals   []float64
	Codes   []uint32 // String, Binary if Repeating: the code of the value in the batch's texts
	Ends    []uint32 // String, Binary if Varied: the end of each value in bytes
	Bytes   []byte   //
	Structs int      // Struct: the number of structs
	Lists   []uint32 // List: the end of each row's elements

	Members []Column // Struct: in the order of the fields
}

// New returns an empty column, which belongs to no batch.
func New(spec *schema.Column) *Column {
	c := newColumn(spec)
	return &c
}

func newColumn(spec *schema.Column) Column {
	c := Column{Spec: spec}
	if len(spec.Fields) > 0 {
		c.Members = make([]Column, len(spec.Fields))
		for i := range c.Members {
			c.Members[i] = newColumn(&spec.Fields[i])
		}
	}
	return c
}

// Reset removes all values. It keeps the memory for the next ones.
func (c *Column) Reset() {
	c.Valid.reset()
	c.Ints, c.Small, c.Bools, c.Floats, c.Reals = c.Ints[:0], c.Small[:0], c.Bools[:0], c.Floats[:0], c.Reals[:0]
	c.Codes, c.Ends, c.Bytes, c.Structs, c.Lists = c.Codes[:0], c.Ends[:0], c.Bytes[:0], 0, c.Lists[:0]
	for i := range c.Members {
		c.Members[i].Reset()
	}
}

// At sets the row, in a nullable column, of the value that is appended next. Rows are given in
// ascending order; rows that are left out are null.
func (c *Column) At(row int) *Column {
	c.Valid.addOne(row)
	return c
}

// Present is At for n rows from row on.
func (c *Column) Present(row, n int) *Column {
	c.Valid.add(row, n)
	return c
}

// expect makes room for n rows in total, if the number of values follows from the first rows. It
// does nothing for elements and bytes, because single rows may have most of them.
func (c *Column) expect(rows, n int) {
	if !c.Spec.List {
		reserve(&c.Ints, rows, n)
		reserve(&c.Small, rows, n)
		reserve(&c.Bools, rows, n)
		reserve(&c.Floats, rows, n)
		reserve(&c.Reals, rows, n)
		reserve(&c.Codes, rows, n)
		reserve(&c.Ends, rows, n)
	}
	reserve(&c.Lists, rows, n)
	reserve(&c.Valid.list, rows, n)
}

// reserve makes room for the values of n rows, given that the first rows have theirs.
func reserve[T any](values *[]T, rows, n int) {
	have := len(*values)
	if have == 0 {
		return
	}
	want := int(int64(have) * int64(n) / int64(rows))
	if want = min(want+want/8, n); want > cap(*values) { // later rows may have slightly more
		*values = slices.Grow(*values, want-have)
	}
}

// More appends n values, which the caller fills in.
func More[T any](values *[]T, n int) []T {
	at := len(*values)
	*values = slices.Grow(*values, n)[:at+n]
	return (*values)[at:]
}

// Repeat appends a value n times.
func Repeat[T any](values *[]T, v T, n int) {
	room := More(values, n)
	done := min(n, firstRepeats)
	for i := range done {
		room[i] = v
	}
	for ; done < n; done *= 2 {
		copy(room[done:], room[:done])
	}
}

// firstRepeats is the number of values that Repeat sets one by one: copying pays only for more.
const firstRepeats = 16

// None stands for null among codes, and among ids.
const None = -1

// CodesAt appends the codes of consecutive rows from row on. Codes may be None.
func (c *Column) CodesAt(row int, codes []int64) {
	switch countNone(codes) {
	case len(codes):
	case 0:
		c.Present(row, len(codes))
		for i, room := 0, More(&c.Codes, len(codes)); i < len(room); i++ {
			room[i] = uint32(codes[i])
		}
	default:
		present(c, &c.Codes, row, codes)
	}
}

// Int64sAt appends the numbers of consecutive rows from row on. Numbers may be None.
func (c *Column) Int64sAt(row int, numbers []int64) {
	switch countNone(numbers) {
	case len(numbers):
	case 0:
		c.Present(row, len(numbers))
		c.Ints = append(c.Ints, numbers...)
	default:
		present(c, &c.Ints, row, numbers)
	}
}

// present appends the values that are not None. It has no branches, which the processor would
// mispredict.
func present[T uint32 | int64](c *Column, to *[]T, row int, values []int64) {
	valid, room := c.Valid.more(row, len(values)), More(to, len(values))
	n := 0
	for i, v := range values {
		room[n], valid[i] = T(v), v != None
		one := 0
		if v != None {
			one = 1
		}
		n += one
	}
	*to = (*to)[:len(*to)-len(values)+n]
	c.Valid.trim()
}

func countNone(values []int64) (n int) {
	for _, v := range values {
		isNone := 0
		if v == None {
			isNone = 1
		}
		n += isNone
	}
	return n
}

// append appends the values of another column of this kind, from row on.
func (c *Column) append(row int, other *Column, codes *textCodes) {
	c.Valid.Append(row, &other.Valid)
	elements, structs, size := uint32(c.Elements()), c.Structs, uint32(len(c.Bytes))
	c.Ints, c.Small, c.Bools = append(c.Ints, other.Ints...), append(c.Small, other.Small...), append(c.Bools, other.Bools...)
	c.Floats, c.Reals = append(c.Floats, other.Floats...), append(c.Reals, other.Reals...)
	for i, room := 0, More(&c.Codes, len(other.Codes)); i < len(room); i++ {
		room[i] = codes.code(other.Codes[i])
	}
	c.Bytes = append(c.Bytes, other.Bytes...)
	for _, end := range other.Ends {
		c.Ends = append(c.Ends, size+end)
	}
	for _, end := range other.Lists {
		c.Lists = append(c.Lists, elements+end)
	}
	c.Structs += other.Structs
	for i := range c.Members {
		c.Members[i].append(structs, &other.Members[i], codes)
	}
}

// Int64, and the other methods named after types, append a value. In a nullable column, call At
// first to set its row.
func (c *Column) Int64(v int64)     { c.Ints = append(c.Ints, v) }
func (c *Column) Uint64(v uint64)   { c.Ints = append(c.Ints, int64(v)) }
func (c *Column) Int32(v int32)     { c.Small = append(c.Small, v) }
func (c *Column) Bool(v bool)       { c.Bools = append(c.Bools, v) }
func (c *Column) Float32(v float32) { c.Floats = append(c.Floats, v) }
func (c *Column) Float64(v float64) { c.Reals = append(c.Reals, v) }

// Code appends the value with this code in the batch's texts.
func (c *Column) Code(v uint32) { c.Codes = append(c.Codes, v) }

// Blob appends a value to a column in which each row has bytes of its own.
func (c *Column) Blob(v []byte) {
	c.Bytes = append(c.Bytes, v...)
	c.Ends = append(c.Ends, uint32(len(c.Bytes)))
}

// BeginStruct appends a struct, as the value of a row or an element, and returns its number: the
// row for the members' values that are appended next.
func (c *Column) BeginStruct() int {
	c.Structs++
	return c.Structs - 1
}

// EndList ends a row of a LIST, whose elements were appended before.
func (c *Column) EndList() { c.Lists = append(c.Lists, uint32(c.Elements())) }

// Elements returns the number of values: in a List, of all rows together.
func (c *Column) Elements() int {
	switch c.Spec.Type {
	case schema.String, schema.Binary:
		if c.Spec.Encoding == schema.Varied {
			return len(c.Ends)
		}
		return len(c.Codes)
	case schema.Int32:
		return len(c.Small)
	case schema.Boolean:
		return len(c.Bools)
	case schema.Float:
		return len(c.Floats)
	case schema.Double:
		return len(c.Reals)
	case schema.Struct:
		return c.Structs
	}
	return len(c.Ints)
}

// Values returns the number of rows that have a value.
func (c *Column) Values() int {
	if c.Spec.List {
		return len(c.Lists)
	}
	return c.Elements()
}

// Has reports whether a row has a value.
func (c *Column) Has(row int) bool {
	return !c.Spec.Nullable || c.Valid.Has(row)
}

// check reports a column whose length does not match the number of rows.
func (c *Column) check(rows int) error {
	want := rows
	if c.Spec.Nullable {
		want = c.Valid.Count()
	}
	if got := c.Values(); got != want || c.Valid.Len() > rows {
		return fmt.Errorf("column %s has %d values in %d rows, want %d", c.Spec.Name, got, rows, want)
	}
	if ended := c.ended(); c.Spec.List && ended != c.Elements() {
		return fmt.Errorf("column %s has %d elements, %d in its lists", c.Spec.Name, c.Elements(), ended)
	}
	for i := range c.Members {
		if err := c.Members[i].check(c.Structs); err != nil {
			return fmt.Errorf("%s: %w", c.Spec.Name, err)
		}
	}
	return nil
}

// ended returns the number of elements in complete lists.
func (c *Column) ended() int {
	if len(c.Lists) == 0 {
		return 0
	}
	return int(c.Lists[len(c.Lists)-1])
}

// memory returns the bytes in use, as if Valid were a list, because row groups end by this number.
func (c *Column) memory() int64 {
	n := int64(c.Valid.Len() + 8*len(c.Ints) + 4*len(c.Small) + len(c.Bools) + 4*len(c.Floats) + 8*len(c.Reals) +
		4*len(c.Codes) + 4*len(c.Ends) + len(c.Bytes) + 4*len(c.Lists))
	for i := range c.Members {
		n += c.Members[i].memory()
	}
	return n
}

// capacity returns the number of bytes allocated for values.
func (c *Column) capacity() int64 {
	n := int64(cap(c.Valid.list) + 8*cap(c.Ints) + 4*cap(c.Small) + cap(c.Bools) + 4*cap(c.Floats) + 8*cap(c.Reals) +
		4*cap(c.Codes) + 4*cap(c.Ends) + cap(c.Bytes) + 4*cap(c.Lists))
	for i := range c.Members {
		n += c.Members[i].capacity()
	}
	return n
}

// Micros rounds ns down to us, the unit of time columns.
func Micros(ns int64) int64 {
	us := ns / 1000
	if ns%1000 < 0 {
		us--
	}
	return us
}
