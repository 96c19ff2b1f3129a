package pipeline

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// learned returns a function that completes an index: if names are replaced, it makes all rows of the
// trace once, to learn the names in them. A selection of some rows would leave out names that other
// rows have.
func (o *Options) learned(ctx context.Context, in *Input) func(*index.Index, error) (*index.Index, error) {
	return func(x *index.Index, err error) (*index.Index, error) {
		if err != nil || o.Redact == nil {
			return x, err
		}
		mask, err := o.learn(ctx, in, x)
		if err != nil {
			return nil, errors.Join(err, x.Close())
		}
		x.Mask = mask
		return x, nil
	}
}

// learn makes all rows of a trace and learns the names in them.
func (o *Options) learn(ctx context.Context, in *Input, x *index.Index) (*redact.Mask, error) {
	names := o.Redact.Learn(redact.Limits{})
	names.Value(redact.Hosts, x.Computer)
	names.File(filepath.Base(in.Name))
	for _, name := range x.Siblings {
		names.File(name)
	}
	for _, d := range x.ByInputs {
		names.File(d.Name)
	}
	all := Options{Workers: o.Workers, Memory: o.Memory, Payload: rows.PayloadNone, Large: true}
	own := x.ForRows()
	filter, err := rows.NewFilter(&selection.Selection{Stored: true}, own)
	if err != nil {
		return nil, err
	}
	if _, _, err := Events(ctx, own, &all, filter, learner{names}, false); err != nil {
		return nil, err
	}
	if err := WriteAllFixed(ctx, own, filter, learner{names}, o.Workers); err != nil {
		return nil, err
	}
	mask, lost := names.Mask()
	if lost {
		x.Problems.Add(facts.Problem{
			Severity: facts.SeverityWarning, Code: "names_not_replaced", Count: 1, Buffer: -1, FileOffset: -1, Position: -1,
			Message: "the trace has more names than can be remembered; some are replaced only where a column or their form tells them",
		})
	}
	return mask, nil
}

// WriteAllFixed gives a sink the rows of all tables that do not hold events.
func WriteAllFixed(ctx context.Context, x *index.Index, f *rows.Filter, sink Sink, workers int) error {
	_, err := writeFixed(ctx, x, fixed.Source{}, f, sink, workers, (*fixedTable).isAny, 1<<62)
	return err
}

// learner is a sink that learns the names in rows and keeps none.
type learner struct{ names *redact.Learner }

// Table implements [Sink].
func (l learner) Table(*schema.Table) (Writer, error) { return l, nil }

// Encode implements [Writer].
func (l learner) Encode(g *Group) (Encoded, error) {
	defer g.Done()
	for _, b := range g.Batches {
		l.names.Batch(b)
	}
	return l, nil
}

// Commit implements [Encoded].
func (l learner) Commit() error { return nil }

// masked returns a sink that passes on rows with names replaced; m may be nil.
func masked(to Sink, m *redact.Mask) Sink {
	if m == nil {
		return to
	}
	return maskedSink{to, m}
}

type maskedSink struct {
	sink Sink
	mask *redact.Mask
}

// Table implements [Sink].
func (s maskedSink) Table(t *schema.Table) (Writer, error) {
	w, err := s.sink.Table(t)
	return maskedWriter{w, s.mask}, err
}

type maskedWriter struct {
	writer Writer
	mask   *redact.Mask
}

// Encode implements [Writer].
func (w maskedWriter) Encode(g *Group) (Encoded, error) {
	for _, b := range g.Batches {
		w.mask.Batch(b)
	}
	return w.writer.Encode(g)
}
