package describe

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// TraceTable is a table of a trace in the output of info --tables --json. Its form is stable:
// fields may be added, but none is renamed or changes its meaning.
type TraceTable struct {
	File string `json:"file"` // as the user named it
	TableDoc
	Rows *int64 `json:"rows"` // null if the number is not known before the rows are made
}

// TablesOf returns the tables of a trace.
func TablesOf(ctx context.Context, t *inputs.Trace, o *pipeline.Options) ([]TraceTable, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	source, err := pipeline.OpenSource(ctx, t.Input(), o)
	if err != nil {
		return nil, err
	}
	var list []TraceTable
	for _, table := range source.Tables() {
		row := TraceTable{File: t.Name(), TableDoc: DocOf(table.Table)}
		if table.Rows >= 0 {
			row.Rows = &table.Rows
		}
		list = append(list, row)
	}
	return list, source.Close()
}

// WriteTraceTables prints the tables of traces, each trace's under its name if there are more,
// wrapped to a width.
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
