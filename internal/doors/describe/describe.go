package describe

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Options say how to explain tables.
type Options struct {
	Views *views.Set // nil: the program's
	JSON  bool       // an object for each dataset, trace or table, on a line of its own
	Width int        // of a page
	Style texts.Style
	Note  func(line string) // called with a line for what cannot be read
}

func (o *Options) views() *views.Set { return cmp.Or(o.Views, views.BuiltIn()) }

// NameError means that no table has a name, or that a pattern is malformed.
type NameError struct{ Err error }

func (e *NameError) Error() string { return e.Err.Error() }

func (e *NameError) Unwrap() error { return e.Err }

// CheckName checks a name or pattern of tables.
func CheckName(name string) error {
	if err := schema.CheckPattern(name); err != nil {
		return &NameError{fmt.Errorf("pattern %q: %w", name, err)}
	}
	return nil
}

// own returns the tables and views that any dataset can have.
func (o *Options) own() []*schema.Table {
	return slices.Concat(schema.Tables(), o.views().Tables(), o.views().MacroTables())
}

// IsTable reports whether a name or pattern is of a table, a view or a class.
func (o *Options) IsTable(name string) bool {
	return len(classTables(name))+len(schema.FindTables(name, o.own())) > 0
}

// All lists the tables and views that any dataset can have.
func All(w io.Writer, o Options) error {
	if o.JSON {
		return texts.WriteJSONLines(w, o.docsOf(slices.Concat(schema.Tables(), o.views().CatalogueTables(), o.views().Tables())))
	}
	writeTables(w, &o)
	return nil
}

// Table explains the table or view of a name, or lists the tables of a class or pattern. The tables of
// events of providers are those of the built-in catalogue. The views registry and power are called like
// classes: the name of the class begins with a capital letter.
func Table(w io.Writer, name string, o Options) error {
	if err := CheckName(name); err != nil {
		return err
	}
	var found []*schema.Table
	if o.views().Lookup(name) == nil {
		found = classTables(name)
	}
	isList := len(found) > 0
	if !isList {
		found = find(name, o.own(), func(t *schema.Table) *schema.Table { return t })
		if len(found) == 0 {
			found = catalog.KnownTables(name, true)
		}
	}
	isList = isList || len(found) > 1
	switch {
	case len(found) == 0:
		return o.unknownTable(name)
	case o.JSON:
		return texts.WriteJSONLines(w, o.docsOf(found))
	case isList:
		writeList(w, &o, found)
	default:
		writeTable(w, &o, found[0])
	}
	return nil
}

func (o *Options) unknownTable(name string) error {
	var names []string
	for _, t := range o.own() {
		names = append(names, spellings(t.Name)...)
	}
	if similar := texts.Nearest(name, names); len(similar) > 0 {
		return &NameError{fmt.Errorf("no table is called %q; %s", name, texts.DidYouMean(similar))}
	}
	return &NameError{fmt.Errorf("no table is called %q; \"etl2parquet describe\" lists the tables that any dataset can have, and \"etl2parquet describe TRACE %s\" explains a table of a trace", name, name)}
}

// Dataset explains the tables of a dataset that match a name or pattern; "" lists all tables,
// without their columns.
func Dataset(ctx context.Context, w io.Writer, d *dataset.Dataset, name, table string, o Options) error {
	if err := CheckName(table); err != nil {
		return err
	}
	s, err := d.Summary(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, record := range s.Damaged {
		o.Note(fmt.Sprintf("warning: %s: %s cannot be read and is not counted; see etl2parquet check", texts.Printable(name), texts.Printable(record)))
	}
	if s.Traces == 0 && len(s.Damaged) == 0 {
		return fmt.Errorf("%s: it has no trace: it is not a dataset, or an empty one", name)
	}
	if table == "" {
		doc := datasetDoc{Dataset: name, Traces: s.Traces, Events: s.Events, Tables: o.datasetTables(s.Tables)}
		if o.JSON {
			return texts.WriteJSONLine(w, doc)
		}
		writeDataset(w, &o, &doc)
		return nil
	}
	found := find(table, s.Tables, func(t *dataset.TableSummary) *schema.Table { return &schema.Table{Name: t.Name, Event: t.Event} })
	known := slices.Concat(find(table, o.own(), func(t *schema.Table) *schema.Table { return t }), catalog.KnownTables(table, true))
	switch {
	case len(found) == 0 && len(known) == 1:
		if o.tableKind(known[0]) == viewKind {
			return Table(w, table, o) // no file has its rows: views.sql computes them
		}
		o.Note(fmt.Sprintf("%s has no rows of %s", texts.Printable(name), texts.Printable(table)))
		if o.JSON {
			return texts.WriteJSONLine(w, o.emptyTable(known[0]))
		}
		return Table(w, table, o)
	case len(found) == 0:
		return noTable(name, table, s.Tables)
	case len(found) > 1 && !o.JSON:
		writeDatasetTables(w, &o, o.datasetTables(found))
		return nil
	}
	docs, err := o.withColumns(ctx, d, found)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case o.JSON:
		return texts.WriteJSONLines(w, docs)
	}
	writeDatasetTable(w, &o, &docs[0])
	return nil
}

// datasetTables explains tables of a dataset, without their columns.
func (o *Options) datasetTables(tables []*dataset.TableSummary) []datasetTableDoc {
	docs := []datasetTableDoc{}
	for _, t := range tables {
		docs = append(docs, o.datasetTable(t))
	}
	return docs
}

// withColumns explains tables of a dataset, with the columns that their files have.
func (o *Options) withColumns(ctx context.Context, d *dataset.Dataset, tables []*dataset.TableSummary) ([]datasetTableDoc, error) {
	docs := o.datasetTables(tables)
	for i, t := range tables {
		columns, err := d.Columns(ctx, t)
		if err != nil {
			return nil, err
		}
		docs[i].Columns = datasetColumns(t.Name, columns)
	}
	return docs, nil
}
