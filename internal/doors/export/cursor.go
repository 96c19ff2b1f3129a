package export

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
)

// cursor reads the rows of a table one by one.
type cursor struct {
	reader  array.RecordReader
	columns []arrow.Array
	row     int
	rows    int
}

// scanTable begins to read columns of a table. The cursor must be closed.
func scanTable(ctx context.Context, t *etl2parquet.Trace, s etl2parquet.Scan, table string, columns ...string) (*cursor, error) {
	s.Table, s.Columns, s.Limit = table, columns, 0
	reader, err := t.Scan(ctx, s)
	if err != nil {
		return nil, err
	}
	return &cursor{reader: reader, row: -1}, nil
}

// next goes to the next row, or returns false after the last one and after an error.
func (c *cursor) next() bool {
	for c.row++; c.row >= c.rows; {
		if !c.reader.Next() {
			c.row, c.rows = 0, 0
			return false
		}
		batch := c.reader.RecordBatch()
		c.columns, c.row, c.rows = batch.Columns(), 0, int(batch.NumRows())
	}
	return true
}

// err returns the error that ended the rows.
func (c *cursor) err() error { return c.reader.Err() }

func (c *cursor) close() { c.reader.Release() }

// number returns the integer in a column, or -1 for NULL.
func (c *cursor) number(column int) int64 {
	v, ok := c.value(column)
	if !ok {
		return -1
	}
	return v
}

// value returns the integer in a column, and false for NULL.
func (c *cursor) value(column int) (int64, bool) {
	a := c.columns[column]
	if a.IsNull(c.row) {
		return 0, false
	}
	switch a := a.(type) {
	case *array.Int32:
		return int64(a.Value(c.row)), true
	case *array.Int64:
		return a.Value(c.row), true
	case *array.Uint64:
		return int64(a.Value(c.row)), true
	}
	return 0, false
}

// text returns the text in a column, or "" for NULL. It shares memory with the batch.
func (c *cursor) text(column int) string {
	a, ok := c.columns[column].(*array.String)
	if !ok || a.IsNull(c.row) {
		return ""
	}
	return a.Value(c.row)
}

// list returns the values of a list column, and the half-open range of the row's values, which is empty
// for NULL.
func (c *cursor) list(column int) (values arrow.Array, from, to int) {
	list := c.columns[column].(*array.List)
	if list.IsNull(c.row) {
		return nil, 0, 0
	}
	first, end := list.ValueOffsets(c.row)
	return list.ListValues(), int(first), int(end)
}

// eachRow calls do for each row of columns of a table, until it returns an error.
func eachRow(ctx context.Context, t *etl2parquet.Trace, s etl2parquet.Scan, table string, columns []string, do func(c *cursor) error) error {
	c, err := scanTable(ctx, t, s, table, columns...)
	if err != nil {
		return err
	}
	defer c.close()
	for c.next() {
		if err := do(c); err != nil {
			return err
		}
	}
	return c.err()
}
