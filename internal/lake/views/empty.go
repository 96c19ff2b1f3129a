package views

import (
	_ "embed" // for the file below
	"strings"
)

// emptyFile has the views of tables without rows, as the script of an empty dataset has them: they are
// half of the script of a small trace, and making them took a twentieth of the time of its conversion. A
// test writes the file with -update.
const emptyFile = "empty.sql"

//go:embed empty.sql
var emptyText string

// viewBegins begins each view in a script.
const viewBegins = "\nCREATE OR REPLACE VIEW "

// splitEmpty returns the statements of each view in a script that has nothing else, by the names in
// SQL, which may be quoted.
func splitEmpty(text string) map[string]string {
	views := make(map[string]string, strings.Count(text, viewBegins))
	for text != "" {
		end := len(text)
		if next := strings.Index(text[1:], viewBegins); next >= 0 {
			end = next + 1
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(text[:end], viewBegins), " AS ")
		views[name], text = text[:end], text[end:]
	}
	return views
}

// emptyView writes the view of a table without rows if its statements are ready, and reports whether
// they are. name is the one in SQL.
func (w *script) emptyView(name string) bool {
	if w.only != nil || w.shapes.signed || w.empty == nil {
		return false
	}
	statements := w.empty()[name]
	w.WriteString(statements)
	return statements != ""
}
