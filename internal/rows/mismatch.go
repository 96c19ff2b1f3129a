package rows

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/internal/rows/processes"
	"github.com/etl2parquet/etl2parquet/internal/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Mismatches returns what the index says that matches nothing.
func (f *Filter) Mismatches(x *index.Index) (m selection.Mismatches) {
	if x.Events == 0 {
		return m
	}
	if x.UnlistedEvents == 0 {
		f.namesWithout(x, &m)
	}
	f.processesWithout(x, &m)
	if f.Within.From.Time > x.Last || f.Within.To.Time <= x.First {
		m.Add("time", "", nil, "%s selects nothing: its events are from %s", strings.Join(f.Selection.TimeOptions(), " "), x.TimeSpan())
		m.SelectsNothing()
	}
	return m
}

// namesWithout adds the providers, events and tables that the trace lacks.
func (f *Filter) namesWithout(x *index.Index, m *selection.Mismatches) {
	s := f.Selection
	providers := x.Providers()
	m.Patterns("provider", s.Providers, func(pattern string) bool {
		return slices.ContainsFunc(providers, func(p index.Provider) bool { return p.HasID && schema.MatchProvider(pattern, p.ID, f.nameOf(p.ID)) })
	}, func(string) (names []string) {
		for i := range providers {
			if p := &providers[i]; p.HasID {
				names = append(names, f.nameOf(p.ID), p.ID.String())
			}
		}
		return names
	}, "its providers", `"etl2parquet info" lists them`)
	m.Patterns("event", s.Events, func(pattern string) bool {
		return slices.ContainsFunc(x.Types, func(t catalog.EventType) bool {
			provider, name := f.nameOfType(&t)
			return schema.MatchEvent(pattern, provider, name)
		})
	}, func(pattern string) (names []string) {
		for i := range x.Types {
			provider, name := f.nameOfType(&x.Types[i])
			if strings.Contains(pattern, "/") {
				names = append(names, provider+"/"+name)
			}
			names = append(names, name)
		}
		return names
	}, "its events", `"etl2parquet info" lists them`)
	tables := f.tablesWithRows(x)
	m.Patterns("table", s.Tables, func(pattern string) bool {
		return slices.ContainsFunc(tables, func(t *schema.Table) bool { return selection.MatchTable(pattern, t.Name) })
	}, func(pattern string) (names []string) {
		if len(schema.FindTables(pattern, schema.Tables())) > 0 {
			return nil // it is right, and of other events
		}
		for _, t := range tables {
			names = append(names, schema.TableNames(t.Name)...)
		}
		return names
	}, "its tables with rows", `"etl2parquet info" lists its events`)
	tables = slices.DeleteFunc(tables, func(t *schema.Table) bool { return !s.WantsTable(t.Name) })
	if len(tables) > 0 { // else that is said already
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

func (f *Filter) nameOf(id schema.GUID) string {
	name, _ := f.names.Provider(id)
	return name
}

func (f *Filter) nameOfType(t *catalog.EventType) (provider, name string) {
	id, _ := t.Provider()
	return f.nameOf(id), f.catalog.Of(&t.Key).Name()
}

// tablesWithRows returns the tables that a conversion of everything has, and
// those about the trace.
func (f *Filter) tablesWithRows(x *index.Index) []*schema.Table {
	var tables []*schema.Table
	for _, t := range schema.FixedTables() {
		if t != schema.Stacks || x.Tables().Stacks.Any() {
			tables = append(tables, t)
		}
	}
	has := make([]bool, len(f.demand.Tables))
	has[EventsTable] = len(x.Types) > 0
	for i := range x.Types {
		has[x.Types[i].Family] = true
		if t := f.catalog.Kinds[i].Literal.Table; t != nil {
			has[payloadTable(t)] = true
		}
	}
	for id, t := range f.catalog.EventTables() {
		if has[id] {
			tables = append(tables, t)
		}
	}
	return tables
}

// processesWithout adds the names that no process has. Whether there are events
// of an id only they tell.
func (f *Filter) processesWithout(x *index.Index, m *selection.Mismatches) {
	all := x.Tables().Processes
	m.Patterns("process", f.Selection.Processes, func(pattern string) bool {
		_, isID := processes.ID(pattern)
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

// Afterwards adds what only the events themselves tell.
func (f *Filter) Afterwards(m *selection.Mismatches, x *index.Index) {
	if m.Nothing != "" || x.Events == 0 || !slices.ContainsFunc(f.demand.Tables, func(t *schema.Table) bool { return t != nil }) {
		return
	}
	unseen := 0
	for _, pattern := range f.Selection.Processes {
		if f.processes.Missed(pattern) {
			unseen++
			m.Add("process", pattern, nil, "--process %s: no event that is selected is of this process", pattern)
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
		m.Add("selection", "", nil, "none of its %d events is selected by %s%s", x.Events, strings.Join(options, ", "), together)
	}
	m.SelectsNothing()
}
