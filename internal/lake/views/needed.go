package views

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Needed returns the tables and views that SQL needs if it reads these names: the names in lower
// case, and all tables and views that the views among them read. [EventFields] and [EventStacks] are
// kept if the SQL reads the view of all events.
func Needed(names []string) map[string]bool { return ready().needed(names) }

func (s *set) needed(names []string) map[string]bool {
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
func RowsOf(name string) []string {
	v := ready().byName[name]
	if v == nil {
		return []string{name}
	}
	var tables []string
	for _, row := range v.Rows {
		for _, t := range RowsOf(row) {
			if !slices.Contains(tables, t) {
				tables = append(tables, t)
			}
		}
	}
	return tables
}

// Tables returns the views as tables, by which their columns are explained.
func Tables() []*schema.Table {
	var tables []*schema.Table
	for _, v := range All() {
		tables = append(tables, &schema.Table{Name: v.Name, Doc: v.Doc, Columns: v.Columns})
	}
	return tables
}

// CatalogueTables returns the tables of the built-in catalogue that the views read, by name. They
// have the columns of all forms of their events.
func CatalogueTables() []*schema.Table { return all().catalogueList() }

func (s *set) catalogueList() []*schema.Table {
	var tables []*schema.Table
	for _, t := range s.catalogue() {
		tables = append(tables, t)
	}
	slices.SortFunc(tables, func(a, b *schema.Table) int { return strings.Compare(a.Name, b.Name) })
	return tables
}

// catalogueTables finds the tables that views read and that neither package schema nor this package
// has. It leaves out names that no event of the catalogue has; a test checks that there is none.
func (s *set) catalogueTables() map[string]*schema.Table {
	tables := make(map[string]*schema.Table)
	for _, v := range s.list {
		for _, name := range v.Reads {
			if _, own := schema.LookupTable(name); own || s.byName[name] != nil || tables[name] != nil {
				continue
			}
			if t := catalog.KnownTables(name, false); len(t) == 1 {
				tables[name] = t[0]
			}
		}
	}
	return tables
}

// kernelList returns the tables of kernel events that the views read, in their order.
func (s *set) kernelList() []*schema.Table {
	var tables []*schema.Table
	named := s.tablesNamed()
	for _, t := range schema.Tables() {
		if t.IsPayload() && named[t.ViewName()] {
			tables = append(tables, t)
		}
	}
	return tables
}

// TablesNamed returns the tables that the views read, by their names in SQL.
// views.sql has them without rows, too.
func TablesNamed() map[string]bool { return ready().tablesNamed() }

func (s *set) tablesNamed() map[string]bool {
	named := make(map[string]bool)
	for _, v := range s.list {
		for _, name := range v.Reads {
			named[name] = s.byName[name] == nil
		}
	}
	return named
}
