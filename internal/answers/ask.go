package answers

import (
	"context"
	"errors"
)

// Ask answers the statements of a source: over a dataset if it uses one, else over tables of the traces that open
// returns, from the cache or made in the temporary folder of the options. It ends the program.
func (d *DuckDB) Ask(ctx context.Context, source *Source, open func() (*Traces, error), o *Options) (err error) {
	defer d.Close()
	if source.pieces != nil {
		return d.Run(ctx, source, o)
	}
	if err := d.plan(ctx, source, o); err != nil { // first: an error in the SQL needs no trace
		return err
	}
	traces, err := open()
	if err != nil {
		return err
	}
	made, err := traces.tables(ctx, source, o.Temp)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, made.close()) }()
	return d.Run(ctx, source, o)
}
