package answers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// missingColumn finds DuckDB's messages about a column that a table does not have.
var missingColumn = texts.Pattern(`Referenced column "[^"]*" not found|does not have a column named "`)

// mostListed bounds the tables whose columns a message lists.
const mostListed = 3

// columnsFor returns lines with the columns of the tables that the statements read, if DuckDB's message is
// about a column that does not exist: DuckDB itself names only a few columns with similar letters. Tables
// that only the traces describe are left out.
func (s *Source) columnsFor(message string) string {
	if !missingColumn().MatchString(message) {
		return ""
	}
	names, _ := s.names()
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	slices.Sort(names) // the order of DuckDB's parser varies
	var list strings.Builder
	listed := 0
	for _, name := range slices.Compact(names) {
		if listed == mostListed {
			break
		}
		columns := s.columnNames(name)
		if columns == nil {
			continue
		}
		g := texts.Grid{Indent: "  "}
		g.Add(strings.Join(columns, ", "))
		fmt.Fprintf(&list, "\nThe columns of %s are:\n", name)
		g.Print(&list, 80)
		listed++
	}
	if listed == 0 {
		return ""
	}
	return "\n" + strings.TrimSuffix(list.String(), "\n")
}

// columnNames returns the names of the columns of a view, a table macro or a table with a lower-case name,
// or nil if it is unknown.
func (s *Source) columnNames(name string) (names []string) {
	var columns []schema.Column
	if v := s.known().Lookup(name); v != nil {
		columns = v.Columns
	} else if m := s.known().LookupMacro(name); m != nil {
		columns = m.Columns
	} else if t, ok := schema.LookupTable(name); ok {
		columns = t.Columns
	}
	for i := range columns {
		names = append(names, columns[i].Name)
	}
	if names != nil {
		names = append([]string{schema.TraceColumn.Name}, names...)
	}
	return names
}
