package report

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// Options control a report. The zero value makes a page without the tables of the views.
type Options struct {
	// Scan selects the events of the page. Its table and columns must be empty.
	Scan  etl2parquet.Scan
	Views *views.Set // nil: the program's
	// SQL runs the statements for the tables of the views; nil if no DuckDB was found.
	SQL Runner
	// AgainstSQL is SQL for the other traces of [Compare].
	AgainstSQL Runner
	// NoSQL says why there are no tables of the views, for the page; "" if there are.
	NoSQL string

	maxPage int // instead of MaxPage, if it is not 0
}

// shares are the shares of samples below which frames are left out, each if the page with the one before is
// too large.
var shares = []float64{0, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 1}

// Write reads the traces and writes a page about them. The errors of single traces and of single statements
// do not end the others: the page is complete without them and says so, and Write returns them, joined.
func Write(ctx context.Context, traces *etl2parquet.Traces, w io.Writer, o Options) error {
	g, err := read(ctx, traces, &o, o.SQL, false)
	if err != nil {
		return err
	}
	text, err := o.fitting(g.tree, func(t *tree, maxRows int) *document {
		d := g.document(t)
		d.setTables(g.tables, maxRows)
		return d.complete(o.NoSQL)
	})
	if err == nil {
		_, err = w.Write(text)
	}
	return errors.Join(err, g.failures())
}

// Compare reads traces, and others that they are compared with, and writes a page that shows both side by
// side. Changes are from the others to the traces. Processes are compared by their names. Errors are as for [Write].
func Compare(ctx context.Context, traces, with *etl2parquet.Traces, w io.Writer, o Options) error {
	a, err := read(ctx, traces, &o, o.SQL, true)
	if err != nil {
		return err
	}
	b, err := read(ctx, with, &o, o.AgainstSQL, true)
	if err != nil {
		return err
	}
	c := newComparison(b, a)
	text, err := o.fitting(c.tree, func(t *tree, _ int) *document { return c.document(t).complete(o.NoSQL) })
	if err == nil {
		_, err = w.Write(text)
	}
	return errors.Join(err, a.failures(), b.failures())
}

// failures returns the errors of single traces and statements.
func (g *aggregate) failures() error {
	return errors.Join(g.source.failures(), errors.Join(g.failed...))
}

// read aggregates traces and reads their tables.
func read(ctx context.Context, traces *etl2parquet.Traces, o *Options, run Runner, compares bool) (*aggregate, error) {
	g, err := newAggregate(ctx, traces, o, compares)
	if err != nil {
		return nil, err
	}
	if !compares {
		if g.tables, err = g.errors(); err != nil {
			return nil, err
		}
	}
	if run != nil {
		err = g.readTables(run)
		if none := new(UnavailableError); errors.As(err, &none) {
			o.NoSQL, err = none.Why, nil
		}
	}
	if err != nil || compares {
		return g, err
	}
	log, err := g.log()
	g.tables = append(g.tables, log...)
	return g, err
}

// complete adds what all pages have.
func (d *document) complete(noSQL string) *document {
	d.Program = "etl2parquet " + version.Of()
	if noSQL != "" {
		d.Notes = append(d.Notes, noSQL)
	}
	return d
}

// fitting returns a page of a tree and of tables with a limit on their rows, cut until it is small enough.
func (o *Options) fitting(full *tree, document func(t *tree, maxRows int) *document) (text []byte, err error) {
	for i, share := range shares {
		t := full
		if t != nil && share > 0 {
			t = t.prune(share)
		}
		if t != nil && len(t.cells) > maxCells && share < 1 {
			continue
		}
		if text, err = page(document(t, mostRows>>i)); err != nil || len(text) < cmp.Or(o.maxPage, MaxPage) {
			return text, err
		}
	}
	return nil, errors.New("the page is too large")
}

// maxCells bounds the cells of a page before they are compressed: a page with more is too large.
const maxCells = 600_000
