package views

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
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

	Sources []*Source // the best first; nil of a view that is one statement
	Sigma   []Sigma

	sql    string   // the SELECT of a view without sources
	shared []string // the columns that every table of events has, and the view takes as they are
	merge  *Merge
	Folder string // of a user, that has the view or a source of it; "" if it is the program's
}

// readView reads the folder of a view. base is the view that has its name, or nil.
func readView(files fs.FS, name string, base *View) (*View, error) {
	text, err := fs.ReadFile(files, name+"/view.sql")
	if errors.Is(err, fs.ErrNotExist) {
		return readQuestion(files, name, base)
	}
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
	if v.sql, err = v.columns(v.rows(string(text))); err == nil {
		v.Reads = readsOf(v.sql)
		v.sql, err = expandPairs(v.sql)
	}
	if err != nil {
		return nil, fmt.Errorf("%s/view.sql: %w", name, err)
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

// Summary returns the first clause of the description.
func (v *View) Summary() string {
	doc := v.Doc
	for _, end := range []string{": ", ". "} {
		doc, _, _ = strings.Cut(doc, end)
	}
	return strings.TrimSuffix(doc, ".")
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

// readsOf returns the names after FROM and JOIN in the SQL of a view, sorted, without the names that
// it defines by WITH and without functions.
func readsOf(sql string) []string {
	sql = withoutComments(sql)
	own := make(map[string]bool)
	before := strings.Split(sql, " AS (") // a search for any word took half of the time of reading the views
	for _, text := range before[:len(before)-1] {
		own[text[strings.LastIndexFunc(text, isNoWord)+1:]] = true
	}
	reads := []string{}
	isRead, previous := false, "" // by the word before
	for word := range strings.FieldsSeq(sql) {
		name := word[:nameLength(word)]
		if isFunction := strings.HasPrefix(word[len(name):], "("); isRead && name != "" && !isFunction && !own[name] {
			reads = append(reads, name)
		}
		last := word[strings.LastIndexFunc(word, isNoWord)+1:]
		isRead = last == "FROM" && previous != "DISTINCT" || last == "JOIN" // but for IS DISTINCT FROM
		previous = last
	}
	slices.Sort(reads)
	return slices.Compact(reads)
}

// withoutComments returns SQL without the comments at the ends of lines.
func withoutComments(sql string) string {
	var b strings.Builder
	for line := range strings.Lines(sql) {
		code, _, isComment := strings.Cut(line, "--")
		if b.WriteString(code); isComment {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// nameLength returns the length of the name of a table or view with which a text begins.
func nameLength(text string) int {
	for i := range len(text) {
		if c := text[i]; c != '_' && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}

// isNoWord reports whether a character is not part of a name.
func isNoWord(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
