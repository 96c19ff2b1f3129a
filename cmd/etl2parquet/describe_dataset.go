package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/batch/input"
	"github.com/etl2parquet/etl2parquet/internal/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/dataset"
	"github.com/etl2parquet/etl2parquet/internal/describe"
	"github.com/etl2parquet/etl2parquet/internal/grid"
	"github.com/etl2parquet/etl2parquet/internal/number"
	"github.com/etl2parquet/etl2parquet/schema"
)

// isDataset reports whether the only argument of describe is a dataset. The name of a
// table means the table, also where there is a folder of that name.
func isDataset(name string) bool {
	if input.IsURL(name) {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && info.IsDir() && len(describe.ClassTables(name))+len(schema.FindTables(name, slices.Concat(schema.Tables(), views()))) == 0
}

// describeDataset explains the tables of a dataset that a name or pattern means; "" means
// all, without their columns.
func (a *app) describeDataset(ctx context.Context, f *datasetFlags, name, table string, asJSON bool) error {
	if err := schema.CheckPattern(table); err != nil {
		return usagef("pattern %q: %w", table, err)
	}
	d, err := f.open(ctx, a.patience, name)
	if err != nil {
		return err
	}
	s, err := d.Summary(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, record := range s.Damaged {
		a.complain("warning: %s: %s cannot be read and is not counted; see etl2parquet check", printable(name), printable(record))
	}
	if s.Traces == 0 && len(s.Damaged) == 0 {
		return fmt.Errorf("%s: no trace is in it: it is no dataset, or an empty one", name)
	}
	doc := describe.DatasetDoc{Dataset: name, Traces: s.Traces, Events: s.Events, Tables: []describe.DatasetTableDoc{}}
	if table == "" {
		for _, t := range s.Tables {
			doc.Tables = append(doc.Tables, describe.DatasetTable(t))
		}
		if asJSON {
			return printJSON(a.out, doc)
		}
		a.printDataset(&doc)
		return nil
	}
	found := describe.Find(table, s.Tables)
	switch {
	case len(found) == 0:
		return noTableInDataset(name, table, s.Tables)
	case len(found) > 1 && !asJSON:
		for _, t := range found {
			doc.Tables = append(doc.Tables, describe.DatasetTable(t))
		}
		a.printDatasetTables(doc.Tables)
		return nil
	}
	return a.describeColumns(ctx, d, name, found, asJSON)
}

// describeColumns explains tables with the columns that their files have.
func (a *app) describeColumns(ctx context.Context, d *convert.Dataset, name string, tables []*dataset.TableSummary, asJSON bool) error {
	var docs []describe.DatasetTableDoc
	for _, t := range tables {
		columns, err := d.Columns(ctx, t)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		doc := describe.DatasetTable(t)
		doc.Columns = describe.DatasetColumns(t.Name, columns)
		docs = append(docs, doc)
	}
	switch {
	case asJSON && len(docs) > 1:
		return printJSON(a.out, docs)
	case asJSON:
		return printJSON(a.out, docs[0])
	}
	a.printDatasetTable(&docs[0])
	return nil
}

func noTableInDataset(name, table string, tables []*dataset.TableSummary) error {
	var names []string
	for _, t := range tables {
		names = append(names, schema.TableNames(t.Name)...)
	}
	if similar := schema.Nearest(table, names); len(similar) > 0 {
		return usagef("%s has no table %q; %s", name, table, schema.DidYouMean(similar))
	}
	if len(schema.FindTables(table, schema.Tables())) > 0 {
		return usagef("%s has no rows of %q; \"etl2parquet describe %s\" explains the table", name, table, table)
	}
	return usagef("%s has no table %q; \"etl2parquet describe %s\" lists those that it has", name, table, name)
}

func (a *app) printDataset(d *describe.DatasetDoc) {
	var rows, bytes int64
	for i := range d.Tables {
		rows += d.Tables[i].Rows
		bytes += d.Tables[i].Bytes
	}
	fmt.Fprintf(a.out, "%s: %s, %s, %s, %s, %s\n\n", printable(d.Dataset), counted(int64(d.Traces), "trace"), counted(d.Events, "event"),
		counted(int64(len(d.Tables)), "table"), counted(rows, "row"), bytesize.Round(bytes))
	a.printDatasetTables(d.Tables)
	fmt.Fprintf(a.out, "\n\"etl2parquet describe %s TABLE\" explains the columns of a table.\n", printable(d.Dataset))
}

func (a *app) printDatasetTables(tables []describe.DatasetTableDoc) {
	g := grid.Grid{Indent: "  ", Right: []bool{false, true, true, true}}
	g.Add("table", "rows", "bytes", "parts", "meaning")
	for i := range tables {
		t := &tables[i]
		sentence, _, _ := strings.Cut(t.Doc, ". ")
		g.Add(printable(t.Name), number.Grouped(t.Rows), bytesize.Round(t.Bytes), number.Grouped(int64(t.Parts)), printable(strings.TrimSuffix(sentence, ".")))
	}
	g.Print(a.out, pageWidth(a.out))
}

func (a *app) printDatasetTable(t *describe.DatasetTableDoc) {
	fmt.Fprintf(a.out, "%s\n\n", printable(t.Name))
	g := grid.Grid{Indent: "  "}
	g.Add(printable(t.Doc))
	if t.Hook != "" {
		g.Add(fmt.Sprintf("Kernel event %s, hook %s; \"etl2parquet explain %s\" says more.", t.Event, t.Hook, t.Hook))
	}
	g.Add(fmt.Sprintf("%s, %s, %s in %s.", counted(t.Rows, "row"), bytesize.Round(t.Bytes), counted(int64(t.Parts), "part"), counted(int64(t.Files), "file")))
	width := pageWidth(a.out)
	g.Print(a.out, width)
	fmt.Fprintln(a.out)
	describe.WriteColumns(a.out, width, t.Columns)
}
