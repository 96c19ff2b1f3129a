package describe

import (
	"fmt"
	"io"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/base/text/nearest"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// writeDataset lists the tables of a dataset, wrapped to a width.
func writeDataset(w io.Writer, width int, d *datasetDoc) {
	var rows, bytes int64
	for i := range d.Tables {
		rows += d.Tables[i].Rows
		bytes += d.Tables[i].Bytes
	}
	fmt.Fprintf(w, "%s: %s, %s, %s, %s, %s\n\n", grid.Printable(d.Dataset), number.Counted(int64(d.Traces), "trace"), number.Counted(d.Events, "event"),
		number.Counted(int64(len(d.Tables)), "table"), number.Counted(rows, "row"), bytesize.Round(bytes))
	writeDatasetTables(w, width, d.Tables)
	fmt.Fprintf(w, "\n\"etl2parquet describe %s TABLE\" explains the columns of a table.\n", grid.Printable(d.Dataset))
}

// wide is the width from which lists of tables have the meaning of each. Names of tables take most of a
// narrower page; they end its rows, because they are not cut.
const wide = 100

// writeDatasetTables lists tables of a dataset, wrapped to a width.
func writeDatasetTables(w io.Writer, width int, tables []datasetTableDoc) {
	g := grid.Grid{Indent: "  ", Right: []bool{false, true, true, true}}
	if width < wide {
		g.Right = []bool{true, true}
		g.Add("rows", "bytes", "table")
	} else {
		g.Add("table", "rows", "bytes", "parts", "meaning")
	}
	for i := range tables {
		t := &tables[i]
		name, rows, bytes := grid.Printable(t.Name), number.Grouped(t.Rows), bytesize.Round(t.Bytes)
		if width < wide {
			g.Add(rows, bytes, name)
		} else {
			g.Add(name, rows, bytes, number.Grouped(int64(t.Parts)), grid.Printable(firstSentence(t.Doc)))
		}
	}
	g.Print(w, width)
}

// firstSentence returns the first sentence of a text, without its period.
func firstSentence(text string) string {
	sentence, _, _ := strings.Cut(text, ". ")
	return strings.TrimSuffix(sentence, ".")
}

// writeDatasetTable explains a table of a dataset, with its columns, wrapped to a
// width.
func writeDatasetTable(w io.Writer, width int, t *datasetTableDoc) {
	fmt.Fprintf(w, "%s\n\n", grid.Printable(t.Name))
	g := grid.Grid{Indent: "  "}
	g.Add(grid.Printable(t.Doc))
	if t.Hook != "" {
		g.Add(fmt.Sprintf("Kernel event %s, hook %s; \"etl2parquet explain %s\" says more.", t.Event, t.Hook, t.Hook))
	}
	g.Add(fmt.Sprintf("%s, %s, %s in %s.", number.Counted(t.Rows, "row"), bytesize.Round(t.Bytes), number.Counted(int64(t.Parts), "part"), number.Counted(int64(t.Files), "file")))
	g.Print(w, width)
	fmt.Fprintln(w)
	writeColumns(w, width, t.Columns)
}

// noTable returns the error for a name or pattern that matches no table of a dataset.
func noTable(name, table string, tables []*dataset.TableSummary) error {
	var names []string
	for _, t := range tables {
		names = append(names, schema.TableNames(t.Name)...)
	}
	if similar := nearest.To(table, names); len(similar) > 0 {
		return &NameError{fmt.Errorf("%s has no table %q; %s", name, table, nearest.DidYouMean(similar))}
	}
	if len(schema.FindTables(table, schema.Tables())) > 0 {
		return &NameError{fmt.Errorf("%s has no rows of %q; \"etl2parquet describe %s\" explains the table", name, table, table)}
	}
	return &NameError{fmt.Errorf("%s has no table %q; \"etl2parquet describe %s\" lists its tables", name, table, name)}
}
