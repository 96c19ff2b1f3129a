package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// isDataset reports whether the only argument of describe is a dataset. The name of a
// table means the table, even if a folder has that name.
func isDataset(name string) bool {
	if inputs.IsURL(name) {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && info.IsDir() && len(describe.ClassTables(name))+len(schema.FindTables(name, slices.Concat(schema.Tables(), viewTables()))) == 0
}

// describeDataset explains the tables of a dataset that match a name or pattern; "" lists
// all tables, without their columns.
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
		a.warn("warning: %s: %s cannot be read and is not counted; see etl2parquet check", printable(name), printable(record))
	}
	if s.Traces == 0 && len(s.Damaged) == 0 {
		return fmt.Errorf("%s: it has no trace: it is not a dataset, or an empty one", name)
	}
	doc := describe.DatasetDoc{Dataset: name, Traces: s.Traces, Events: s.Events, Tables: []describe.DatasetTableDoc{}}
	if table == "" {
		for _, t := range s.Tables {
			doc.Tables = append(doc.Tables, describe.DatasetTable(t))
		}
		if asJSON {
			return printJSON(a.out, doc)
		}
		describe.WriteDataset(a.out, pageWidth(a.out), &doc)
		return nil
	}
	found := describe.Find(table, s.Tables)
	switch {
	case len(found) == 0:
		return usageError{describe.NoTable(name, table, s.Tables)}
	case len(found) > 1 && !asJSON:
		for _, t := range found {
			doc.Tables = append(doc.Tables, describe.DatasetTable(t))
		}
		describe.WriteDatasetTables(a.out, pageWidth(a.out), doc.Tables)
		return nil
	}
	return a.describeColumns(ctx, d, name, found, asJSON)
}

// describeColumns explains tables with the columns that their files have.
func (a *app) describeColumns(ctx context.Context, d *bundle.Dataset, name string, tables []*dataset.TableSummary, asJSON bool) error {
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
	describe.WriteDatasetTable(a.out, pageWidth(a.out), &docs[0])
	return nil
}
