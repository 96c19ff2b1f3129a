package views

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"github.com/etl2parquet/etl2parquet/schema"
)

// View is a view over tables and other views.
type View struct {
	Name    string
	Doc     string          // says what a row is, in a few sentences
	Page    string          // in Markdown; its first paragraph is Doc
	Columns []schema.Column // after the column trace
	Reads   []string        // the tables and views that it reads, by their names in SQL, sorted
	Rows    []string        // those of them that give it its rows: if they are empty, so is the view

	sql [len(engines)]string
}

// SQL returns the view as a SELECT, without a semicolon.
func (v *View) SQL(e Engine) string { return v.sql[e] }

// readView reads the folder of a view. fragments are templates that its SQL may use.
func readView(files fs.FS, name, fragments string) (*View, error) {
	text, err := fs.ReadFile(files, name+"/view.sql")
	if err != nil {
		return nil, err
	}
	page, err := fs.ReadFile(files, name+"/view.md")
	if err != nil {
		return nil, err
	}
	v := &View{Name: name, Page: string(page)}
	if v.Doc, err = firstParagraph(v.Page); err != nil {
		return nil, fmt.Errorf("%s/view.md: %w", name, err)
	}
	sql, err := v.columns(v.rows(string(text)))
	if err != nil {
		return nil, fmt.Errorf("%s/view.sql: %w", name, err)
	}
	for _, e := range Engines() {
		if v.sql[e], err = render(e, name+"/view.sql", sql, fragments); err != nil {
			return nil, err
		}
		if reads := readsOf(v.sql[e]); v.Reads == nil {
			v.Reads = reads
		} else if !slices.Equal(reads, v.Reads) {
			return nil, fmt.Errorf("%s/view.sql: reads %v in one engine and %v in the other", name, v.Reads, reads)
		}
	}
	for _, table := range v.Rows {
		if !slices.Contains(v.Reads, table) {
			return nil, fmt.Errorf("%s/view.sql: it does not read %s, which gives it rows", name, table)
		}
	}
	return v, nil
}

// firstParagraph returns the first paragraph after the title of a page, on one line.
func firstParagraph(page string) (string, error) {
	title, rest, _ := strings.Cut(page, "\n\n")
	paragraph, _, _ := strings.Cut(rest, "\n\n")
	if !strings.HasPrefix(title, "# ") || paragraph == "" {
		return "", fmt.Errorf("it does not begin with a title and a paragraph")
	}
	return strings.Join(strings.Fields(paragraph), " "), nil
}

// rows parses the line with the tables that give the view its rows, and returns the text after it.
func (v *View) rows(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	tables, found := strings.CutPrefix(line, "-- rows of ")
	if !found {
		return text
	}
	v.Rows = strings.Split(tables, ", ")
	return rest
}

// columns parses the documentation of the columns, and returns the SQL after it.
func (v *View) columns(text string) (sql string, err error) {
	for {
		line, rest, _ := strings.Cut(text, "\n")
		words, isColumn := strings.CutPrefix(line, "--   ")
		switch {
		case !isColumn:
			return strings.TrimSuffix(text, "\n"), nil
		case words == "common columns":
			v.Columns = append(v.Columns, schema.CommonColumns()...)
		case words == "summary columns":
			v.Columns = append(v.Columns, schema.SummaryColumns()...)
		default:
			c, err := viewColumn(words)
			if err != nil {
				return "", err
			}
			v.Columns = append(v.Columns, c)
		}
		text = rest
	}
}

// viewColumn parses the line of a column.
func viewColumn(line string) (schema.Column, error) {
	head, doc, documented := strings.Cut(line, ": ")
	name, kind, _ := strings.Cut(head, " ")
	if !documented {
		for _, c := range schema.CommonColumns() {
			if c.Name == line {
				return c, nil
			}
		}
	}
	kind, nullable := strings.CutSuffix(kind, " nullable")
	c, ok := schema.ParseType(strings.TrimSuffix(kind, " not null"))
	if !ok {
		return c, fmt.Errorf("not a column: %q", line)
	}
	c.Name, c.Nullable, c.Doc = name, nullable, doc
	return c, nil
}

// render executes a template for an engine.
func render(e Engine, name, text, fragments string) (string, error) {
	t, err := template.New("fragments.sql").Funcs(engines[e].functions).Parse(fragments)
	if err != nil {
		return "", err
	}
	if t, err = t.New(name).Parse(text); err != nil {
		return "", err
	}
	var sql bytes.Buffer
	err = t.Execute(&sql, nil)
	return sql.String(), err
}

var (
	comment  = regexp.MustCompile(`--[^\n]*`)
	readName = regexp.MustCompile(`\b(?:FROM|JOIN)\s+([a-z_][a-z0-9_]*)(\(?)`)
)

// readsOf returns the names after FROM and JOIN in the SQL of a view, sorted, without the names that
// it defines by WITH.
func readsOf(sql string) []string {
	sql = comment.ReplaceAllString(sql, "")
	own := make(map[string]bool)
	before := strings.Split(sql, " AS (") // a search for any word took half of the time of reading the views
	for _, text := range before[:len(before)-1] {
		own[text[strings.LastIndexFunc(text, isNoWord)+1:]] = true
	}
	reads := []string{}
	for _, m := range readName.FindAllStringSubmatch(sql, -1) {
		if isFunction := m[2] != ""; !isFunction && !own[m[1]] {
			reads = append(reads, m[1])
		}
	}
	slices.Sort(reads)
	return slices.Compact(reads)
}

// isNoWord reports whether a character is not part of a name.
func isNoWord(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
