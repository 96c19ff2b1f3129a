package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Source is a trace after its index pass. Rows can be made from it any number of times. It is safe
// for use from many goroutines.
type Source struct {
	Input Input
	Index *index.Index
	name  string // of the trace

	context  uint64 // see contextOf
	messages catalog.MessageMode
	redact   *redact.Key // see Options
}

// OpenSource makes the index pass of an input, or reads its index from o.Index. The source must be
// closed before the input is. It needs the options Workers and Memory, and uses Schemas, Messages,
// MaxTables, Index, TempDir and Progress; with Once also Selection and Symbols.
func OpenSource(ctx context.Context, in Input, o *Options) (*Source, error) {
	x, err := o.openIndex(ctx, &in)
	if err != nil {
		return nil, in.Because(err)
	}
	s := &Source{Input: in, Index: x, context: contextOf(&in, x, o), messages: o.Messages, redact: o.Redact}
	s.Rename(cmp.Or(in.As, partname.OfTraces([]string{in.Name})[0]))
	return s, nil
}

// Name returns the name of the trace: the value of the column trace.
func (s *Source) Name() string { return s.name }

// Rename gives the trace another name, or the pseudonym of it if names are replaced. It must not be
// called while rows are made.
func (s *Source) Rename(name string) { s.name = s.redact.TraceName(name) }

// Close releases the index. The source must not be used afterwards.
func (s *Source) Close() error { return s.Index.Close() }

// Rows makes the rows that o.Selection selects, and gives them to a sink as early as possible:
// first those of events in the order of time, then those of the other tables. It returns the parts
// of the selection that match nothing in the trace. With o.Strict, a damaged trace is an error, and
// so is a selection that matches nothing. For a split that [Source.Select] has selected it returns
// no mismatches.
//
// When a table has o.Limit rows, the pass ends. Then Rows returns only the mismatches that the index
// shows. To end the pass for another reason, a sink returns an error of its own, which Rows returns.
func (s *Source) Rows(ctx context.Context, o *Options, sink Sink) ([]facts.Mismatch, error) {
	x := s.Index.ForRows()
	if o.Strict && x.Problems.Damaged() {
		return nil, fmt.Errorf("%w: %s", ErrStrict, x.FirstDamage())
	}
	filter, err := rows.NewFilter(&o.Selection, x)
	if err != nil {
		return nil, err
	}
	filter.First, sink = s.Input.Part.facts(), s.Input.Part.sink(sink)
	if o.part != nil {
		filter.Within = filter.Within.Intersect(*o.part)
		if _, err := s.rows(ctx, x, filter, o, sink); err != nil {
			return nil, s.Input.Because(err)
		}
		return nil, s.Input.Unchanged()
	}
	mismatches := filter.Mismatches(x)
	enough, err := s.rows(ctx, x, filter, o, sink)
	switch {
	case err != nil:
		return mismatches.List, s.Input.Because(err)
	case enough:
		return mismatches.List, s.Input.Unchanged()
	}
	filter.Afterwards(&mismatches, x)
	err = s.Input.Unchanged()
	if o.Strict {
		err = errors.Join(err, mismatches.Err())
	}
	return mismatches.List, err
}

// Mismatches returns the parts of a selection that match nothing in the trace, as far as the index
// shows: names and time bounds.
func (s *Source) Mismatches(of *selection.Selection) (selection.Mismatches, error) {
	filter, err := rows.NewFilter(of, s.Index)
	if err != nil {
		return selection.Mismatches{}, err
	}
	return filter.Mismatches(s.Index), nil
}

// rows makes the rows that a filter selects. It reports whether the limit on rows ended the pass.
func (s *Source) rows(ctx context.Context, x *index.Index, f *rows.Filter, o *Options, sink Sink) (enough bool, err error) {
	of := s.identity()
	if o.Selection.WantsTable(schema.Traces.Name) {
		hash := fileid.NewHash(fileid.XXH3, s.Input.Trace, s.Input.Size)
		if err := hash.Read(ctx, o.Workers); err != nil {
			return false, err
		}
		of.ChunksXXH3 = hash.Sum()
	}
	p := newPipeline(x, o, f, sink)
	p.streaming = !o.Large
	p.plan.Refine(x, f.Within)
	if _, err := runPipeline(ctx, x, p, o.Workers); err != nil || p.enough {
		return p.enough, err
	}
	return writeFixed(ctx, x, of, f, sink, o.Workers, (*fixedTable).isAny, o.limit())
}

// identity returns what the tables contain about the input, without its hashes.
func (s *Source) identity() fixed.Source {
	return fixed.Source{Trace: s.name, File: s.FileName()}
}

// FileName returns the name of the input, without its folder, or a pseudonym of it if names are
// replaced.
func (s *Source) FileName() string {
	if s.redact != nil {
		return redact.FileName(s.name)
	}
	return filepath.Base(s.Input.Name)
}

// SourceTable is a table that rows can be made for.
type SourceTable struct {
	*schema.Table
	Rows int64 // -1 if unknown until they are made
}

// Tables returns the table of all events, and then the tables for which the trace has, or may have,
// rows: those of events, and the others.
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

// eventRows counts the rows of the tables of events: -1 means that the number is unknown.
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
