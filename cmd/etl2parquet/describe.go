package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/decode/tracelogging"
	"github.com/etl2parquet/etl2parquet/internal/catalog/listing"
	"github.com/etl2parquet/etl2parquet/internal/catalog/windows"
	"github.com/etl2parquet/etl2parquet/internal/grid"
	"github.com/etl2parquet/etl2parquet/schema"
)

func (a *app) describeCommand() *cobra.Command {
	var asJSON bool
	var provider string
	cmd := &cobra.Command{
		Use:   "describe [TABLE|VIEW|CLASS]",
		Short: "Explain the tables, the views and their columns",
		Long: `Explains a table: each column's type, whether it may be null, and its meaning.
The table of a kernel event has three names: its folder, its view, and
class/event: events/Thread/CSwitch, thread_cswitch and Thread/CSwitch. A view of
views.sql is explained like a table. The name of a class lists the events of the
class; a pattern with *, ? or [...] lists the tables and views that match it.
Without an argument, describe lists all tables and views.

With --provider, prints the GUID of a provider: that of a provider of Windows, or
else the one that a TraceLogging or EventSource provider derives from its name,
unless its author chose another.`,
		Example: `  etl2parquet describe
  etl2parquet describe event_header
  etl2parquet describe Thread
  etl2parquet describe Thread/CSwitch
  etl2parquet describe '*/Read*'
  etl2parquet describe cpu_samples
  etl2parquet describe --json | jq -r '.[].name'
  etl2parquet describe --provider Microsoft.Windows.Update.Orchestrator`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("describe takes one table, not %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return append(tableCompletions(begun), completions(views(), begun)...), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case provider != "" && (asJSON || len(args) > 0):
				return usagef("--provider cannot be combined with a table or --json")
			case provider != "":
				a.printGUID(provider)
				return nil
			case len(args) == 1:
				return a.describeTable(args[0], asJSON)
			}
			if asJSON {
				return printJSON(a.out, tableDocs(slices.Concat(schema.Tables(), views())))
			}
			printTables(a.out)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: an object for one table, an array for several")
	cmd.Flags().StringVar(&provider, "provider", "", "print the GUID of the provider of this `name`")
	return cmd
}

// printGUID prints the GUID of a provider: the registered one, or else the one that follows
// from the name.
func (a *app) printGUID(provider string) {
	ids := listing.Catalogs{windows.Catalog()}.Named(provider)
	for _, id := range ids {
		fmt.Fprintln(a.out, id)
	}
	if len(ids) == 0 {
		fmt.Fprintln(a.out, tracelogging.ProviderGUID(provider))
	}
}

// tableDoc is a table in the output of describe --json. Its form is stable:
// fields may be added, but none is renamed or changes its meaning.
type tableDoc struct {
	Name    string      `json:"name"`
	Kind    string      `json:"kind"` // header: holds events; payload: of one kind of event; fixed: no events; view: over tables
	Doc     string      `json:"doc"`
	SortBy  []string    `json:"sort_by"`
	Columns []columnDoc `json:"columns"` // and the partition column trace, STRING
}

type columnDoc struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // as BOOLEAN, INT32, LIST<STRING>, STRUCT<a INT32, b INT32>
	Nullable bool   `json:"nullable"`
	Doc      string `json:"doc"`
	// The members of a STRUCT, or of a LIST of STRUCT.
	Fields []columnDoc `json:"fields,omitempty"`
}

func tableDocs(tables []*schema.Table) []tableDoc {
	var docs []tableDoc
	for _, t := range tables {
		docs = append(docs, tableDocOf(t))
	}
	return docs
}

func tableDocOf(t *schema.Table) tableDoc {
	return tableDoc{Name: t.Name, Kind: tableKind(t), Doc: t.Doc, SortBy: append([]string{}, t.SortBy...), Columns: columnDocs(t.Columns)}
}

func columnDocs(columns []schema.Column) []columnDoc {
	var docs []columnDoc
	for i := range columns {
		c := &columns[i]
		docs = append(docs, columnDoc{c.Name, c.TypeName(), c.Nullable, c.Doc, columnDocs(c.Fields)})
	}
	return docs
}

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

func (a *app) describeTable(name string, asJSON bool) error {
	if err := schema.CheckPattern(name); err != nil {
		return usagef("pattern %q: %w", name, err)
	}
	all := slices.Concat(schema.Tables(), views())
	found := classTables(name)
	isList := len(found) > 0
	if !isList {
		found = schema.FindTables(name, all)
	}
	switch {
	case len(found) == 0:
		if similar := schema.Nearest(name, tableNames(all)); len(similar) > 0 {
			return usagef("no table is called %q; did you mean %s?", name, strings.Join(similar, " or "))
		}
		return usagef("no table is called %q; \"etl2parquet describe\" lists the tables that any dataset can have; a dataset's views.sql also lists those of its providers", name)
	case isList || len(found) > 1:
		if asJSON {
			return printJSON(a.out, tableDocs(found))
		}
		printList(a.out, found)
	case asJSON:
		return printJSON(a.out, tableDocOf(found[0]))
	default:
		printTable(a.out, found[0])
	}
	return nil
}

func printTables(w io.Writer) {
	width := pageWidth(w)
	list := func(title string, tables []*schema.Table) {
		fmt.Fprintf(w, "%s\n\n", title)
		g := grid.Grid{Indent: "  "}
		for _, t := range tables {
			g.Add(t.Name, t.Doc)
		}
		g.Print(w, width)
		fmt.Fprintln(w)
	}
	list("Views in views.sql to start from: events is the union of the header tables,\nthe others join several tables.", views())
	list("About a trace:", schema.FixedTables())
	list("Header tables: each event of a trace is in one of them, by the type of its header.", schema.HeaderTables())
	fmt.Fprint(w, "Payloads of kernel events: a table for each event with a known layout,\nevents/CLASS/EVENT.\n\n")
	g := grid.Grid{Indent: "  "}
	for _, class := range classes() {
		g.Add(class, fmt.Sprintf("%d events", len(classTables(class))))
	}
	g.Print(w, width)
	fmt.Fprint(w, "\n\"etl2parquet describe TABLE\" explains the columns of a table or view, \"describe CLASS\" lists the events of a class.\n")
}

// classes returns the kernel's event classes, in the order of the catalog.
func classes() []string {
	var list []string
	for _, t := range schema.KernelCatalog().Tables() {
		if !slices.Contains(list, t.Class) {
			list = append(list, t.Class)
		}
	}
	return list
}

// classTables returns the tables of an event class of the kernel.
func classTables(class string) []*schema.Table {
	var list []*schema.Table
	for _, t := range schema.KernelCatalog().Tables() {
		if strings.EqualFold(t.Class, class) {
			list = append(list, t.Table)
		}
	}
	return list
}

func printList(w io.Writer, tables []*schema.Table) {
	g := grid.Grid{Indent: "  "}
	for _, t := range tables {
		g.Add(t.Name, t.Doc)
	}
	g.Print(w, pageWidth(w))
}

// layoutNotes states the source of each layout of an event's payload.
func layoutNotes(t *schema.Table) []string {
	var notes []string
	for _, event := range schema.KernelCatalog().Tables() {
		if event.Table != t {
			continue
		}
		for _, e := range event.Literals() {
			versions := fmt.Sprintf("from %d on", e.Since)
			if e.Before > 0 {
				versions = fmt.Sprintf("%d to %d", e.Since, e.Before-1)
			}
			note := fmt.Sprintf("Layout of versions %s: %s; %s.", versions, e.Certainty, e.Ref)
			if e.EnabledBy != "" {
				note += " Recorded with " + e.EnabledBy + "."
			}
			notes = append(notes, note)
		}
	}
	return notes
}

func printTable(w io.Writer, t *schema.Table) {
	width := pageWidth(w)
	fmt.Fprintf(w, "%s\n\n", t.Name)
	doc := grid.Grid{Indent: "  "}
	doc.Add(t.Doc)
	if len(t.SortBy) > 0 {
		doc.Add("Sorted by " + strings.Join(t.SortBy, ", ") + ".")
	}
	if tableKind(t) == viewKind {
		doc.Add("A view of views.sql. It also has the column trace (STRING), the name of the trace.")
	} else {
		doc.Add("In a dataset it also has the column trace (STRING), the name of the trace.")
	}
	for _, note := range layoutNotes(t) {
		doc.Add(note)
	}
	doc.Print(w, width)
	fmt.Fprintln(w)
	g := grid.Grid{Indent: "  "}
	g.Add("column", "type", "", "meaning")
	addColumns(&g, t.Columns, "")
	g.Print(w, width)
}

// addColumns adds a row for each column, and below a struct one for each of its members.
func addColumns(g *grid.Grid, columns []schema.Column, indent string) {
	for i := range columns {
		c := &columns[i]
		null := "not null"
		if c.Nullable {
			null = "nullable"
		}
		name := c.TypeName()
		if c.Type == schema.Struct { // the rows below list the members
			name, _, _ = strings.Cut(name, "STRUCT<")
			name += "STRUCT"
			if c.List {
				name += ">"
			}
		}
		g.Add(indent+c.Name, name, null, c.Doc)
		addColumns(g, c.Fields, indent+"  ")
	}
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
