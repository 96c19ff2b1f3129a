package cache

import (
	"errors"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Found is what a set has for some needs. It must be closed.
type Found struct {
	Pieces []*Piece // locked
	// Missing are the needs that no piece meets. A need has all columns that pieces have of its table, so
	// that a piece that is made for them takes the place of others.
	Missing []selection.Need

	// Bounds are those of the events in tables that are made for Missing; nil: all.
	Bounds *selection.Bounds

	needs  []selection.Need
	within *selection.Bounds
}

// Find returns the pieces of the set that meet needs, of events within bounds; nil means all. usable,
// unless nil, says whether a piece can be used at all.
func (s *Set) Find(needs []selection.Need, within *selection.Bounds, usable func(*Piece) bool) (*Found, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	boot := bootName()
	found := &Found{needs: merged(needs), Bounds: within, within: within}
	var all []*Piece
	for _, name := range names {
		if p := s.open(name, boot); p != nil && (usable == nil || usable(p)) {
			all = append(all, p)
		} else if p != nil {
			err = errors.Join(err, p.Close())
		}
	}
	if within != nil && slices.ContainsFunc(found.needs, func(n selection.Need) bool { return first(all, &n, within) == nil && hasOtherBounds(all, &n) }) {
		found.Bounds = nil // more bounds are to be expected
	}
	used := make(map[*Piece]bool)
	for _, n := range found.needs {
		if p := first(all, &n, within); p != nil {
			used[p] = true
			continue
		}
		for _, p := range all {
			if (p.Bounds == nil) != (found.Bounds == nil) {
				continue // it may have columns that depend on bounds
			}
			for i := range p.Needs {
				if need := &p.Needs[i]; fold(need.Table) == fold(n.Table) {
					n.Columns = together(n.Columns, need.Columns)
				}
			}
		}
		found.Missing = append(found.Missing, n)
	}
	found.Missing = merged(found.Missing)
	for _, p := range all {
		if !used[p] {
			err = errors.Join(err, p.Close())
			continue
		}
		p.touch()
		found.Pieces = append(found.Pieces, p)
	}
	if err != nil {
		err = errors.Join(err, found.Close())
		return nil, err
	}
	return found, nil
}

// first returns the first piece that meets a need, of events within bounds, or nil.
func first(pieces []*Piece, n *selection.Need, within *selection.Bounds) *Piece {
	for _, p := range pieces {
		if p.meets(n, within) {
			return p
		}
	}
	return nil
}

// hasOtherBounds reports whether a piece has a table that bounds leave events out of.
func hasOtherBounds(pieces []*Piece, n *selection.Need) bool {
	return !n.IsUnbounded() && slices.ContainsFunc(pieces, func(p *Piece) bool {
		return p.Bounds != nil && slices.ContainsFunc(p.Needs, func(need selection.Need) bool { return fold(need.Table) == fold(n.Table) })
	})
}

// Add adds a piece that meets the missing needs.
func (f *Found) Add(p *Piece) {
	f.Pieces, f.Missing = append(f.Pieces, p), nil
}

// Close unlocks the pieces.
func (f *Found) Close() (err error) {
	for _, p := range f.Pieces {
		err = errors.Join(err, p.Close())
	}
	f.Pieces = nil
	return err
}

// Choose returns, for each piece, the tables to read from it, by name. ok is false if no piece has all
// needed columns of some table, because needs that name it in different ways are met by different pieces.
func (f *Found) Choose() (tables []map[string]bool, ok bool) {
	chosen := make(map[string]bool)
	for range f.Pieces {
		tables = append(tables, make(map[string]bool))
	}
	for _, p := range f.Pieces {
		for j := range p.Tables {
			name := p.Tables[j].Name
			wanted, isNeeded := columnsOf(f.needs, p.Tables[j].schema())
			if !isNeeded || chosen[name] {
				continue
			}
			piece := slices.IndexFunc(f.Pieces, func(p *Piece) bool {
				return p.hasTable(name, wanted) && (p.Bounds.Covers(f.within) || (&selection.Need{Table: name, Columns: wanted}).IsUnbounded())
			})
			if piece < 0 {
				return nil, false
			}
			chosen[name], tables[piece][name] = true, true
		}
	}
	return tables, true
}

// hasTable reports whether the piece has a table with columns.
func (m *manifest) hasTable(name string, wanted []string) bool {
	i := slices.IndexFunc(m.Tables, func(t table) bool { return t.Name == name })
	if i < 0 {
		return false
	}
	columns, isNeeded := columnsOf(m.Needs, m.Tables[i].schema())
	return isNeeded && hasColumns(columns, wanted)
}

// columnsOf returns the columns that needs ask of a table together; none means all.
func columnsOf(needs []selection.Need, t *schema.Table) (columns []string, isNeeded bool) {
	for i := range needs {
		switch n := &needs[i]; {
		case !selection.MatchTable(n.Table, t):
		case !isNeeded:
			columns, isNeeded = slices.Clone(n.Columns), true
		default:
			columns = together(columns, n.Columns)
		}
	}
	return columns, isNeeded
}
