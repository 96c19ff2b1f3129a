package selection

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Need is a table that a question reads, with the columns that it reads.
type Need struct {
	Table   string   `json:"table"`             // any of its names, or a glob, as in [Selection.Tables]
	Columns []string `json:"columns,omitempty"` // names; none means all
}

// wants reports whether one of the needs is for a table.
func wants(needs []Need, t *schema.Table) bool {
	return slices.ContainsFunc(needs, func(n Need) bool { return MatchTable(n.Table, t) })
}

// needed returns a table with the columns that the needs for it have together, in the order of the
// table. Its rows are needed even if it has none of these columns: then it has its first one.
func (s *Selection) needed(t *schema.Table) *schema.Table {
	var names []string
	for i := range s.Needs {
		switch n := &s.Needs[i]; {
		case !MatchTable(n.Table, t):
		case len(n.Columns) == 0:
			return t
		default:
			names = append(names, s.stored(t, n.Columns)...)
		}
	}
	isWanted := make([]string, 0, len(names))
	for i := range t.Columns {
		if c := &t.Columns[i]; slices.Contains(names, c.Name) && !(s.Stored && c.Computed) {
			isWanted = append(isWanted, c.Name)
		}
	}
	switch {
	case len(isWanted) == len(t.Columns):
		return t
	case len(isWanted) == 0 && len(t.Columns) > 0:
		isWanted = append(isWanted, t.Columns[0].Name)
	}
	return t.Project(isWanted)
}
