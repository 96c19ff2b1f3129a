package schema

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TableNames returns all names of a table: its own, the name without the folder events, and
// the name of its view. The table events/Thread/CSwitch is also called Thread/CSwitch and
// thread_cswitch.
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
func (t *Table) Named(name string) bool { return isTable(name, t.Name) }

// isTable reports whether a name is one of a table's names: see TableNames. Selections call it for
// each of their names with each of hundreds of tables.
func isTable(name, table string) bool {
	event := strings.TrimPrefix(table, EventsFolder)
	return strings.EqualFold(name, table) || strings.EqualFold(name, event) || isView(name, event)
}

// isView reports whether a name is the name of a table's view. The table's name is given without its
// folder.
func isView(name, table string) bool {
	for _, r := range table {
		first, size := utf8.DecodeRuneInString(name)
		if size == 0 || unicode.ToLower(first) != inView(r) {
			return false
		}
		name = name[size:]
	}
	return name == ""
}

// MatchTable reports whether a name or pattern matches any of the names of a table. A
// pattern that begins with a wildcard does not match names of views: *_header matches the
// header tables, and not eventtrace_header, the view of an event.
func MatchTable(pattern, table string) bool {
	if !IsPattern(pattern) {
		return isTable(pattern, table)
	}
	names := TableNames(table)
	if strings.IndexAny(pattern, "*?[") == 0 {
		names = names[:min(len(names), 2)] // all except the view
	}
	return slices.ContainsFunc(names, func(name string) bool { return Match(pattern, name) })
}

// FindTables returns the tables that a name or pattern matches, in their order: see [Table.Matches]. If
// a table has exactly this name, that is the only one.
func FindTables(pattern string, tables []*Table) []*Table {
	if !IsPattern(pattern) {
		if i := slices.IndexFunc(tables, func(t *Table) bool { return t.Named(pattern) }); i >= 0 {
			return tables[i : i+1 : i+1]
		}
	}
	var found []*Table
	for _, t := range tables {
		if t.Matches(pattern) {
			found = append(found, t)
		}
	}
	return found
}

// Match reports whether a pattern matches a name. It ignores case, and * and ? also match
// slashes, which names of events contain.
func Match(pattern, name string) bool {
	if !IsPattern(pattern) {
		return strings.EqualFold(pattern, name)
	}
	ok, _ := path.Match(slashless(pattern), slashless(name)) // CheckPattern reports invalid patterns
	return ok
}

// CheckPattern returns an error if a pattern is invalid.
func CheckPattern(pattern string) error {
	_, err := path.Match(slashless(pattern), "")
	return err
}

// slashless returns a text in lower case, with slashes replaced by another character:
// path.Match treats slashes specially.
func slashless(text string) string { return strings.ReplaceAll(strings.ToLower(text), "/", "\x00") }

// IsPattern reports whether a text is a pattern, not a name.
func IsPattern(text string) bool { return strings.ContainsAny(text, `*?[\`) }
