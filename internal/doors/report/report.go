package report

import (
	"context"
	"errors"
	"io"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
)

// Options control a report. The zero value makes a page without the tables of the views.
type Options struct {
	// Scan selects the events of the page. Its table and columns must be empty.
	Scan etl2parquet.Scan
	// SQL runs the statements for the tables of the views; nil if no DuckDB was found.
	SQL Runner
	// NoSQL says why there are no tables of the views, for the page; "" if there are.
	NoSQL string
}

// shares are the shares of samples below which frames are left out, each if the page with the one before is
// too large.
var shares = []float64{0, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 1}

// Write reads the traces and writes a page about them. The errors of single traces do not end the
// others: the page is complete without them, and Write returns them, joined.
func Write(ctx context.Context, traces *etl2parquet.Traces, w io.Writer, o Options) error {
	g, err := newAggregate(ctx, traces, o.Scan)
	if err != nil {
		return err
	}
	if g.tables, err = g.lines(); err != nil {
		return err
	}
	if o.SQL != nil {
		err := g.readTables(o.SQL)
		if none := new(UnavailableError); errors.As(err, &none) {
			o.NoSQL = none.Why
		} else if err != nil {
			return err
		}
	}
	text, err := g.page(o)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	return g.source.failures()
}

// page returns the page, cut until it is small enough.
func (g *aggregate) page(o Options) (text []byte, err error) {
	for i, share := range shares {
		t := g.tree
		if t != nil && share > 0 {
			t = t.prune(share)
		}
		if t != nil && len(t.cells) > maxCells && share < 1 {
			continue
		}
		d := g.document(t)
		d.Program = "etl2parquet " + version.Of()
		d.setTables(g.tables, mostRows>>i)
		if o.NoSQL != "" {
			d.Notes = append(d.Notes, o.NoSQL)
		}
		if text, err = page(d); err != nil || len(text) < MaxPage {
			return text, err
		}
	}
	return nil, errors.New("the page is too large")
}

// maxCells bounds the cells of a page before they are compressed: a page with more is too large.
const maxCells = 600_000
