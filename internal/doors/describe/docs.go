// Package describe explains tables: the tables that any dataset can have, and the tables
// of a particular dataset.
package describe

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TableDoc is a table in the output of describe --json. Its form is stable:
// fields may be added, but none is renamed or changes its meaning.
type TableDoc struct {
	Name    string      `json:"name"`
	Kind    string      `json:"kind"` // header: holds events; payload: of one kind of event; fixed: no events; view: over tables
	Doc     string      `json:"doc"`
	SortBy  []string    `json:"sort_by"`
	Columns []ColumnDoc `json:"columns"` // and the partition column trace, STRING
	// SQL is the SELECT of a view, by engine: duckdb, spark. It reads tables and views by their
	// names in SQL.
	SQL map[string]string `json:"sql,omitempty"`
}

// ColumnDoc is a column, or a member of one.
type ColumnDoc struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // as BOOLEAN, INT32, LIST<STRING>, STRUCT<a INT32, b INT32>
	Nullable bool   `json:"nullable"`
	Doc      string `json:"doc"`
	Unit     string `json:"unit,omitempty"` // of the values, as bytes, or what they are, as hresult
	// The members of a STRUCT, or of a LIST of STRUCT.
	Fields []ColumnDoc `json:"fields,omitempty"`
}

// Docs explains tables.
func Docs(tables []*schema.Table) []TableDoc {
	var docs []TableDoc
	for _, t := range tables {
		docs = append(docs, DocOf(t))
	}
	return docs
}

// DocOf explains a table.
func DocOf(t *schema.Table) TableDoc {
	doc := TableDoc{Name: t.Name, Kind: tableKind(t), Doc: t.Doc, SortBy: append([]string{}, t.SortBy...), Columns: columnDocs(t.Columns)}
	if v := views.Lookup(t.Name); v != nil {
		doc.SQL = make(map[string]string)
		for _, e := range views.Engines() {
			doc.SQL[e.String()] = v.SQL(e)
		}
	}
	return doc
}

func columnDocs(columns []schema.Column) []ColumnDoc {
	var docs []ColumnDoc
	for i := range columns {
		c := &columns[i]
		docs = append(docs, ColumnDoc{c.Name, c.TypeName(), c.Nullable, c.Doc, string(c.Unit), columnDocs(c.Fields)})
	}
	return docs
}

// viewKind is the kind of a view.
const viewKind = "view"

func tableKind(t *schema.Table) string {
	if slices.Contains(schema.HeaderTables(), t) {
		return "header"
	}
	if t.IsPayload() {
		return "payload"
	}
	if slices.Contains(schema.FixedTables(), t) {
		return "fixed"
	}
	return viewKind
}
