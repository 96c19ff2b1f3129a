package views

import (
	_ "embed" // for the files below
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// emptyFile has the views of tables without rows, as the script of an empty dataset has them: they are
// half of the script of a small trace, and making them took a twentieth of the time of its conversion.
// emptyIndex has the length of each view in it, and its name: first a line for each table of package schema,
// in their order, with the length 0 if such a script lacks the table, then a line for each other view. So a
// script takes what lies between the tables that a dataset has as it is. A test writes the files with
// -update.
const (
	emptyFile  = "empty.sql"
	emptyIndex = "empty.tsv"
)

//go:embed empty.sql
var emptyText string

//go:embed empty.tsv
var emptyLines string

// emptyViews are the views of tables without rows.
type emptyViews struct {
	text  string
	ends  []int32  // of the views in the text
	names []string // of the views
	own   int      // the number of tables of package schema, whose views are first
}

// viewBegins begins each view in a script.
const viewBegins = "\nCREATE OR REPLACE VIEW "

// indexed returns the views in a text, by the lines of its index. The files are embedded in the program, and a
// test compares them with what they stand for.
func indexed(text, lines string) *emptyViews {
	count := strings.Count(lines, "\n")
	e := &emptyViews{text: text, own: len(schema.Tables()), ends: make([]int32, 0, count), names: make([]string, 0, count)}
	end := int32(0)
	for lines != "" {
		var length int32
		for lines[0] != '\t' {
			length = 10*length + int32(lines[0]-'0')
			lines = lines[1:]
		}
		end += length
		e.ends = append(e.ends, end)
		name, rest, _ := strings.Cut(lines[1:], "\n")
		e.names, lines = append(e.names, name), rest
	}
	return e
}

// emptyViews returns the views that are ready for the script, or nil.
func (w *script) emptyViews() *emptyViews {
	if w.only != nil || w.shapes.signed || w.empty == nil {
		return nil
	}
	return w.empty()
}

// writeTables writes the views of the tables of package schema, most of which a dataset lacks.
func (e *emptyViews) writeTables(w *script) {
	own := make(map[*schema.Table]bool)
	for _, t := range w.filledOwn() {
		own[t] = true
	}
	tables := schema.Tables()
	e.write(&w.text, 0, len(tables), func(i int) bool { return own[tables[i]] }, func(i int) { w.table(tables[i]) })
}

// writeAbsent writes the views of tables of the catalogue that the dataset lacks.
func (e *emptyViews) writeAbsent(w *script) {
	e.write(&w.text, e.own, len(e.ends), func(i int) bool { return w.defined[e.names[i]] }, func(int) {})
}

// write writes views that follow each other. In place of those that has selects, it calls instead.
func (e *emptyViews) write(to *text, first, last int, has func(i int) bool, instead func(i int)) {
	from := e.begin(first)
	for i := first; i < last; i++ {
		if has(i) {
			to.WriteString(e.text[from:e.begin(i)])
			instead(i)
			from = e.ends[i]
		}
	}
	to.WriteString(e.text[from:e.begin(last)])
}

// begin returns where a view begins.
func (e *emptyViews) begin(i int) int32 {
	if i == 0 {
		return 0
	}
	return e.ends[i-1]
}
