package describe

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// writeTables lists all tables and views that a dataset can have.
func writeTables(w io.Writer, o *Options) {
	list := func(title string, tables []*schema.Table) {
		writeTitle(w, o, title)
		fmt.Fprintln(w)
		g := texts.Grid{Indent: "  "}
		for _, t := range tables {
			g.Add(t.Name, t.Doc)
		}
		g.Print(w, o.Width)
		fmt.Fprintln(w)
	}
	list("Views in views.sql to start from: events is the union of the header tables, the others join several tables.", slices.Concat(o.views().Tables(), o.views().MacroTables()))
	list("About a trace:", schema.FixedTables())
	list("Header tables: each event of a trace is in one of them, by the type of its header.", schema.HeaderTables())
	writeTitle(w, o, "Payloads of kernel events: a table for each event with a known layout, events/CLASS/EVENT.")
	fmt.Fprintln(w)
	g := texts.Grid{Indent: "  "}
	for _, class := range classes() {
		g.Add(class, fmt.Sprintf("%d events", len(classTables(class))))
	}
	g.Print(w, o.Width)
	fmt.Fprintln(w)
	var end texts.Grid
	end.Add("\"etl2parquet describe TABLE\" explains the columns of a table or view, \"describe CLASS\" lists the events of a class, \"describe TRACE\" the tables of a trace.")
	end.Print(w, o.Width)
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

// writeList lists tables.
func writeList(w io.Writer, o *Options, tables []*schema.Table) {
	g := texts.Grid{Indent: "  "}
	for _, t := range tables {
		g.Add(t.Name, t.Doc)
	}
	g.Print(w, o.Width)
}

// otherNames states the name in SQL and the numbers by which commands take the event of a table.
func otherNames(t *schema.Table) string {
	n := t.EventNames()
	text := "In SQL " + n.SQLName()
	switch {
	case n.Hook != schema.NoID:
		text += fmt.Sprintf("; hook 0x%04X, type %d", n.Hook, n.ID)
	case n.ID != schema.NoID && t.Event.Kind == schema.ProviderEvent:
		text += fmt.Sprintf("; id %d", n.ID)
	case n.ID != schema.NoID:
		text += fmt.Sprintf("; type %d", n.ID)
	}
	return text + "."
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

// writeTable explains a table and its columns.
func writeTable(w io.Writer, o *Options, t *schema.Table) {
	writeTitle(w, o, t.Name)
	fmt.Fprintln(w)
	doc := texts.Grid{Indent: "  "}
	doc.Add(t.Doc)
	if t.IsPayload() {
		doc.Add(otherNames(t))
	}
	if len(t.SortBy) > 0 {
		doc.Add("Sorted by " + strings.Join(t.SortBy, ", ") + ".")
	}
	switch o.tableKind(t) {
	case viewKind:
		of := dataset.ViewsFile
		if v := o.views().Lookup(t.Name); v != nil && v.Folder != "" {
			of = texts.Printable(v.Folder)
		}
		doc.Add("A view of " + of + ". It also has the column trace (STRING), the name of the trace.")
	case macroKind:
		doc.Add("A table macro of views.sql. It also has the column trace (STRING), the name of the trace.")
	default:
		doc.Add("In a dataset it also has the column trace (STRING), the name of the trace.")
	}
	for _, note := range layoutNotes(t) {
		doc.Add(note)
	}
	doc.Print(w, o.Width)
	fmt.Fprintln(w)
	writeColumns(w, o, columnDocs(t.Columns))
	if v := o.views().Lookup(t.Name); v != nil {
		writeSources(w, o, v)
	}
}

// writeSources explains what gives a view rows, and its names for rules of Sigma.
func writeSources(w io.Writer, o *Options, v *views.View) {
	list := o.sourcesOf(v)
	if len(list) > 0 {
		fmt.Fprintln(w)
		writeTitle(w, o, "Sources, the best first")
		fmt.Fprintln(w)
		g := texts.Grid{Indent: "  "}
		for _, s := range list {
			g.Add(texts.Printable(s.Name))
			g.AddNote(texts.Printable(strings.Join(s.Events, ", ") + ", recorded by " + s.Recorded + "."))
		}
		g.Print(w, o.Width)
	}
	for _, s := range v.Sigma {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
			names = append(names, name+" is "+s.Fields[name])
		}
		fmt.Fprintln(w)
		g := texts.Grid{Indent: "  "}
		source := strings.Join(slices.DeleteFunc([]string{s.Product, s.Category, s.Service}, func(part string) bool { return part == "" }), "/")
		g.Add(texts.Printable(fmt.Sprintf("Rules of Sigma for %s ask it: %s.", source, strings.Join(names, ", "))))
		g.Print(w, o.Width)
	}
}

// writeColumns explains columns. Their names come from a file that another program may have
// written. A narrow page has the meaning of each below it.
func writeColumns(w io.Writer, o *Options, columns []columnDoc) {
	beside := texts.Grid{Indent: "  ", Head: true, Style: o.Style}
	below := beside
	below.Add("column", "type", "")
	addColumns(columns, "", func(doc string, texts ...string) {
		below.Add(texts...)
		below.AddNote(doc)
	})
	if below.Fits(o.Width-leastMeaning) || len(columns) == 0 {
		beside.Add("column", "type", "", "meaning")
		addColumns(columns, "", func(doc string, texts ...string) { beside.Add(append(texts, doc)...) })
		beside.Print(w, o.Width)
		return
	}
	below.Print(w, o.Width)
}

// leastMeaning is the least width of the meanings beside their columns.
const leastMeaning = 50

// addColumns adds a row for each column with its meaning, and below a struct a row for each member.
func addColumns(columns []columnDoc, indent string, add func(doc string, texts ...string)) {
	for i := range columns {
		c := &columns[i]
		null := "not null"
		if c.Nullable {
			null = "nullable"
		}
		name := c.Type
		if before, _, isStruct := strings.Cut(name, "STRUCT<"); isStruct { // the rows below list the members
			name = before + "STRUCT"
			if before != "" {
				name += ">"
			}
		}
		doc := c.Doc
		if unit := "Unit: " + c.Unit + "."; c.Unit != "" && !strings.Contains(doc, unit) {
			doc = strings.TrimLeft(doc+" "+unit, " ")
		}
		add(texts.Printable(doc), indent+texts.Printable(c.Name), name, null)
		addColumns(c.Fields, indent+"  ", add)
	}
}
