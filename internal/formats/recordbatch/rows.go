package recordbatch

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Rows reads the rows of record batches one by one. Columns are numbered as in the batches. What it
// returns shares the memory of the batch, and is valid until the next row: clone a text that is kept.
// A column of another type has no values: descriptions in a trace may give a field any type.
type Rows struct {
	reader  array.RecordReader
	columns []arrow.Array
	at, end int
}

// NewRows returns the rows of a reader, before the first one. Release releases the reader.
func NewRows(reader array.RecordReader) *Rows { return &Rows{reader: reader, at: -1} }

// Next goes to the next row, or returns false after the last one and after an error.
func (r *Rows) Next() bool {
	for r.at++; r.at >= r.end; {
		if !r.reader.Next() {
			r.at, r.end = 0, 0
			return false
		}
		batch := r.reader.RecordBatch()
		r.columns, r.at, r.end = batch.Columns(), 0, int(batch.NumRows())
	}
	return true
}

// Err returns the error that ended the rows.
func (r *Rows) Err() error { return r.reader.Err() }

// Release releases the reader.
func (r *Rows) Release() { r.reader.Release() }

// Columns returns the number of columns.
func (r *Rows) Columns() int { return len(r.columns) }

// Has reports whether the row has a value in a column.
func (r *Rows) Has(column int) bool { return !r.columns[column].IsNull(r.at) }

// Int returns the value of a column of integers or times, and false for NULL. A UINT64 has its bits.
func (r *Rows) Int(column int) (int64, bool) {
	if !r.Has(column) {
		return 0, false
	}
	switch a := r.columns[column].(type) {
	case *array.Int32:
		return int64(a.Value(r.at)), true
	case *array.Int64:
		return a.Value(r.at), true
	case *array.Uint64:
		return int64(a.Value(r.at)), true
	case *array.Timestamp:
		return int64(a.Value(r.at)), true
	}
	return 0, false
}

// Text returns the value of a column of texts, "" for NULL.
func (r *Rows) Text(column int) string {
	if a, ok := r.columns[column].(*array.String); ok && r.Has(column) {
		return a.Value(r.at)
	}
	return ""
}

// Bytes returns the value of a column of bytes, and false for NULL.
func (r *Rows) Bytes(column int) ([]byte, bool) {
	if a, ok := r.columns[column].(*array.Binary); ok && r.Has(column) {
		return a.Value(r.at), true
	}
	return nil, false
}

// List returns the values of a column of lists, and the half-open range of the row's values, which is
// empty for NULL.
func (r *Rows) List(column int) (values arrow.Array, from, to int) {
	list, ok := r.columns[column].(*array.List)
	if !ok || !r.Has(column) {
		return nil, 0, 0
	}
	first, end := list.ValueOffsets(r.at)
	return list.ListValues(), int(first), int(end)
}
