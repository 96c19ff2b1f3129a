package answers

import (
	"context"
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
)

// Ask answers the statements of a source: over a dataset if it uses one, else over tables of the traces, from the cache
// or made in a temporary folder. find, unless nil, finds the traces, if they are needed. Ask sets the temporary folder
// and the threads of the options, and ends the program.
func (t *Traces) Ask(ctx context.Context, d *DuckDB, source *Source, find func() error, o *Options) error {
	defer d.Close()
	return t.WithFolder(func(folder string) (err error) {
		o.Temp, o.Threads = folder, t.Options.Workers
		if source.pieces != nil {
			return d.Run(ctx, source, o)
		}
		if err := d.plan(ctx, source, o); err != nil { // first: an error in the SQL needs no trace
			return err
		}
		if find != nil {
			if err := find(); err != nil {
				return err
			}
		}
		made, err := t.tables(ctx, source, o.Temp)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, made.close()) }()
		return d.Run(ctx, source, o)
	})
}

// WithFolder calls do with a temporary folder.
func (t *Traces) WithFolder(do func(folder string) error) (err error) {
	folder, err := temporary.NewFolder(t.Options.TempDir, "etl2parquet-query-")
	if err != nil {
		return fmt.Errorf("the folder for temporary files: %w", err)
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	return do(folder.Path())
}
