package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// datasetDoc is a dataset in the output of describe --json. Its form is stable: fields may
// be added, but none is renamed or changes its meaning.
type datasetDoc struct {
	Dataset string            `json:"dataset"`
	Traces  int               `json:"traces"`
	Events  int64             `json:"events"` // in the traces
	Tables  []datasetTableDoc `json:"tables"`
}

// datasetTableDoc is a table of a dataset.
type datasetTableDoc struct {
	Name    string      `json:"name"`
	SQLName string      `json:"sql_name"`
	Kind    string      `json:"kind"` // header, payload or fixed, as in tableDoc
	Doc     string      `json:"doc"`
	Event   string      `json:"event,omitempty"` // for kind payload: class/event or provider/event
	Hook    string      `json:"hook,omitempty"`  // for kind payload, of a kernel event
	Rows    int64       `json:"rows"`
	Bytes   int64       `json:"bytes"` // of its files
	Parts   int         `json:"parts"` // traces and bundles that have rows
	Files   int         `json:"files"`
	Columns []columnDoc `json:"columns,omitempty"` // as the files have them, the column trace among them
}

// datasetTable explains a table of a dataset, without its columns.
func (o *Options) datasetTable(t *dataset.TableSummary) datasetTableDoc {
	d := datasetTableDoc{Name: t.Name, SQLName: schema.ViewName(t.Name), Rows: t.Rows, Bytes: t.Bytes, Parts: t.Parts, Files: t.Files}
	if known, ok := schema.LookupTable(t.Name); ok && known.Name == t.Name {
		d.Kind, d.Doc = o.tableKind(known), known.Doc
	}
	event, isPayload := strings.CutPrefix(t.Name, schema.EventsFolder)
	if !isPayload {
		return d
	}
	d.Event = event
	if e, ok := kernelEvent(t.Name); ok {
		d.Event = e.Class + "/" + e.Name
		if first := e.Literals()[0]; first.HasHook {
			d.Hook = fmt.Sprintf("%#04x", first.Hook)
		}
	}
	if d.Kind == "" {
		provider, name, _ := strings.Cut(event, "/")
		d.Kind, d.Doc = "payload", fmt.Sprintf("Event %s of provider %s. The table event_types has its id, and who describes it.", name, provider)
	}
	return d
}

// emptyTable explains a known table that a dataset has no rows of, with the columns that it would have.
func (o *Options) emptyTable(t *schema.Table) datasetTableDoc {
	d := o.datasetTable(&dataset.TableSummary{Name: t.Name, Event: t.Event})
	d.Kind, d.Doc = o.tableKind(t), t.Doc
	d.Columns = columnDocs(append([]schema.Column{schema.TraceColumn}, t.Columns...))
	return d
}

func kernelEvent(table string) (*schema.EventTable, bool) {
	tables := schema.KernelCatalog().Tables()
	i := slices.IndexFunc(tables, func(t *schema.EventTable) bool { return t.Table.Name == table })
	if i < 0 {
		return nil, false
	}
	return tables[i], true
}

// datasetColumns explains the columns of a table's files.
func datasetColumns(table string, columns []schema.Column) []columnDoc {
	docs := make(map[string]string)
	known := slices.Concat([]schema.Column{schema.TraceColumn}, schema.CommonColumns())
	if t, ok := schema.LookupTable(table); ok && t.Name == table {
		known = append(known, t.Columns...)
	} else {
		known = append(known, userColumns()...)
	}
	for i := range known {
		docs[known[i].Name] = known[i].Doc
	}
	columns = slices.Clone(columns)
	for i := range columns {
		c := &columns[i]
		switch doc, ok := docs[c.Name]; {
		case ok:
			c.Doc = doc
		case strings.HasPrefix(table, schema.EventsFolder):
			c.Doc = "Field of the event; event_types.field_list has its original name and type."
		}
	}
	return columnDocs(columns)
}

// userColumns are the columns that tables of provider events can have in addition to the common
// columns and the fields.
func userColumns() []schema.Column {
	return append(slices.Clone(schema.EventColumns()), []schema.Column{
		{Name: schema.MessageColumn, Doc: "The event's message, with its values in place, or its field of this name. NULL if it has none."},
		{Name: schema.RestColumn, Doc: "What the payload has beyond its known fields, or from the first field on that does not fit. NULL if nothing is left."},
	}...)
}
