package views

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/absence"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Needed returns the tables and views that SQL needs if it reads these names: the names in lower
// case, and all tables and views that the views among them read. [EventFields] and [EventStacks] are
// kept if the SQL reads the view of all events.
func (s *Set) Needed(names []string) map[string]bool {
	needed := make(map[string]bool)
	for _, name := range names {
		needed[strings.ToLower(name)] = true
	}
	s.neededMacros(needed)
	for _, v := range slices.Backward(s.list) { // each before the views that it reads
		if needed[v.Name] {
			for _, name := range v.Reads {
				needed[name] = true
			}
		}
	}
	if !needed[schema.EventsName] {
		delete(needed, EventFields)
		delete(needed, EventStacks)
	}
	if needed[EventStacks] {
		needed[schema.StackEvents.Name] = true
	}
	return needed
}

// RowsOf returns the tables that give a table or view its rows, by their names in SQL: a table itself,
// or the tables of a view and of the views that it reads.
func (s *Set) RowsOf(name string) []string {
	v := s.byName[name]
	if v == nil {
		if s.ofUsers[name] { // who may call an event by its id
			name, _ = s.resolved(name)
		}
		return []string{name}
	}
	var tables []string
	for _, row := range v.Rows {
		for _, t := range s.RowsOf(row) {
			if !slices.Contains(tables, t) {
				tables = append(tables, t)
			}
		}
	}
	return tables
}

// SourcesOf returns the sources of a view, and of the views that give it its rows. It is empty for a view over tables.
func (s *Set) SourcesOf(name string) (list []*Source) {
	v := s.byName[name]
	if v == nil {
		return nil
	}
	list = slices.Clone(v.Sources)
	for _, row := range v.Rows {
		if v.Sources == nil {
			list = append(list, s.SourcesOf(row)...)
		}
	}
	return list
}

// Read returns what is read of a table or view, given the rows of tables by their names in SQL.
func (s *Set) Read(name string, rows func(table string) int64) absence.Read {
	read := absence.Read{Name: name, Tables: s.RowsOf(strings.ToLower(name))}
	for _, table := range read.Tables {
		read.Rows += rows(table)
	}
	for _, source := range s.SourcesOf(strings.ToLower(name)) {
		one := absence.Source{Name: source.Name, Recorded: source.Recorded, Where: source.Where()}
		for _, of := range source.Rows() {
			for _, table := range s.RowsOf(of) {
				if !slices.Contains(one.Tables, table) {
					one.Tables, one.Rows = append(one.Tables, table), one.Rows+rows(table)
				}
			}
		}
		read.Sources = append(read.Sources, one)
	}
	return read
}

// Tables returns the views as tables, by which their columns are explained.
func (s *Set) Tables() []*schema.Table {
	var tables []*schema.Table
	for _, v := range s.list {
		tables = append(tables, &schema.Table{Name: v.Name, Doc: v.Doc, Columns: v.Columns})
	}
	return tables
}

// CatalogueTables returns the tables of the built-in catalogue that the views read, by name. They
// have the columns of all forms of their events.
func (s *Set) CatalogueTables() (tables []*schema.Table) {
	for name := range s.named {
		if _, isOurs := schema.LookupTable(name); isOurs {
			continue
		}
		if t := s.eventTable(name); t != nil {
			tables = append(tables, t)
		}
	}
	slices.SortFunc(tables, func(a, b *schema.Table) int { return strings.Compare(a.Name, b.Name) })
	return tables
}

// eventTable returns the table of an event of the kernel or of the built-in catalogue, by its name in SQL, or nil.
func eventTable(name string) *schema.Table {
	if t, found := schema.LookupTable(name); found {
		return t
	}
	if t := catalog.KnownTables(name, false); len(t) == 1 {
		return t[0]
	}
	return nil
}

// TablesNamed returns the tables that the views read, by their names in SQL. The caller must not change them.
func (s *Set) TablesNamed() map[string]bool { return s.named }
