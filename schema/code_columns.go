package schema

import "slices"

// CodeColumnsOfTables returns the tables that say where code lies, and their columns for that.
func CodeColumnsOfTables() (tables, columns []string) {
	tables, columns = []string{Stacks.Name}, []string{StackIDColumn}
	for _, t := range KernelCatalog().Tables() {
		found := false
		for i := range t.Table.Columns {
			if c := &t.Table.Columns[i]; c.LocatesCode {
				columns, found = append(columns, c.Name), true
			}
		}
		if found {
			tables = append(tables, t.Table.Name)
		}
	}
	slices.Sort(columns)
	return tables, slices.Compact(columns)
}

// mostColumns returns the number of columns of a kernel event's table with this layout, or a few more.
func (e *Event) mostColumns() int {
	n := len(commonColumns) + len(headerIDColumns) + len(e.Files)
	for i := range e.Fields {
		f := &e.Fields[i]
		n += 1 + len(f.Parts)
		if f.Kind == Ticks || f.Values != "" {
			n++
		}
		if f.Code {
			n += 4 // see codeColumns
		}
	}
	return n
}
