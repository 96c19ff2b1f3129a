package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/filehash"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Source is a trace after its index pass, of which rows can be made any number of
// times. It is safe for use from many goroutines.
type Source struct {
	Input Input
	Index *index.Index
	name  string // of the trace

	context  uint64 // see contextOf
	messages catalog.MessageMode
}

// OpenSource makes the index pass of an input, or takes its index from o.Index. The
// source must be closed, before the input is. Of the options it needs Workers and
// Memory; it heeds Schemas, Messages, MaxTables, Index, TempDir and Progress, and with
// Once also Selection and Symbols.
func OpenSource(ctx context.Context, in Input, o *Options) (*Source, error) {
	x, err := o.openIndex(ctx, &in)
	if err != nil {
		return nil, in.Because(err)
	}
	return &Source{
		Input: in, Index: x, name: cmp.Or(in.As, partname.OfTraces([]string{in.Name})[0]),
		context: contextOf(&in, o), messages: o.Messages,
	}, nil
}

// Name returns the name of the trace: what the column trace says.
func (s *Source) Name() string { return s.name }

// Rename gives the trace another name. No rows may be made at the same time.
func (s *Source) Rename(name string) { s.name = name }

// Close gives up what the index needs. Nothing must use the source any more.
func (s *Source) Close() error { return s.Index.Close() }

// Rows makes the rows that o.Selection takes, and gives them to a sink as soon as
// it can: those of events in the order of time, and after them those of the other
// tables. It returns what of the selection matches nothing in the trace. With o.Strict
// a trace that is damaged is an error, and a selection that takes nothing. Of a split
// that [Source.Select] has selected it returns no mismatches.
//
// A sink that ends the pass early does so by an error of its own, which Rows
// returns.
func (s *Source) Rows(ctx context.Context, o *Options, sink Sink) ([]selection.Mismatch, error) {
	x := s.Index.ForRows()
	if o.Strict && x.Problems.Damaged() {
		return nil, fmt.Errorf("%w: %s", ErrStrict, x.Problems.FirstDamage())
	}
	filter, err := rows.NewFilter(&o.Selection, x)
	if err != nil {
		return nil, err
	}
	if o.part != nil {
		filter.Within = filter.Within.Intersect(*o.part)
		if err := s.rows(ctx, x, filter, o, sink); err != nil {
			return nil, s.Input.Because(err)
		}
		return nil, s.Input.Unchanged()
	}
	mismatches := filter.Mismatches(x)
	if err := s.rows(ctx, x, filter, o, sink); err != nil {
		return mismatches.List, s.Input.Because(err)
	}
	filter.Afterwards(&mismatches, x)
	err = s.Input.Unchanged()
	if o.Strict {
		err = errors.Join(err, mismatches.Err())
	}
	return mismatches.List, err
}

// Mismatches returns what of a selection matches nothing in the trace, as far as the index
// tells: names and bounds of the time.
func (s *Source) Mismatches(of *selection.Selection) (selection.Mismatches, error) {
	filter, err := rows.NewFilter(of, s.Index)
	if err != nil {
		return selection.Mismatches{}, err
	}
	return filter.Mismatches(s.Index), nil
}

func (s *Source) rows(ctx context.Context, x *index.Index, f *rows.Filter, o *Options, sink Sink) error {
	of := s.identity()
	if o.Selection.WantsTable(schema.Traces.Name) {
		hash := filehash.New(s.Input.Trace, s.Input.Size)
		if err := hash.Read(ctx, o.Workers); err != nil {
			return err
		}
		of.SHA256, of.ChunksSHA256 = hash.Whole(), hash.Sum()
	}
	p := newPipeline(x, o, f, sink)
	p.streaming = true
	p.plan.Refine(x, f.Within)
	if _, err := runPipeline(ctx, x, p, o.Workers); err != nil {
		return err
	}
	return writeFixed(ctx, x, of, f, sink, o.Workers, (*fixedTable).isAny)
}

// identity returns what the tables say of the input, without its hashes.
func (s *Source) identity() fixed.Source {
	return fixed.Source{Trace: s.name, File: filepath.Base(s.Input.Name)}
}

// SourceTable is a table that rows can be made of.
type SourceTable struct {
	*schema.Table
	Rows int64 // -1 if they are not known before they are made
}

// Tables returns the table of all events, and then the tables in which the trace has
// rows, or may have: those of events, and the others.
func (s *Source) Tables() []SourceTable {
	x := s.Index
	counts := eventRows(x)
	list := []SourceTable{{schema.EventsTable(), x.Events}}
	for _, t := range x.Catalog.EventTables() {
		if n := counts[t]; n != 0 {
			list = append(list, SourceTable{t, n})
		}
	}
	for _, t := range fixedTables(s.identity()) {
		n := int64(t.rows(x))
		if t.table == schema.Problems {
			n = -1 // making rows may find more
		}
		if n != 0 {
			list = append(list, SourceTable{t.table, n})
		}
	}
	return list
}

// eventRows counts the rows that tables of events have: -1 is a number that is not
// known.
func eventRows(x *index.Index) map[*schema.Table]int64 {
	counts := make(map[*schema.Table]int64)
	headers := schema.HeaderTables()
	for t, n := range x.ByHeader {
		counts[headers[decode.HeaderType(t).Family()]] += n
	}
	for i := range x.Types {
		if t := x.Catalog.Kinds[i].Literal.Table; t != nil {
			counts[t.Table] += x.Types[i].Events
		}
	}
	if x.UnlistedEvents > 0 { // any of them may have a row in any of these
		for _, t := range x.Catalog.Tables {
			counts[t.Table] = -1
		}
	}
	if x.Tables().Stacks.Any() {
		counts[schema.StackEvents], counts[schema.Stacks] = -1, -1
	}
	return counts
}
