package recordbatch

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Reader reads the rows of a table one by one into a T: a struct whose fields name their columns in the
// tag `column:"process_id"`. Embedded structs add their fields. A field is an int64 or *int64 (integers and
// times; a UINT64 has its bits), string, []byte, []string, or []uint64. NULL is nil, "", or 0, or the number
// in the tag `null:"-1"`; an empty value of a slice is not nil. For an event without a time, an int64 of
// time_ns is that of the row before, or after the first rows: its position in the order of events.
//
// A reader has no rows until it is opened.
type Reader[T any] struct {
	// Row is the current row, which the caller must not change. Its texts and slices share memory with the
	// batch, and are valid until the next row: clone what is kept.
	Row T
	Cursor
}

// NewReader returns a reader that is not open.
func NewReader[T any]() *Reader[T] {
	r := new(Reader[T])
	r.fields = fieldsOf(reflect.ValueOf(&r.Row).Elem())
	return r
}

// Cursor is the position of a reader, whatever the type of its rows.
type Cursor struct {
	reader    array.RecordReader // nil: there are no rows
	fields    []field
	row, rows int // of the batch
}

// Open starts to read a table. scan reads the columns with the names it is given, those of the row that the
// table has; the column trace needs no asking. A column that the table of a provider's event lacks or has
// with another type is NULL: descriptions in a trace decide what it has. In all other tables it is an error.
// The caller must release the cursor.
func (c *Cursor) Open(table *schema.Table, scan func(columns []string) (array.RecordReader, error)) (err error) {
	columns, missing := c.columns(table)
	if isFixed := table.Event == (schema.Identity{}); isFixed && missing != nil {
		return fmt.Errorf("the table %s lacks columns of a row: %s", table.Name, strings.Join(missing, ", "))
	}
	c.reader, err = scan(columns)
	return err
}

// Missing returns the columns of a row that a table lacks, or has with a type that does not fit.
func (c *Cursor) Missing(table *schema.Table) []string {
	_, missing := c.columns(table)
	return missing
}

// columns returns the columns of the fields that a table has, and those that it lacks.
func (c *Cursor) columns(table *schema.Table) (columns, missing []string) {
	for i := range c.fields {
		f := &c.fields[i]
		column := table.Column(f.column)
		switch {
		case f.column == schema.TraceColumn.Name:
		case column < 0 || !f.fits(&table.Columns[column]):
			missing = append(missing, f.column)
		case !slices.Contains(columns, f.column):
			columns = append(columns, f.column)
		}
	}
	return columns, missing
}

// field is a field of a row.
type field struct {
	column  string
	types   []schema.Type // of columns that fit
	isList  bool
	isEarly bool // of time_ns, before the first time
	setNull func()
	// bind returns a function that sets the field to a value of an array, or nil if the array has another type.
	bind func(a arrow.Array) (set func(row int))

	// Of the batch:
	set   func(row int) // nil if the field stays NULL
	nulls arrow.Array   // nil if no value is NULL
}

// fieldsOf returns the fields of a struct.
func fieldsOf(s reflect.Value) (list []field) {
	for i := range s.NumField() {
		if f := s.Type().Field(i); f.Anonymous {
			list = append(list, fieldsOf(s.Field(i))...)
		} else {
			list = append(list, newField(s.Field(i).Addr().Interface(), f.Tag))
		}
	}
	return list
}

// newField returns the field with a pointer to it, and makes it NULL.
func newField(pointer any, tag reflect.StructTag) (f field) {
	name := tag.Get("column")
	null, err := strconv.ParseInt(cmp.Or(tag.Get("null"), "0"), 10, 64)
	if name == "" || err != nil {
		panic(fmt.Sprintf("recordbatch: the tag of a field of a row is %q", tag))
	}
	switch p := pointer.(type) {
	case *int64:
		f = fieldWith(p, null, func(a arrow.Array) func(int) { return integerSetter(p, a) }, integers...)
		f.isEarly = name == schema.TimeColumn
	case **int64:
		n := new(int64)
		f = fieldWith(p, nil, func(a arrow.Array) func(int) {
			if set := integerSetter(n, a); set != nil {
				return func(row int) { set(row); *p = n }
			}
			return nil
		}, integers...)
	case *string:
		f = fieldWith(p, "", binder(p, (*array.String).Value), schema.String)
	case *[]byte:
		f = fieldWith(p, nil, binder(p, bytesOf), schema.Binary)
	case *[]string:
		f = fieldWith(p, nil, binder(p, listOf((*array.String).Value)), schema.String)
		f.isList = true
	case *[]uint64:
		f = fieldWith(p, nil, binder(p, listOf((*array.Uint64).Value)), schema.Uint64)
		f.isList = true
	default:
		panic(fmt.Sprintf("recordbatch: a field of a row is a %T", pointer))
	}
	f.column = name
	return f
}

// fieldWith returns a field, and sets it to what NULL is.
func fieldWith[V any](p *V, null V, bind func(a arrow.Array) func(row int), types ...schema.Type) field {
	*p = null
	return field{types: types, setNull: func() { *p = null }, bind: bind}
}

// binder returns the function bind of a field.
func binder[A arrow.Array, V any](p *V, value func(a A, row int) V) func(a arrow.Array) func(row int) {
	return func(a arrow.Array) func(int) {
		if a, ok := a.(A); ok {
			return func(row int) { *p = value(a, row) }
		}
		return nil
	}
}

// integers are the types of columns for integers.
var integers = []schema.Type{schema.Int32, schema.Int64, schema.Uint64, schema.Timestamp}

// integerSetter returns a function that sets a field to a value of an array, or nil if it has no integers.
func integerSetter(p *int64, a arrow.Array) func(row int) {
	switch a := a.(type) {
	case *array.Int32:
		return func(row int) { *p = int64(a.Value(row)) }
	case *array.Int64:
		return func(row int) { *p = a.Value(row) }
	case *array.Uint64:
		return func(row int) { *p = int64(a.Value(row)) }
	case *array.Timestamp:
		return func(row int) { *p = int64(a.Value(row)) }
	}
	return nil
}

// bytesOf returns a value, not nil if it is empty.
func bytesOf(a *array.Binary, row int) []byte {
	if v := a.Value(row); v != nil {
		return v
	}
	return []byte{}
}

// listOf returns a function that returns lists, all in the same memory; nil if the elements have another type.
func listOf[A arrow.Array, V any](value func(elements A, i int) V) func(a *array.List, row int) []V {
	list := make([]V, 0, 64)
	return func(a *array.List, row int) []V {
		elements, ok := a.ListValues().(A)
		if !ok {
			return nil
		}
		list = list[:0]
		from, to := a.ValueOffsets(row)
		for i := from; i < to; i++ {
			list = append(list, value(elements, int(i)))
		}
		return list
	}
}

// fits reports whether the field can have the values of a column.
func (f *field) fits(c *schema.Column) bool {
	return c.List == f.isList && slices.Contains(f.types, c.Type)
}

// Next goes to the next row, or returns false after the last one and after an error.
func (c *Cursor) Next() bool {
	c.row++
	for c.row >= c.rows {
		if c.reader == nil || !c.reader.Next() {
			c.rows = 0
			return false
		}
		c.begin(c.reader.RecordBatch())
	}
	for i := range c.fields {
		switch f := &c.fields[i]; {
		case f.set == nil:
		case f.nulls != nil && f.nulls.IsNull(c.row):
			f.setNull()
		default:
			f.set(c.row)
		}
	}
	return true
}

// begin goes to the first row of a batch.
func (c *Cursor) begin(batch arrow.RecordBatch) {
	c.row, c.rows = 0, int(batch.NumRows())
	for i := range c.fields {
		f := &c.fields[i]
		columns := batch.Schema().FieldIndices(f.column)
		if len(columns) == 0 {
			continue
		}
		values := batch.Column(columns[0])
		f.set, f.nulls = f.bind(values), nil
		if values.NullN() > 0 {
			f.nulls = values
		}
		for row := 0; f.isEarly && f.set != nil && row < c.rows; row++ {
			if values.IsValid(row) { // rows without a time have that of the row before, from now on
				f.set(row)
				f.isEarly, f.setNull = false, func() {}
			}
		}
	}
}

// Err returns the error that ended the rows.
func (c *Cursor) Err() error {
	if c.reader == nil {
		return nil
	}
	return c.reader.Err()
}

// Release releases the rows.
func (c *Cursor) Release() {
	if c.reader != nil {
		c.reader.Release()
	}
}
