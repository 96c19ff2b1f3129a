package pcapng

import (
	"context"
	"errors"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
)

// row reads the rows of a table of all traces, one by one.
type row struct {
	*recordbatch.Rows
	names map[string]int // places of the columns
}

// scan begins to read those of some columns that a table has. It returns nil if no trace knows the
// table, or if none has rows of it. The row must be released.
func scan(ctx context.Context, t *etl2parquet.Traces, s etl2parquet.Scan, table string, columns ...string) (*row, error) {
	known, err := t.Table(table)
	switch {
	case errors.Is(err, etl2parquet.ErrNoTable) || err == nil && known.Rows == 0:
		return nil, nil
	case err != nil:
		return nil, err
	}
	r := &row{names: map[string]int{"trace": 0}}
	s.Table, s.Columns, s.Limit = table, nil, 0
	for _, name := range columns {
		if known.Definition.Column(name) >= 0 {
			s.Columns = append(s.Columns, name)
			r.names[name] = len(s.Columns)
		}
	}
	reader, err := t.Scan(ctx, s)
	if err != nil {
		return nil, err
	}
	r.Rows = recordbatch.NewRows(reader)
	return r, nil
}

// has reports whether the row has a value in a column.
func (r *row) has(name string) bool {
	at, ok := r.names[name]
	return ok && r.Has(at)
}

// integer returns an integer, and whether there is one.
func (r *row) integer(name string) (int64, bool) {
	at, ok := r.names[name]
	if !ok {
		return 0, false
	}
	return r.Int(at)
}

// number returns an integer, or -1 if there is none.
func (r *row) number(name string) int64 {
	if v, ok := r.integer(name); ok {
		return v
	}
	return -1
}

// unsigned returns the bits of an integer, or 0 if there is none.
func (r *row) unsigned(name string) uint64 {
	v, _ := r.integer(name)
	return uint64(v)
}

// text returns a text, or "" if there is none. It shares memory with the record batch.
func (r *row) text(name string) string {
	if at, ok := r.names[name]; ok {
		return r.Text(at)
	}
	return ""
}

// bytes returns bytes, and whether there are any. They share memory with the record batch.
func (r *row) bytes(name string) ([]byte, bool) {
	if at, ok := r.names[name]; ok {
		return r.Bytes(at)
	}
	return nil, false
}
