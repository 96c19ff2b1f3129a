package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The errors for a split that cannot be read.
var (
	ErrChanged = errors.New("the trace is not the one that the splits were made of")
	ErrContext = errors.New("the splits were made with other descriptions of events, other traces of the session, or other messages")
)

// PlannedSplit is a split with the facts about its rows that are known before they are read.
type PlannedSplit struct {
	*splits.Split
	Rows        int64     // -1 if unknown
	First, Last time.Time // no row is before or after; zero if the table has no times or the split has no rows
}

// Splits divides the rows of a table that o.Selection selects into at most n parts. The rows of the
// parts, one part after another, are all rows of the table in order. A table that does not hold
// events, or has no rows, has one part. The parts depend only on the trace and the selection.
func (s *Source) Splits(t *schema.Table, o *Options, n int) ([]PlannedSplit, error) {
	if n < 1 {
		return nil, fmt.Errorf("%d splits: there must be 1 or more", n)
	}
	id, err := s.Index.Identity()
	if err != nil {
		return nil, s.Input.Because(err)
	}
	chosen := o.Selection
	chosen.Tables, chosen.Columns = []string{t.Name}, nil
	filter, err := rows.NewFilter(&chosen, s.Index)
	if err != nil {
		return nil, err
	}
	filter.Within = slabs.Whole().Intersect(filter.Within) // it may end before it begins
	split := splits.Split{
		Path: s.Input.Name, Table: t.Name, Range: filter.Within, Selection: chosen.Selection,
		Payload: o.Payload, Messages: s.messages, Trace: id, Context: s.context,
	}
	split.Selection.From, split.Selection.To = facts.TimeBound{}, facts.TimeBound{}
	count := s.rowsOf(t)
	if !isCut(t) {
		return []PlannedSplit{{Split: &split, Rows: count}}, nil
	}
	var list []PlannedSplit
	parts := filter.Cut(s.Index, n, t == schema.StackEvents)
	for i := range parts {
		part := s.planned(split, &parts[i])
		if isAll := len(parts) == 1 && !chosen.ChoosesEvents() && filter.Within == slabs.Whole(); isAll || count == 0 {
			part.Rows = count
		}
		list = append(list, part)
	}
	return list, nil
}

// planned returns the split of a part.
func (s *Source) planned(of splits.Split, p *slabs.Part) PlannedSplit {
	of.Range = p.Slab
	if !p.HasEvents {
		return PlannedSplit{Split: &of}
	}
	clock := &s.Index.Clock
	return PlannedSplit{&of, -1, facts.Instant(clock.UnixNano(p.First)).Time(), facts.Instant(clock.UnixNano(p.Last)).Time()}
}

// isCut reports whether a table can have several splits: its rows must be of events, and
// independent of each other.
func isCut(t *schema.Table) bool {
	return t == schema.StackEvents || !slices.Contains(schema.FixedTables(), t)
}

// rowsOf returns the number of rows of a table, or -1 if unknown.
func (s *Source) rowsOf(t *schema.Table) int64 {
	for _, known := range s.Tables() {
		if known.Table.Name == t.Name {
			return known.Rows
		}
	}
	return 0
}

// Select makes o select exactly the rows of a split; o.Selection.Columns is kept. The error is
// [ErrChanged] or [ErrContext] if the split does not belong to this trace as it is opened.
func (s *Source) Select(p *splits.Split, o *Options) error {
	id, err := s.Index.Identity()
	switch {
	case err != nil:
		return s.Input.Because(err)
	case id != p.Trace:
		return cmp.Or(s.Input.Unchanged(), ErrChanged)
	case s.context != p.Context || s.messages != p.Messages:
		return ErrContext
	}
	part := p.Range
	o.part, o.Payload = &part, p.Payload
	o.Selection = selection.Selection{Selection: p.Selection, Tables: []string{p.Table}, Columns: o.Selection.Columns}
	return o.Selection.Validate()
}

// contextOf returns a hash of what the rows of a trace depend on in addition to the trace: the
// descriptions of events, and the other traces of its session. It does not include symbols: they
// change names of functions, but not which rows there are.
func contextOf(in *Input, x *index.Index, o *Options) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %q %d", sessionOf(in), o.Schemas.For(in.Name).Record().Fingerprint(), o.MaxTables)
	for _, d := range x.ByInputs {
		fmt.Fprintf(h, " %s", d.Fingerprint)
	}
	if o.Redact != nil {
		fmt.Fprintf(h, " %s", o.Redact.Fingerprint())
	}
	return h.Sum64()
}
