package main

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/absence"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// allTables returns the tables that have a page: those of every trace and the kernel's, and those of
// events of providers that views read, by their names in SQL.
var allTables = sync.OnceValue(func() map[string]*schema.Table {
	tables := make(map[string]*schema.Table)
	for _, t := range slices.Concat(schema.Tables(), views.BuiltIn().CatalogueTables()) {
		tables[t.ViewName()] = t
	}
	return tables
})

// pageOf returns the page of a view or table, by its name in SQL, or "".
func pageOf(name string) string {
	switch _, isTable := allTables()[name]; {
	case hasPage(name):
		return "views/" + name + ".md"
	case isTable:
		return "tables/" + name + ".md"
	}
	return ""
}

// linkTo links to the page of a view or table, if it has one.
func linkTo(from, name string) string {
	if page := pageOf(name); page != "" {
		return fmt.Sprintf("[`%s`](%s)", name, relative(from, page))
	}
	return "`" + name + "`"
}

func linksTo(from string, names []string) string {
	var links []string
	for _, name := range slices.Sorted(slices.Values(names)) {
		links = append(links, linkTo(from, name))
	}
	return strings.Join(slices.Compact(links), ", ")
}

// viewPages returns a page for each view and macro, and the page that lists them.
func viewPages() map[string]string {
	pages := make(map[string]string)
	list := "# Views\n\nA view answers a question over tables. `views.sql` of a dataset, `query`, the [DuckDB\nextension](duckdb.md) and [Spark](cookbook.md) have them.\n\n| view | a row is |\n|---|---|\n"
	add := func(v *views.View) {
		page := "views/" + v.Name + ".md"
		text := strings.TrimRight(withSiteLinks(page, fromViews(v.Page)), "\n") + "\n\n## What it needs recorded\n\n" + needOfView(page, v)
		text += "\n## Columns\n\n" + columnTable(v.Columns)
		text += "\n## Reads\n\n" + linksTo(page, v.Reads) + "\n"
		if by := readers(v.Name); len(by) > 0 {
			text += "\n## Read by\n\n" + linksTo(page, by) + "\n"
		}
		pages[page] = text
		list += "| " + linkTo("views.md", v.Name) + " | " + firstSentence(v.Doc) + " |\n"
	}
	for _, v := range views.BuiltIn().All() {
		add(v)
	}
	for _, m := range views.BuiltIn().Macros() {
		add(&m.View)
	}
	pages["views.md"] = list
	return pages
}

// fromViews makes the links of a view's page, which are those of docs/views.md, links of a page below
// views.
func fromViews(text string) string {
	return outsideCode(text, func(text string) string {
		return markdownLink.ReplaceAllStringFunc(text, func(link string) string {
			m := markdownLink.FindStringSubmatch(link)
			switch name := strings.TrimPrefix(m[2], "#"); {
			case strings.Contains(m[2], ":"):
				return link
			case name != m[2] && hasPage(name):
				return m[1] + name + ".md" + m[3]
			case name != m[2]:
				return link
			}
			return m[1] + "../" + m[2] + m[3]
		})
	})
}

// needOfView says what must be recorded for the tables that give a view its rows.
func needOfView(page string, v *views.View) string {
	var tables []string
	seen := map[string]bool{}
	var add func(names []string)
	add = func(names []string) {
		for _, name := range names {
			if seen[name] {
				continue
			}
			seen[name] = true
			if inner := views.BuiltIn().Lookup(name); inner != nil {
				add(inner.Rows)
			} else {
				tables = append(tables, name)
			}
		}
	}
	add(v.Rows)
	slices.Sort(tables)
	text := ""
	for _, name := range tables {
		need := "every trace has it"
		if n := absence.NeedOf(name); n != nil && n.Text() != "" {
			need = n.Text()
		}
		text += fmt.Sprintf("- %s: %s\n", linkTo(page, name), escape(need))
	}
	if text == "" {
		return "Nothing: every trace gives it rows.\n"
	}
	return text
}

// readers returns the views that read a table or view.
func readers(name string) (names []string) {
	for _, v := range views.BuiltIn().All() {
		if slices.Contains(v.Reads, name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// tablePages returns a page for each table, and the pages that list them.
func tablePages() map[string]string {
	pages := make(map[string]string)
	tables := allTables()
	kinds := map[string][]string{}
	const shared = "tables/columns.md"
	pages[shared] = "# Columns that all events share\n\nThe table of each event has these columns before those of its payload.\n\n" + columnTable(schema.CommonColumns())
	for name, t := range tables {
		page := "tables/" + name + ".md"
		columns, note := t.Columns, ""
		if t.IsPayload() {
			columns = slices.DeleteFunc(slices.Clone(columns), func(c schema.Column) bool {
				return slices.ContainsFunc(schema.CommonColumns(), func(s schema.Column) bool { return s.Name == c.Name })
			})
			note = "\nBefore them are [the columns that all events share](columns.md).\n"
		}
		text := fmt.Sprintf("# %s\n\n%s\n\n`etl2parquet describe %s` explains it in a terminal.\n", name, escape(t.Doc), strings.TrimPrefix(t.Name, schema.EventsFolder))
		if need := absence.NeedOf(name); need != nil && need.Text() != "" {
			text += "\n## What it needs recorded\n\n" + escape(need.Text()) + "\n"
		}
		text += "\n## Columns\n\n" + columnTable(columns) + note
		if by := readers(name); len(by) > 0 {
			text += "\n## Views that read it\n\n" + linksTo(page, by) + "\n"
		}
		pages[page] = text
		kinds[kindOf(t)] = append(kinds[kindOf(t)], name)
	}
	list := "# Tables\n\nA trace has those tables that it has rows for. A table of an event has two names: `thread_cswitch` in SQL is\n`Thread/CSwitch` elsewhere.\n"
	byHeading := func(a, b string) int { // those of every trace come first
		return cmp.Or(-cmp.Compare(slices.Index([]string{a, b}, everyTrace), slices.Index([]string{b, a}, everyTrace)), cmp.Compare(a, b))
	}
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), byHeading) {
		list += "\n## " + kind + "\n\n| table | a row is |\n|---|---|\n"
		for _, name := range slices.Sorted(slices.Values(kinds[kind])) {
			list += "| " + linkTo("tables.md", name) + " | " + firstSentence(tables[name].Doc) + " |\n"
		}
	}
	pages["tables.md"] = list
	return pages
}

const everyTrace = "Every trace"

// kindOf returns the heading below which a table is listed.
func kindOf(t *schema.Table) string {
	if !t.IsPayload() {
		return everyTrace
	}
	class, _, _ := strings.Cut(strings.TrimPrefix(t.Name, schema.EventsFolder), "/")
	return cmp.Or(class, "Other events")
}

func columnTable(columns []schema.Column) string {
	var b strings.Builder
	b.WriteString("| column | type | |\n|---|---|---|\n")
	for _, c := range columns {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Name, cell(c.TypeName()), cell(c.Doc))
	}
	return b.String()
}

// firstSentence returns the first sentence of a description, for a cell of a table.
func firstSentence(doc string) string {
	if i := strings.Index(doc, ". "); i > 0 {
		doc = doc[:i+1]
	}
	return cell(doc)
}

// cell returns a text for a cell of a table, on one line.
func cell(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(escape(text), "|", `\|`), "\n", " ")
}

// markup has the characters that Markdown would take for its own in a description.
var markup = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`)

// escape returns a plain text as Markdown: descriptions mark code with backquotes, and nothing else.
func escape(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		switch {
		case i%2 == 1:
			b.WriteString("`" + part + "`")
		default:
			b.WriteString(html.EscapeString(markup.Replace(part)))
		}
	}
	return b.String()
}
