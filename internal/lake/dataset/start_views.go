package dataset

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// startFiles has the views that people start from: a file for each. Its first
// lines say what it is, and those behind, more indented, what its columns are:
//
//	--   processor
//	--   ran_ns INT64 nullable: How long it ran, in ns.
//
// A name alone is a column that all tables of events share. The SQL is that of
// DuckDB and of Spark.
//
//go:embed views/*.sql
var startFiles embed.FS

// View is a view over the tables.
type View struct {
	Name    string
	Doc     string
	Columns []schema.Column // behind trace, the first
	SQL     string          // a SELECT
}

// Views returns the views over the tables: events, and those that people start
// from.
func Views() []View { return append([]View{eventsView()}, StartViews()...) }

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

// Needed returns the names, in lower case, of the views that queries with these names need: they,
// and what they read.
func Needed(names []string) map[string]bool {
	needed := make(map[string]bool)
	for _, name := range names {
		needed[strings.ToLower(name)] = true
	}
	isTable := make(map[string]bool)
	for _, t := range schema.Tables() {
		isTable[t.ViewName()] = true
	}
	for _, v := range Views() {
		if !needed[v.Name] {
			continue
		}
		for _, word := range sqlName.FindAllString(v.SQL, -1) {
			if isTable[word] {
				needed[word] = true
			}
		}
	}
	return needed
}

// parseView takes a file apart.
func parseView(name, text string) View {
	v := View{Name: name}
	var doc []string
	for {
		line, rest, _ := strings.Cut(text, "\n")
		words, isDoc := strings.CutPrefix(line, "-- ")
		if !isDoc {
			v.Doc, v.SQL = strings.Join(doc, " "), strings.TrimSuffix(text, "\n")
			return v
		}
		if column, ok := strings.CutPrefix(words, "  "); ok {
			v.Columns = append(v.Columns, viewColumn(column))
		} else {
			doc = append(doc, words)
		}
		text = rest
	}
}

// viewColumn reads the line of a column.
func viewColumn(line string) schema.Column {
	head, doc, documented := strings.Cut(line, ": ")
	name, kind, _ := strings.Cut(head, " ")
	if !documented {
		for _, c := range schema.CommonColumns() {
			if c.Name == line {
				return c
			}
		}
	}
	kind, nullable := strings.CutSuffix(kind, " nullable")
	c, ok := schema.ParseType(strings.TrimSuffix(kind, " not null"))
	if !ok {
		panic(fmt.Sprintf("view column %q", line)) // it is in the program
	}
	c.Name, c.Nullable, c.Doc = name, nullable, doc
	return c
}
