package describe

import (
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
)

// TraceTables are the tables in which traces have rows, or may have.
type TraceTables struct {
	traces int
	list   []traceTable
}

// traceTable is a table of a trace in the output of info --tables --json. Its form is stable:
// fields may be added, but none is renamed or changes its meaning.
type traceTable struct {
	File string `json:"file"` // as the user named it
	tableDoc
	Rows *int64 `json:"rows"` // null if unknown before the rows are made
}

// Add adds the tables of a trace, with the name of its file.
func (t *TraceTables) Add(file string, tables []etl2parquet.Table) {
	t.traces++
	for _, table := range tables {
		row := traceTable{File: file, tableDoc: docOf(table.Definition)}
		if table.Rows >= 0 {
			row.Rows = &table.Rows
		}
		t.list = append(t.list, row)
	}
}

// Write lists the tables: as an array of objects, or as a page. If there are several traces, the page
// has the tables of each under its name.
func (t *TraceTables) Write(w io.Writer, o Options) error {
	if o.JSON {
		return jsontext.Write(w, append([]traceTable{}, t.list...))
	}
	for rest := t.list; len(rest) > 0; {
		n := 0
		g := grid.Grid{Indent: "  ", Right: []bool{false, true, true}}
		if o.Width < wide {
			g.Right = []bool{true, true}
			g.Add("rows", "columns", "table")
		} else {
			g.Add("table", "rows", "columns", "meaning")
		}
		for ; n < len(rest) && rest[n].File == rest[0].File; n++ {
			g.Add(rest[n].cells(o.Width)...)
		}
		if t.traces > 1 {
			fmt.Fprintf(w, "%s\n\n", grid.Printable(rest[0].File))
		}
		g.Print(w, o.Width)
		if rest = rest[n:]; len(rest) > 0 {
			fmt.Fprintln(w)
		}
	}
	return nil
}

// cells returns the row of a page of a width.
func (t *traceTable) cells(width int) []string {
	name, rows, columns := grid.Printable(t.Name), "unknown", fmt.Sprint(len(t.Columns))
	if t.Rows != nil {
		rows = number.Grouped(*t.Rows)
	}
	if width < wide {
		return []string{rows, columns, name}
	}
	return []string{name, rows, columns, grid.Printable(firstSentence(t.Doc))}
}
