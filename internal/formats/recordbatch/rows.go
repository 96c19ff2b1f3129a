package recordbatch

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Rows reads the rows of record batches one by one. Columns are numbered as in the batches. What it
// returns shares the memory of the batch, and is valid until the next row: clone a text that is kept.
// A column of another type has no values: descriptions in a trace may give a field any type.
type Rows struct {
	reader  array.RecordReader
	columns []arrow.Array
	at, end int

	time   int     // the column of times, or -1
	places []int64 // the times of the batch, or of the rows before, if some rows have none; else nil
}

// NewRows returns the rows of a reader, before the first one. Release releases the reader.
func NewRows(reader array.RecordReader) *Rows { return &Rows{reader: reader, at: -1, time: -1} }

// Next goes to the next row, or returns false after the last one and after an error.
func (r *Rows) Next() bool {
	for r.at++; r.at >= r.end; {
		if !r.reader.Next() {
			r.at, r.end = 0, 0
			return false
		}
		batch := r.reader.RecordBatch()
		r.begin(batch)
	}
	return true
}

// begin goes to the first row of a batch.
func (r *Rows) begin(batch arrow.RecordBatch) {
	before := r.placeBefore()
	r.columns, r.at, r.end = batch.Columns(), 0, int(batch.NumRows())
	r.time, r.places = -1, nil
	if list := batch.Schema().FieldIndices(schema.TimeColumn); len(list) > 0 {
		r.time = list[0]
	}
	times, ok := r.times()
	if !ok || times.NullN() == 0 || times.NullN() == r.end && before == nil {
		return
	}
	r.places = make([]int64, r.end)
	for i := 0; before == nil; i++ {
		if times.IsValid(i) {
			first := times.Value(i)
			before = &first
		}
	}
	place := *before
	for i := range r.places {
		if times.IsValid(i) {
			place = times.Value(i)
		}
		r.places[i] = place
	}
}

// placeBefore returns the time of the last row of the batch, if it has one.
func (r *Rows) placeBefore() *int64 {
	times, ok := r.times()
	switch {
	case r.end == 0 || !ok:
		return nil
	case r.places != nil:
		return &r.places[r.end-1]
	case times.IsNull(r.end - 1):
		return nil
	}
	last := times.Value(r.end - 1)
	return &last
}

// times returns the column of times.
func (r *Rows) times() (times *array.Int64, ok bool) {
	if r.time < 0 {
		return nil, false
	}
	times, ok = r.columns[r.time].(*array.Int64)
	return times, ok
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
// For an event without a time, time_ns is that of the row before, or after the first rows: its place
// in the order of events.
func (r *Rows) Int(column int) (int64, bool) {
	if column == r.time && r.places != nil {
		return r.places[r.at], true
	}
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
