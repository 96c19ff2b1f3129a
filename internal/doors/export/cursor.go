package export

import (
	"context"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
)

// cursor reads the rows of a table one by one.
type cursor struct{ *recordbatch.Rows }

// scanTable begins to read columns of a table. The cursor must be released.
func scanTable(ctx context.Context, t *etl2parquet.Trace, s etl2parquet.Scan, table string, columns ...string) (*cursor, error) {
	s.Table, s.Columns, s.Limit = table, columns, 0
	reader, err := t.Scan(ctx, s)
	if err != nil {
		return nil, err
	}
	return &cursor{recordbatch.NewRows(reader)}, nil
}

// number returns the integer in a column, or -1 for NULL.
func (c *cursor) number(column int) int64 {
	if v, ok := c.Int(column); ok {
		return v
	}
	return -1
}

// eachRow calls do for each row of columns of a table, until it returns an error.
func eachRow(ctx context.Context, t *etl2parquet.Trace, s etl2parquet.Scan, table string, columns []string, do func(c *cursor) error) error {
	c, err := scanTable(ctx, t, s, table, columns...)
	if err != nil {
		return err
	}
	defer c.Release()
	for c.Next() {
		if err := do(c); err != nil {
			return err
		}
	}
	return c.Err()
}
