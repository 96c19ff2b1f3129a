// Package describe explains tables: the tables that any dataset can have, and the tables
// of a particular dataset.
package describe

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// tableDoc is a table in the output of describe --json. Its form is stable:
// fields may be added, but none is renamed or changes its meaning.
type tableDoc struct {
	Name    string      `json:"name"`
	Kind    string      `json:"kind"` // header: holds events; payload: of one kind of event; fixed: no events; view: over tables; macro: a view with parameters
	Doc     string      `json:"doc"`
	SortBy  []string    `json:"sort_by"`
	Columns []columnDoc `json:"columns"` // and in a dataset the column trace, STRING
	// SQL is the SELECT of a view, for DuckDB. It reads tables and views by their names in SQL.
	SQL string `json:"sql,omitempty"`
	// Parameters are the parameters of a macro, by which its SQL calls them.
	Parameters []string `json:"parameters,omitempty"`
	// Sources are what gives a view rows, the best first; empty for a view that is one statement over tables.
	Sources []sourceDoc `json:"sources,omitempty"`
	// Sigma says by which names rules of Sigma ask a view.
	Sigma []sigmaDoc `json:"sigma,omitempty"`
}

// sourceDoc is one of the things that give a view rows.
type sourceDoc struct {
	Name     string   `json:"name"` // in the column source
	Events   []string `json:"events"`
	Recorded string   `json:"recorded"` // what records them
	Where    string   `json:"where,omitempty"`
	Public   []string `json:"public,omitempty"` // where it is described
	Proven   []string `json:"proven,omitempty"` // real traces that give it rows
}

// sigmaDoc is a log source of Sigma that a view is.
type sigmaDoc struct {
	Product  string            `json:"product,omitempty"`
	Category string            `json:"category,omitempty"`
	Service  string            `json:"service,omitempty"`
	Where    string            `json:"where,omitempty"` // a condition for its rows
	Fields   map[string]string `json:"fields"`          // the columns by Sigma's names
}

// columnDoc is a column, or a member of one.
type columnDoc struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // as BOOLEAN, INT32, LIST<STRING>, STRUCT<a INT32, b INT32>
	Nullable bool   `json:"nullable"`
	Doc      string `json:"doc"`
	Unit     string `json:"unit,omitempty"` // of the values, as bytes, or what they are, as hresult
	// The members of a STRUCT, or of a LIST of STRUCT.
	Fields []columnDoc `json:"fields,omitempty"`
}

// docsOf explains tables.
func (o *Options) docsOf(tables []*schema.Table) []tableDoc {
	var docs []tableDoc
	for _, t := range tables {
		docs = append(docs, o.docOf(t))
	}
	return docs
}

// docOf explains a table.
func (o *Options) docOf(t *schema.Table) tableDoc {
	doc := tableDoc{Name: t.Name, Kind: o.tableKind(t), Doc: t.Doc, SortBy: append([]string{}, t.SortBy...), Columns: columnDocs(t.Columns)}
	if v := o.views().Lookup(t.Name); v != nil {
		doc.SQL, _ = o.views().Statement(v)
		doc.Sources = o.sourcesOf(v)
		for _, s := range v.Sigma {
			doc.Sigma = append(doc.Sigma, sigmaDoc(s))
		}
	}
	if m := o.views().LookupMacro(t.Name); m != nil {
		doc.Parameters, doc.SQL = m.Parameters, m.SQL()
	}
	return doc
}

// sourcesOf explains the sources of a view.
func (o *Options) sourcesOf(v *views.View) (docs []sourceDoc) {
	for _, s := range o.views().SourcesOf(v.Name) {
		docs = append(docs, sourceDoc{s.Name, s.Events(), s.Recorded, s.Where(), s.Public, s.Proven})
	}
	return docs
}

func columnDocs(columns []schema.Column) []columnDoc {
	var docs []columnDoc
	for i := range columns {
		c := &columns[i]
		docs = append(docs, columnDoc{c.Name, c.TypeName(), c.Nullable, c.Doc, string(c.Unit), columnDocs(c.Fields)})
	}
	return docs
}

// viewKind is the kind of a view.
const viewKind = "view"

// macroKind is the kind of a view with parameters.
const macroKind = "macro"

func (o *Options) tableKind(t *schema.Table) string {
	if slices.Contains(schema.HeaderTables(), t) {
		return "header"
	}
	if t.IsPayload() {
		return "payload"
	}
	if slices.Contains(schema.FixedTables(), t) {
		return "fixed"
	}
	if o.views().LookupMacro(t.Name) != nil {
		return macroKind
	}
	return viewKind
}
