package etl2parquet

import (
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
)

// Mismatches returns the parts of a scan's selection (patterns of names, bounds of the time) that
// match nothing in the trace according to the index, for any table. nothing is true if no event can
// match. Other mismatches are known only after reading: see Scan.OnMismatch.
func (t *Trace) Mismatches(s Scan) (list []facts.Mismatch, nothing bool, err error) {
	selection := s.selection()
	if err := selection.Validate(); err != nil {
		return nil, false, err
	}
	m, err := t.source.Mismatches(&selection)
	return m.List, m.Nothing != "", err
}

// selection returns the selection of events of a scan, for all tables.
func (s *Scan) selection() selection.Selection {
	return selection.Selection{Selection: s.Selection}
}
