package export

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
)

// open starts to read a table of a trace. The caller must release the rows.
func open[T any](ctx context.Context, t *etl2parquet.Trace, s etl2parquet.Scan, name string) (*recordbatch.Reader[T], error) {
	rows := recordbatch.NewReader[T]()
	return rows, openCursor(ctx, t, s, name, &rows.Cursor)
}

func openCursor(ctx context.Context, t *etl2parquet.Trace, s etl2parquet.Scan, name string, rows *recordbatch.Cursor) error {
	table, err := t.Table(name)
	if err != nil {
		return err
	}
	return rows.Open(table.Definition, func(columns []string) (array.RecordReader, error) {
		s.Table, s.Columns, s.Limit = name, columns, 0
		return t.Scan(ctx, s)
	})
}

// eachRow calls do for each row of a table, until it returns an error.
func eachRow[T any](ctx context.Context, t *etl2parquet.Trace, s etl2parquet.Scan, name string, do func(row *T) error) error {
	rows, err := open[T](ctx, t, s, name)
	if err != nil {
		return err
	}
	defer rows.Release()
	for rows.Next() {
		if err := do(&rows.Row); err != nil {
			return err
		}
	}
	return rows.Err()
}
