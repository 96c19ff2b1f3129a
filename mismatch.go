package etl2parquet

import "github.com/etl2parquet/etl2parquet/internal/engine/selection"

// Mismatch is a part of a selection that nothing in a trace matches, such as a provider whose
// name is misspelt, with the names that may have been meant.
type Mismatch = selection.Mismatch

// Mismatches returns what of the selection of a scan, whatever its table, matches nothing in the
// trace, as far as that is known without reading it again: patterns of names, and bounds of the
// time. Nothing reports whether therefore no event is selected. The rest, such as a process
// without events, only reading tells: see Scan.OnMismatch.
func (t *Trace) Mismatches(s Scan) (list []Mismatch, nothing bool, err error) {
	selection := s.selection()
	if err := selection.Validate(); err != nil {
		return nil, false, err
	}
	m, err := t.source.Mismatches(&selection)
	return m.List, m.Nothing != "", err
}

// selection returns what events a scan selects, of all tables.
func (s *Scan) selection() selection.Selection {
	return selection.Selection{From: s.From, To: s.To, Providers: s.Providers, Events: s.Events, Processes: s.Processes}
}
