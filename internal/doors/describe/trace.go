package describe

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// traceDoc is a trace in the output of describe --json and info --tables --json. Its form is stable:
// fields may be added, but none is renamed or changes its meaning.
type traceDoc struct {
	File   string       `json:"file"`   // as the user named it
	Events int64        `json:"events"` // in the trace
	Tables []traceTable `json:"tables"` // that have rows, or may have
	Views  []string     `json:"views"`  // over tables of events that have rows
}

// traceTable is a table of a trace.
type traceTable struct {
	tableDoc
	SQLName string   `json:"sql_name"`
	IDs     []uint32 `json:"event_ids"` // of the events in it; empty for a table of no single event
	Rows    *int64   `json:"rows"`      // null if unknown before the rows are made

	id         string // the ids in words
	definition *schema.Table
}

// Trace explains the tables of a trace that match a name or pattern, or a view; "" lists all tables in
// which the trace has rows, or may have. name is the name of the trace.
func Trace(ctx context.Context, w io.Writer, name string, trace *etl2parquet.Trace, table string, o Options) error {
	if err := CheckName(table); err != nil {
		return err
	}
	all, err := o.tablesOf(ctx, name, trace)
	if err != nil {
		return err
	}
	if table == "" {
		if o.JSON {
			return texts.WriteJSONLine(w, all)
		}
		all.write(w, &o)
		return nil
	}
	if o.views().Lookup(table) != nil || o.views().LookupMacro(table) != nil {
		return Table(w, table, o)
	}
	found := find(table, all.Tables, func(t traceTable) *schema.Table { return t.definition })
	if len(found) == 0 {
		t, err := trace.Table(table)
		if err != nil {
			return all.noTable(&o, table)
		}
		found = []traceTable{o.newTraceTable(&t)}
	}
	switch {
	case o.JSON:
		return texts.WriteJSONLines(w, found)
	case len(found) > 1:
		writeTraceTables(w, &o, found)
	default:
		found[0].write(w, &o)
	}
	return nil
}

// tablesOf returns the tables of a trace, with the ids of their events.
func (o *Options) tablesOf(ctx context.Context, name string, trace *etl2parquet.Trace) (*traceDoc, error) {
	info, err := trace.Info(ctx)
	if err != nil {
		return nil, err
	}
	ids := make(map[string][]*facts.EventTypeTotal)
	for i := range info.EventTypes {
		if e := &info.EventTypes[i]; e.PayloadTable != nil {
			ids[*e.PayloadTable] = append(ids[*e.PayloadTable], e)
		}
	}
	all := &traceDoc{File: name, Events: info.Events, Tables: []traceTable{}, Views: []string{}}
	filled := make(map[string]bool)
	for _, t := range trace.Tables() {
		row := o.newTraceTable(&t)
		row.addIDs(ids[t.Name])
		all.Tables = append(all.Tables, row)
		filled[row.SQLName] = true
	}
	for _, v := range o.views().All() {
		if v.Name != schema.EventsName && o.readsEvents(v.Name, filled) {
			all.Views = append(all.Views, v.Name)
		}
	}
	return all, nil
}

func (o *Options) newTraceTable(t *etl2parquet.Table) traceTable {
	row := traceTable{tableDoc: o.docOf(t.Definition), SQLName: schema.ViewName(t.Name), IDs: []uint32{}, definition: t.Definition}
	if t.Rows >= 0 {
		row.Rows = &t.Rows
	}
	return row
}

// addIDs adds the ids of the events of a table.
func (t *traceTable) addIDs(events []*facts.EventTypeTotal) {
	for _, e := range events {
		if !slices.Contains(t.IDs, e.EventID) {
			t.IDs = append(t.IDs, e.EventID)
		}
	}
	switch n := len(t.IDs); {
	case n == 1:
		t.id = events[0].IDText()
	case n > 1:
		t.id = texts.Counted(int64(n), "id")
	}
}

// readsEvents reports whether a view reads tables of events that have rows; or, if it reads no such
// tables, whether all that it reads have rows.
func (o *Options) readsEvents(view string, filled map[string]bool) bool {
	some, every := false, true
	events := false
	for name := range o.views().Needed([]string{view}) {
		if o.views().Lookup(name) != nil {
			continue
		}
		if _, isOurs := schema.LookupTable(name); !isOurs || isPayload(name) {
			events = true
			some = some || filled[name]
			continue
		}
		every = every && filled[name]
	}
	return some || !events && every
}

// isPayload reports whether a name in SQL is of a table with the payloads of a kernel event.
func isPayload(name string) bool {
	t, ok := schema.LookupTable(name)
	return ok && t.IsPayload()
}

// write lists the views and the tables. The views are first: they answer questions, and the tables of a
// large trace fill pages.
func (d *traceDoc) write(w io.Writer, o *Options) {
	writeTitle(w, o, fmt.Sprintf("%s: %s, %s", texts.Printable(d.File), texts.Counted(d.Events, "event"), texts.Counted(int64(len(d.Tables)), "table")))
	var views, end texts.Grid
	if len(d.Views) > 0 {
		views.Add("Views over them: " + strings.Join(d.Views, ", ") + ".")
		fmt.Fprintln(w)
		views.Print(w, o.Width)
	}
	fmt.Fprintln(w)
	writeTraceTables(w, o, d.Tables)
	fmt.Fprintln(w)
	end.Add("\"etl2parquet describe " + texts.Printable(d.File) + " NAME\" has the columns of one; NAME is the view, the table, provider/event or the id.")
	end.Print(w, o.Width)
}

// writeTraceTables lists tables of a trace.
func writeTraceTables(w io.Writer, o *Options, tables []traceTable) {
	rows := [][]string{{"in SQL", "rows", "id"}}
	for i := range tables {
		rows = append(rows, []string{texts.Printable(tables[i].SQLName), tables[i].rows(), tables[i].id})
	}
	writeNamed(w, o, rows)
}

// rows returns the number of rows in words.
func (t *traceTable) rows() string {
	if t.Rows == nil {
		return "unknown"
	}
	return texts.Grouped(*t.Rows)
}

// write explains a table with its columns.
func (t *traceTable) write(w io.Writer, o *Options) {
	writeTitle(w, o, texts.Printable(t.Name))
	facts := "In SQL " + t.SQLName
	if t.id != "" {
		facts += "; " + t.id
	}
	if t.Rows != nil {
		facts += "; " + texts.Counted(*t.Rows, "row")
	}
	g := texts.Grid{Indent: "  "}
	g.Add(texts.Printable(facts) + ".")
	g.Add(texts.Printable(t.Doc))
	fmt.Fprintln(w)
	g.Print(w, o.Width)
	fmt.Fprintln(w)
	writeColumns(w, o, t.Columns)
}

// noTable returns the error for a name that matches no table of a trace and no known one.
func (d *traceDoc) noTable(o *Options, name string) error {
	var names []string
	for i := range d.Tables {
		names = append(names, spellings(d.Tables[i].Name)...)
	}
	for _, v := range o.views().All() {
		names = append(names, v.Name)
	}
	if similar := texts.Nearest(name, names); len(similar) > 0 {
		return &NameError{fmt.Errorf("no table %q; %s", name, texts.DidYouMean(similar))}
	}
	return &NameError{fmt.Errorf("no table %q; \"etl2parquet describe %s\" lists its tables", name, d.File)}
}
