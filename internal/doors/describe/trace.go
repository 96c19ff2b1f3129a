package describe

import (
	"fmt"
	"io"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// TraceTable is a table of a trace in the output of info --tables --json. Its form is stable:
// fields may be added, but none is renamed or changes its meaning.
type TraceTable struct {
	File string `json:"file"` // as the user named it
	TableDoc
	Rows *int64 `json:"rows"` // null if unknown before the rows are made
}

// TablesOf returns the tables of a trace, with the name of its file.
func TablesOf(file string, source *pipeline.Source) (list []TraceTable) {
	for _, table := range source.Tables() {
		row := TraceTable{File: file, TableDoc: DocOf(table.Table)}
		if table.Rows >= 0 {
			row.Rows = &table.Rows
		}
		list = append(list, row)
	}
	return list
}

// WriteTraceTables prints the tables of traces, wrapped to a width. If more is true, the tables of
// each trace are under its name.
func WriteTraceTables(w io.Writer, width int, tables []TraceTable, more bool) {
	for first := 0; first < len(tables); {
		g := grid.Grid{Indent: "  ", Right: []bool{false, true, true}}
		g.Add("table", "rows", "columns", "meaning")
		end := first
		for ; end < len(tables) && tables[end].File == tables[first].File; end++ {
			t := &tables[end]
			rows := "unknown"
			if t.Rows != nil {
				rows = number.Grouped(*t.Rows)
			}
			sentence, _, _ := strings.Cut(t.Doc, ". ")
			g.Add(grid.Printable(t.Name), rows, fmt.Sprint(len(t.Columns)), grid.Printable(strings.TrimSuffix(sentence, ".")))
		}
		if more {
			fmt.Fprintf(w, "%s\n\n", grid.Printable(tables[first].File))
		}
		g.Print(w, width)
		if first = end; first < len(tables) {
			fmt.Fprintln(w)
		}
	}
}
