package pcapng

import (
	"context"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
)

// row reads the rows of a table of all traces, one by one.
type row struct {
	reader  array.RecordReader
	names   map[string]int // places of the columns
	columns []arrow.Array
	at      int
	rows    int
}

// scan begins to read those of some columns that a table has. It returns nil if no trace knows the
// table, or if none has rows of it. The row must be closed.
func scan(ctx context.Context, t *etl2parquet.Traces, s etl2parquet.Scan, table string, columns ...string) (*row, error) {
	known, err := t.Table(table)
	switch {
	case errors.Is(err, etl2parquet.ErrNoTable) || err == nil && known.Rows == 0:
		return nil, nil
	case err != nil:
		return nil, err
	}
	r := &row{names: map[string]int{"trace": 0}, at: -1}
	s.Table, s.Columns, s.Limit = table, nil, 0
	for _, name := range columns {
		if known.Definition.Column(name) >= 0 {
			s.Columns = append(s.Columns, name)
			r.names[name] = len(s.Columns)
		}
	}
	r.reader, err = t.Scan(ctx, s)
	return r, err
}

// next goes to the next row, or returns false after the last one and after an error.
func (r *row) next() bool {
	for r.at++; r.at >= r.rows; {
		if !r.reader.Next() {
			r.at, r.rows = 0, 0
			return false
		}
		batch := r.reader.RecordBatch()
		r.columns, r.at, r.rows = batch.Columns(), 0, int(batch.NumRows())
	}
	return true
}

func (r *row) close() { r.reader.Release() }

// column returns a column, or nil if it is absent or the row has NULL there.
func (r *row) column(name string) arrow.Array {
	at, ok := r.names[name]
	if !ok || r.columns[at].IsNull(r.at) {
		return nil
	}
	return r.columns[at]
}

// has reports whether the row has a value in a column.
func (r *row) has(name string) bool { return r.column(name) != nil }

// number returns an integer, or -1 if there is none.
func (r *row) number(name string) int64 {
	switch a := r.column(name).(type) {
	case *array.Int32:
		return int64(a.Value(r.at))
	case *array.Int64:
		return a.Value(r.at)
	case *array.Uint64:
		return int64(a.Value(r.at))
	}
	return -1
}

// unsigned returns an unsigned integer, or 0 if there is none.
func (r *row) unsigned(name string) uint64 {
	if a, ok := r.column(name).(*array.Uint64); ok {
		return a.Value(r.at)
	}
	return 0
}

// text returns a text, or "" if there is none. It shares memory with the record batch.
func (r *row) text(name string) string {
	if a, ok := r.column(name).(*array.String); ok {
		return a.Value(r.at)
	}
	return ""
}

// bytes returns bytes, and whether there are any. They share memory with the record batch.
func (r *row) bytes(name string) ([]byte, bool) {
	if a, ok := r.column(name).(*array.Binary); ok {
		return a.Value(r.at), true
	}
	return nil, false
}
