package views

import (
	"slices"
	"strings"

	question "github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Bounds returns which events the scans read at most, or nil if they may read any. Scan.Bounds must be set.
func (p *Plan) Bounds(scans []Scan) *question.Bounds {
	var all *question.Bounds
	for i := range scans {
		s := &scans[i]
		at := slices.IndexFunc(p.tables, func(t *planTable) bool { return planName(slices.Index(p.tables, t)) == s.Table })
		if at < 0 {
			return nil
		}
		t := p.tables[at]
		switch {
		case t.unjoined || t.keys != nil && t.isOfEvents(): // joined to events, by what each of them has for itself
			continue
		case !t.hasColumn("event_ref") || !t.hasColumn(schema.TimeColumn):
			need := question.Need{Table: t.name}
			for _, name := range s.Columns {
				need.Columns = append(need.Columns, strings.TrimPrefix(name, keyPrefix))
			}
			if len(need.Columns) == 0 {
				need.Columns = []string{schema.TraceColumn.Name}
			}
			if !need.IsUnbounded() {
				return nil
			}
			continue
		case s.Bounds == nil || t.isAlias || t.isOpen && slices.ContainsFunc(p.names, func(name string) bool { return strings.EqualFold(name, t.name) }):
			return nil // without a row the trace would not say which columns an open table has
		}
		b := *s.Bounds
		if t.name == schema.StackEvents.Name || p.readsStacks(scans) {
			b.Providers = nil // stacks are found by the events of another provider
		}
		if all == nil {
			all = &b
		} else {
			all.Widen(&b)
		}
	}
	if all.IsUnbounded() {
		return nil
	}
	return all
}

// isOfEvents reports whether a table, which views join, has a row for each event, or for their stacks.
func (t *planTable) isOfEvents() bool {
	return t.name == planFields || t.name == schema.StackEvents.Name || t.name == schema.Stacks.Name
}

func (t *planTable) hasColumn(name string) bool {
	return slices.ContainsFunc(t.columns, func(c absentColumn) bool { return strings.Trim(c.name, `"`) == name })
}

// readsStacks reports whether a scan is of a table of stacks.
func (p *Plan) readsStacks(scans []Scan) bool {
	return slices.ContainsFunc(scans, func(s Scan) bool {
		return slices.ContainsFunc(p.tables, func(t *planTable) bool {
			return !t.unjoined && (t.name == schema.StackEvents.Name || t.name == schema.Stacks.Name) && planName(slices.Index(p.tables, t)) == s.Table
		})
	})
}
