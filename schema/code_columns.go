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
