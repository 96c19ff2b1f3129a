package etl2parquet

import "github.com/etl2parquet/etl2parquet/internal/engine/selection"

// Mismatch is a part of a selection that matches nothing in a trace, such as a provider with a
// misspelt name.
type Mismatch struct {
	Option  string   // provider, event, process, level, keyword, table, columns or time; selection if only all together match nothing
	Pattern string   // "" if the option has none
	Nearest []string // names in the trace that may have been meant
	Message string   // for people
}

// Mismatches returns the parts of a scan's selection (patterns of names, bounds of the time) that
// match nothing in the trace according to the index, for any table. nothing is true if no event can
// match. Other mismatches are known only after reading: see Scan.OnMismatch.
func (t *Trace) Mismatches(s Scan) (list []Mismatch, nothing bool, err error) {
	selection := s.selection()
	if err := selection.Validate(); err != nil {
		return nil, false, err
	}
	m, err := t.source.Mismatches(&selection)
	return converted(m.List, mismatchOf), m.Nothing != "", err
}

func mismatchOf(m *selection.Mismatch) Mismatch {
	return Mismatch(*m)
}

// selection returns the selection of events of a scan, for all tables.
func (s *Scan) selection() selection.Selection {
	return selection.Selection{From: s.From.bound, To: s.To.bound, Providers: s.Providers, Events: s.Events, Processes: s.Processes, Level: s.Level, Keywords: s.Keywords}
}
