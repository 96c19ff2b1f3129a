package schema

import (
	"path"
	"slices"
	"strings"
)

// TableNames returns all names of a table: its own, that of an event's without
// the folder in which all of these are, and that of its view. The table
// events/Thread/CSwitch is also Thread/CSwitch and thread_cswitch.
func TableNames(table string) []string {
	names := []string{table}
	if event, ok := strings.CutPrefix(table, EventsFolder); ok {
		names = append(names, event)
	}
	if view := ViewName(table); view != table {
		names = append(names, view)
	}
	return names
}

// Named reports whether a name is one of the table's. Case does not matter.
func (t *Table) Named(name string) bool {
	return slices.ContainsFunc(TableNames(t.Name), func(own string) bool { return strings.EqualFold(own, name) })
}

// MatchTable reports whether a name or pattern means a table, by any of the
// names that the table has. A pattern that begins with a wildcard means no
// views: *_header is the tables of headers, and not also eventtrace_header, the
// view of an event.
func MatchTable(pattern, table string) bool {
	names := TableNames(table)
	if strings.IndexAny(pattern, "*?[") == 0 {
		names = names[:min(len(names), 2)] // all but the view
	}
	return slices.ContainsFunc(names, func(name string) bool { return Match(pattern, name) })
}

// FindTables returns those of some tables that a name or pattern means, in
// their order.
func FindTables(pattern string, tables []*Table) []*Table {
	var found []*Table
	for _, t := range tables {
		if MatchTable(pattern, t.Name) {
			found = append(found, t)
		}
	}
	return found
}

// Match reports whether a pattern matches a name. Case does not matter, and *
// and ? match slashes like everything else: names of events have them.
func Match(pattern, name string) bool {
	ok, _ := path.Match(slashless(pattern), slashless(name)) // CheckPattern tells what is wrong with it
	return ok
}

// CheckPattern returns what is wrong with a pattern.
func CheckPattern(pattern string) error {
	_, err := path.Match(slashless(pattern), "")
	return err
}

// slashless returns a text in lower case, with another character for slashes,
// which patterns of paths treat apart.
func slashless(text string) string { return strings.ReplaceAll(strings.ToLower(text), "/", "\x00") }

// IsPattern reports whether a text means more than the one name that it is.
func IsPattern(text string) bool { return strings.ContainsAny(text, `*?[\`) }
