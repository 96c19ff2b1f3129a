package convert

import (
	"embed"
	"path"
	"strings"
)

// startFiles has the views that people start from: a file for each, whose
// first lines say what it is. The SQL is that of DuckDB and of Spark.
//
//go:embed views/*.sql
var startFiles embed.FS

// View is a view over the tables.
type View struct {
	Name string
	Doc  string
	SQL  string // a SELECT
}

// StartViews returns the views that people start from, by name. They need the
// views of the tables and nothing of each other.
func StartViews() []View {
	entries, err := startFiles.ReadDir("views")
	if err != nil {
		panic(err) // it is in the program
	}
	var views []View
	for _, entry := range entries {
		text, err := startFiles.ReadFile(path.Join("views", entry.Name()))
		if err != nil {
			panic(err)
		}
		views = append(views, parseView(strings.TrimSuffix(entry.Name(), ".sql"), string(text)))
	}
	return views
}

// parseView takes a file apart.
func parseView(name, text string) View {
	var doc []string
	for {
		line, rest, _ := strings.Cut(text, "\n")
		words, isDoc := strings.CutPrefix(line, "-- ")
		if !isDoc {
			return View{name, strings.Join(doc, " "), strings.TrimSuffix(text, "\n")}
		}
		doc, text = append(doc, words), rest
	}
}
