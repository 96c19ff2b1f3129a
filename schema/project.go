package schema

import (
	"slices"
	"sync"
)

// Stored returns the table without the columns that are computed, as the files of a dataset have it.
// The caller must not change it.
func (t *Table) Stored() *Table {
	if shared := sharedTables()[t]; shared != nil {
		shared.once.Do(func() { shared.stored = t.withoutComputed() })
		return shared.stored
	}
	return t.withoutComputed()
}

// sharedTables has the stored forms of the tables that all traces share. Each is made once: most traces
// ask for few of them.
var sharedTables = sync.OnceValue(func() map[*Table]*sharedTable {
	list := Tables()
	tables, forms := make(map[*Table]*sharedTable, len(list)), make([]sharedTable, len(list))
	for i, t := range list {
		tables[t] = &forms[i]
	}
	return tables
})

type sharedTable struct {
	once   sync.Once
	stored *Table
}

func (t *Table) withoutComputed() *Table {
	isComputed := func(c Column) bool { return c.Computed }
	if !slices.ContainsFunc(t.Columns, isComputed) {
		return t
	}
	stored := *t
	stored.Columns = slices.DeleteFunc(slices.Clone(t.Columns), isComputed)
	return &stored
}

// Project returns the table with only some of its columns: those in names, in that order. It is
// sorted like the table, by the first sort columns up to one that it lacks. Project returns nil if
// the table has none of the names.
func (t *Table) Project(names []string) *Table {
	projected := &Table{Name: t.Name, Doc: t.Doc, Event: t.Event}
	for i, name := range names {
		if at := t.Column(name); at >= 0 && !slices.Contains(names[:i], name) {
			projected.Columns = append(projected.Columns, t.Columns[at])
		}
	}
	if projected.Columns == nil {
		return nil
	}
	projected.omitted = slices.Clone(t.omitted)
	for i := range t.Columns {
		if projected.Column(t.Columns[i].Name) < 0 {
			projected.omitted = append(projected.omitted, t.Columns[i])
		}
	}
	for _, name := range t.SortBy {
		if projected.Column(name) < 0 {
			break
		}
		projected.SortBy = append(projected.SortBy, name)
	}
	projected.headerIDs = t.headerIDs && slices.ContainsFunc(headerIDColumns, func(c Column) bool { return projected.Column(c.Name) >= 0 })
	projected.namesFile = t.namesFile && projected.Column(FileNameColumn) >= 0
	projected.messages = t.messages && projected.Column(MessageColumn) >= 0
	return projected
}
