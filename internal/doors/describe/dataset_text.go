package describe

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// writeDataset lists the tables of a dataset, a line each.
func writeDataset(w io.Writer, o *Options, d *datasetDoc) {
	var rows, bytes int64
	for i := range d.Tables {
		rows += d.Tables[i].Rows
		bytes += d.Tables[i].Bytes
	}
	writeTitle(w, o, fmt.Sprintf("%s: %s, %s, %s, %s, %s", texts.Printable(d.Dataset), texts.Counted(int64(d.Traces), "trace"), texts.Counted(d.Events, "event"),
		texts.Counted(int64(len(d.Tables)), "table"), texts.Counted(rows, "row"), texts.RoundSize(bytes)))
	fmt.Fprintln(w)
	writeDatasetTables(w, o, d.Tables)
	fmt.Fprintln(w)
	var names []string
	for _, v := range o.views().All() {
		names = append(names, v.Name)
	}
	var end texts.Grid
	end.Add("Views over them: " + strings.Join(names, ", ") + ".")
	end.Add(fmt.Sprintf("\"etl2parquet describe %s NAME\" has the columns of one.", texts.Printable(d.Dataset)))
	end.Print(w, o.Width)
}

// writeDatasetTables lists tables of a dataset by their names in SQL.
func writeDatasetTables(w io.Writer, o *Options, tables []datasetTableDoc) {
	rows := [][]string{{"in SQL", "rows", "bytes", "parts"}}
	for i := range tables {
		t := &tables[i]
		rows = append(rows, []string{texts.Printable(t.SQLName), texts.Grouped(t.Rows), texts.RoundSize(t.Bytes), texts.Grouped(int64(t.Parts))})
	}
	writeNamed(w, o, rows)
}

// writeNamed lists rows that begin with a name, the first row being their head. If long names leave no
// room for the numbers beside them, the names end the rows.
func writeNamed(w io.Writer, o *Options, rows [][]string) {
	first := texts.Grid{Indent: "  ", Right: []bool{false, true, true, true}, Head: true, Style: o.Style}
	last := texts.Grid{Indent: "  ", Right: []bool{true, true, true}[:len(rows[0])-1], Head: true, Style: o.Style}
	for _, row := range rows {
		first.Add(row...)
		last.Add(append(slices.Clone(row[1:]), row[0])...)
	}
	if first.Fits(o.Width) {
		first.Print(w, o.Width)
	} else {
		last.Print(w, o.Width)
	}
}

// writeTitle prints a heading.
func writeTitle(w io.Writer, o *Options, text string) {
	g := texts.Grid{Head: true, Style: o.Style}
	g.Add(text)
	g.Print(w, o.Width)
}

// writeDatasetTable explains a table of a dataset, with its columns.
func writeDatasetTable(w io.Writer, o *Options, t *datasetTableDoc) {
	writeTitle(w, o, texts.Printable(t.Name))
	fmt.Fprintln(w)
	g := texts.Grid{Indent: "  "}
	if t.SQLName != t.Name {
		g.Add("In SQL " + texts.Printable(t.SQLName) + ".")
	}
	g.Add(texts.Printable(t.Doc))
	if t.Hook != "" {
		g.Add(fmt.Sprintf("Kernel event %s, hook %s; \"etl2parquet explain %s\" says more.", t.Event, t.Hook, t.Hook))
	}
	g.Add(fmt.Sprintf("%s, %s, %s in %s.", texts.Counted(t.Rows, "row"), texts.RoundSize(t.Bytes), texts.Counted(int64(t.Parts), "part"), texts.Counted(int64(t.Files), "file")))
	g.Print(w, o.Width)
	fmt.Fprintln(w)
	writeColumns(w, o, t.Columns)
}

// noTable returns the error for a name or pattern that matches no table of a dataset.
func noTable(name, table string, tables []*dataset.TableSummary) error {
	var names []string
	for _, t := range tables {
		names = append(names, spellings(t.Name)...)
	}
	if similar := texts.Nearest(table, names); len(similar) > 0 {
		return &NameError{fmt.Errorf("%s has no table %q; %s", name, table, texts.DidYouMean(similar))}
	}
	if len(schema.FindTables(table, schema.Tables())) > 0 {
		return &NameError{fmt.Errorf("%s has no rows of %q; \"etl2parquet describe %s\" explains the table", name, table, table)}
	}
	return &NameError{fmt.Errorf("%s has no table %q; \"etl2parquet describe %s\" lists its tables", name, table, name)}
}
