package rows

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// selectionCheck compares a selection with an index.
type selectionCheck struct {
	index     *index.Index
	selection *selection.Selection
	known     *index.Names
}

// addMismatches adds the parts of a selection that, by the index, match nothing in the trace. If the
// index does not list all kinds of event, names of providers, events and tables are not checked,
// because the trace may contain them.
func addMismatches(x *index.Index, s *selection.Selection, m *selection.Mismatches) {
	a := selectionCheck{x, s, x.Names()}
	if x.UnlistedEvents == 0 {
		a.names(m)
	}
	a.processes(m)
}

// names adds the providers, events, tables and columns that the trace lacks.
func (a *selectionCheck) names(m *selection.Mismatches) {
	s, x := a.selection, a.index
	providers := x.Providers()
	m.Patterns("provider", s.Providers, func(pattern string) bool {
		return slices.ContainsFunc(providers, func(p index.Provider) bool { return p.HasID && schema.MatchProvider(pattern, p.ID, a.nameOf(p.ID)) })
	}, func(string) (names []string) {
		for i := range providers {
			if p := &providers[i]; p.HasID {
				names = append(names, a.nameOf(p.ID), p.ID.String())
			}
		}
		return names
	}, "its providers", `"etl2parquet info" lists them`)
	m.Patterns("event", s.Events, func(pattern string) bool {
		return slices.ContainsFunc(x.Types, func(t catalog.EventType) bool {
			provider, name := a.nameOfType(&t)
			return schema.MatchEvent(pattern, provider, name)
		})
	}, func(pattern string) (names []string) {
		for i := range x.Types {
			provider, name := a.nameOfType(&x.Types[i])
			if strings.Contains(pattern, "/") {
				names = append(names, provider+"/"+name)
			}
			names = append(names, name)
		}
		return names
	}, "its events", `"etl2parquet info" lists them`)
	tables := a.tablesWithRows()
	m.Patterns("table", s.Tables, func(pattern string) bool {
		return slices.ContainsFunc(tables, func(t *schema.Table) bool { return selection.MatchTable(pattern, t.Name) })
	}, func(pattern string) (names []string) {
		if len(schema.FindTables(pattern, schema.Tables())) > 0 {
			return nil // it is valid, for other events
		}
		for _, t := range tables {
			names = append(names, schema.TableNames(t.Name)...)
		}
		return names
	}, "its tables with rows", `"etl2parquet info" lists its events`)
	tables = slices.DeleteFunc(tables, func(t *schema.Table) bool { return !s.WantsTable(t.Name) })
	if len(tables) > 0 { // else it was reported already
		m.Patterns("columns", s.Columns, func(name string) bool {
			return slices.ContainsFunc(tables, func(t *schema.Table) bool { return t.Column(name) >= 0 })
		}, func(string) (names []string) {
			for _, t := range tables {
				for i := range t.Columns {
					names = append(names, t.Columns[i].Name)
				}
			}
			return names
		}, "the columns of its tables that are wanted", `"etl2parquet describe" lists them`)
	}
}

func (a *selectionCheck) nameOf(id schema.GUID) string {
	name, _ := a.known.Provider(id)
	return name
}

func (a *selectionCheck) nameOfType(t *catalog.EventType) (provider, name string) {
	id, _ := t.Provider()
	return a.nameOf(id), a.index.Catalog.Of(&t.Key).Name()
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
	}, func(string) (names []string) {
		for i := range all {
			if name := all[i].Name; name != "" {
				names = append(names, name)
			}
		}
		return names
	}, "its processes", "the table processes has them")
}
