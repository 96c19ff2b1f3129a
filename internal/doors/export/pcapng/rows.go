package pcapng

import (
	"context"
	"errors"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
)

// open starts to read a table of all traces. A table that no trace knows, has no rows. The caller must release
// the rows.
func open[T any](ctx context.Context, t *etl2parquet.Traces, s etl2parquet.Scan, name string) (*recordbatch.Reader[T], error) {
	rows := recordbatch.NewReader[T]()
	table, err := t.Table(name)
	if errors.Is(err, etl2parquet.ErrNoTable) {
		return rows, nil
	}
	if err != nil {
		return nil, err
	}
	return rows, rows.Open(table.Definition, func(columns []string) (array.RecordReader, error) {
		if table.Rows == 0 {
			return nil, nil
		}
		s.Table, s.Columns, s.Limit = name, columns, 0
		return t.Scan(ctx, s)
	})
}
