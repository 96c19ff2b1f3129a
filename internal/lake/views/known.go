package views

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// KnownTable is what is known of a table without a trace.
type KnownTable struct {
	Columns []Column
	IsOpen  bool // the table of a trace may have further columns
	IsAlias bool // the name is not that of the files
}

// Column is a column as SQL defines it.
type Column struct{ Name, Type string }

// Known returns what is known of a table, by its name in SQL in lower case, or nil if only the trace can tell its
// columns. Names of views are not tables.
func (s *Set) Known(name string) *KnownTable {
	if t, found := schema.LookupTable(name); found && t.ViewName() == name {
		return &KnownTable{Columns: ColumnsInSQL(t.WithTrace())}
	}
	var found []*schema.Table
	for _, t := range schema.Tables() {
		if n := t.EventNames(); t.IsPayload() && n.Called(name) {
			found = append(found, t)
		}
	}
	found = append(found, catalog.KnownTables(name, catalog.IsBareEvent(name))...)
	if own := s.optional[name]; own != nil && len(found) == 0 || len(found) == 1 {
		found = []*schema.Table{s.eventTable(name)}
	}
	if len(found) != 1 || found[0] == nil {
		return nil
	}
	return &KnownTable{Columns: ColumnsInSQL(found[0].WithTrace()), IsOpen: true, IsAlias: name != found[0].ViewName()}
}

// ColumnsInSQL returns the columns of a table as SQL defines them.
func ColumnsInSQL(t *schema.Table) (list []Column) {
	for _, c := range t.Columns {
		q := quoted([]schema.Column{c})
		list = append(list, Column{c.Name, duckType(&q[0])})
	}
	return list
}

// IsTable reports whether a name in SQL, in any case, is that of a table of package schema or of a view.
func (s *Set) IsTable(name string) bool {
	name = strings.ToLower(name)
	t, found := schema.LookupTable(name)
	return found && t.ViewName() == name || s.byName[name] != nil
}
