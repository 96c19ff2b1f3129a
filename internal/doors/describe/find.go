package describe

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// find returns the tables of a list that a name or pattern matches: see [schema.FindTables]. If there
// are none, it returns those of the events of the provider of this name. of returns a table with its
// name and the identity of its event, as far as it is known.
func find[T any](name string, list []T, of func(T) *schema.Table) []T {
	tables := make([]*schema.Table, len(list))
	for i := range list {
		tables[i] = of(list[i])
	}
	found := schema.FindTables(name, tables)
	if len(found) == 0 {
		for _, t := range tables {
			if n := t.EventNames(); t.IsPayload() && (schema.Match(name, n.Provider) || strings.EqualFold(schema.FolderName(name), n.Provider)) {
				found = append(found, t)
			}
		}
	}
	var chosen []T
	for i, t := range tables {
		if slices.Contains(found, t) {
			chosen = append(chosen, list[i])
		}
	}
	return chosen
}

// spellings returns the names by which a table may be meant, for suggestions.
func spellings(table string) []string {
	names := schema.TableNames(table)
	if event, ok := strings.CutPrefix(table, schema.EventsFolder); ok {
		_, name, _ := strings.Cut(event, "/")
		names = append(names, name)
	}
	return names
}
