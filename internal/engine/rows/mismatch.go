package rows

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Mismatches returns the parts of the selection that match nothing according to the index.
func (f *Filter) Mismatches(x *index.Index) (m selection.Mismatches) {
	if x.Events == 0 {
		return m
	}
	addMismatches(x, f.Selection, &m)
	if f.Within.From.Time > x.Last || f.Within.To.Time <= x.First {
		m.Add("time", "", nil, "%s selects nothing: its events are from %s", strings.Join(f.Selection.TimeOptions(), " "), x.TimeSpan())
		m.SelectsNothing()
	}
	return m
}

// Afterwards adds mismatches that only reading the events can show.
func (f *Filter) Afterwards(m *selection.Mismatches, x *index.Index) {
	if m.Nothing != "" || x.Events == 0 || !slices.ContainsFunc(f.demand.Tables, func(t *schema.Table) bool { return t != nil }) {
		return
	}
	unseen := 0
	for _, pattern := range f.Selection.Processes {
		if f.processes.missed(pattern) {
			unseen++
			m.Add("process", pattern, nil, "process %s: no selected event belongs to this process", pattern)
		}
	}
	if f.Taken > 0 {
		return
	}
	if options := f.Selection.Options(); unseen == 0 || unseen < len(f.Selection.Processes) || len(options) > 1 {
		together := ""
		if len(options) > 1 {
			together = " together"
		}
		m.Add("selection", "", nil, "none of its %d events matches %s%s", x.Events, strings.Join(options, ", "), together)
	}
	m.SelectsNothing()
}
