package rows

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Mismatches returns the parts of the selection that, by the index, match nothing in the trace. If the
// index does not list all kinds of event, names of providers, events and tables are not checked,
// because the trace may contain them.
func (f *Filter) Mismatches(x *index.Index) (m selection.Mismatches) {
	if x.Events == 0 {
		return m
	}
	a := selectionCheck{x, f.Selection, x.Names()}
	if x.UnlistedEvents == 0 {
		a.names(&m)
	}
	a.processes(&m)
	if options := f.Selection.TimeOptions(); len(options) > 0 && (f.Within.From.Time > x.Last || f.Within.To.Time <= x.First) {
		m.Add("time", "", nil, "%s selects nothing: its events are from %s", strings.Join(options, " "), x.TimeSpan())
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

// selectionCheck compares a selection with an index.
type selectionCheck struct {
	index     *index.Index
	selection *selection.Selection
	known     *index.Names
}

// names adds the providers, events, tables and columns that the trace lacks.
func (a *selectionCheck) names(m *selection.Mismatches) {
	s, x := a.selection, a.index
	providers := x.Providers()
	m.Patterns("provider", s.Providers, func(pattern string) bool {
		return slices.ContainsFunc(providers, func(p index.Provider) bool { return p.HasID && schema.MatchProvider(pattern, p.ID, a.nameOf(p.ID)) })
	}, func(text string) []string {
		var names []string
		for i := range providers {
			if p := &providers[i]; p.HasID {
				names = append(names, a.nameOf(p.ID), p.ID.String())
			}
		}
		return catalog.NearestProviders(text, names)
	}, "its providers", `"etl2parquet info" lists them`)
	m.Patterns("event", s.Events, func(pattern string) bool {
		return slices.ContainsFunc(x.Types, func(t catalog.EventType) bool {
			names := a.namesOf(&t)
			return names.Matches(pattern)
		})
	}, func(text string) []string {
		var names []string
		for i := range x.Types {
			n := a.namesOf(&x.Types[i])
			if strings.Contains(text, "/") {
				names = append(names, n.Provider+"/"+n.Name)
			}
			names = append(names, n.Name, n.SQLName())
		}
		return texts.Nearest(text, names)
	}, "its events", `"etl2parquet info" lists them`)
	a.keywords(m)
	tables := a.tablesWithRows()
	m.Patterns("table", s.TableNames(), func(pattern string) bool {
		return slices.ContainsFunc(tables, func(t *schema.Table) bool { return selection.MatchTable(pattern, t) })
	}, func(text string) []string {
		if len(schema.FindTables(text, schema.Tables())) > 0 || len(catalog.KnownTables(text, false)) > 0 {
			return nil // it is valid, for other events
		}
		var names []string
		for _, t := range tables {
			names = append(names, schema.TableNames(t.Name)...)
		}
		return texts.Nearest(text, names)
	}, "its tables with rows", `"etl2parquet info" lists its events`)
	tables = slices.DeleteFunc(tables, func(t *schema.Table) bool { return !s.Wants(t) })
	if len(tables) > 0 { // else it was reported already
		m.Patterns("columns", s.Columns, func(name string) bool {
			return slices.ContainsFunc(tables, func(t *schema.Table) bool { return t.Column(name) >= 0 })
		}, selection.Similar(func() (names []string) {
			for _, t := range tables {
				for i := range t.Columns {
					names = append(names, t.Columns[i].Name)
				}
			}
			return names
		}), "the columns of its tables that are wanted", `"etl2parquet describe" lists them`)
	}
}

// keywords adds the names of keywords that no event has. Bits are known only when events are read.
func (a *selectionCheck) keywords(m *selection.Mismatches) {
	if len(a.selection.Keywords) == 0 {
		return
	}
	var names []string
	for i := range a.index.Types {
		for _, name := range a.index.EventNames(&a.index.Types[i]).KeywordNames {
			names = append(names, strings.TrimSuffix(name, "Keyword"))
		}
	}
	m.Patterns("keyword", a.selection.Keywords, func(keyword string) bool {
		_, isMask := selection.KeywordMask(keyword)
		return isMask || slices.ContainsFunc(names, func(name string) bool { return sameKeyword(keyword, name) })
	}, selection.Similar(func() []string { return names }), "the keywords of its events", `the table event_types lists them`)
}

func (a *selectionCheck) nameOf(id schema.GUID) string {
	name, _ := a.known.Provider(id)
	return name
}

func (a *selectionCheck) namesOf(t *catalog.EventType) schema.EventNames {
	id, _ := t.Provider()
	return a.index.Catalog.Of(&t.Key).EventNames(&t.Key, a.nameOf(id))
}

// tablesWithRows returns the tables that a conversion of everything has, and those about the trace.
func (a *selectionCheck) tablesWithRows() []*schema.Table {
	x := a.index
	var tables []*schema.Table
	for _, t := range schema.FixedTables() {
		if t != schema.Stacks || x.Tables().Stacks.Any() {
			tables = append(tables, t)
		}
	}
	has := map[*schema.Table]bool{schema.EventsTable(): len(x.Types) > 0}
	for i := range x.Types {
		has[schema.HeaderTables()[x.Types[i].Family]] = true
		if t := x.Catalog.Kinds[i].Literal.Table; t != nil {
			has[t.Table] = true
		}
	}
	for _, t := range x.Catalog.EventTables() {
		if has[t] {
			tables = append(tables, t)
		}
	}
	return tables
}

// processes adds the names that no process has. Ids can only be checked by reading the events.
func (a *selectionCheck) processes(m *selection.Mismatches) {
	all := a.index.Tables().Processes
	m.Patterns("process", a.selection.Processes, func(pattern string) bool {
		_, isID := processID(pattern)
		return isID || slices.ContainsFunc(all, func(p attribution.Process) bool { return schema.MatchProcess(pattern, p.Name) })
	}, selection.Similar(func() (names []string) {
		for i := range all {
			if name := all[i].Name; name != "" {
				names = append(names, name)
			}
		}
		return names
	}), "its processes", "the table processes has them")
}
