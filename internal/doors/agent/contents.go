package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/absence"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Contents are the facts of inputs: traces or a dataset.
type Contents struct {
	About  string           // a page about them
	Rows   map[string]int64 // by the name of a table in SQL; -1 if unknown before the rows are made
	Traces []absence.Trace
}

// AddTrace adds the tables of a trace and what it says about its recording.
func (c *Contents) AddTrace(info *facts.Info, tables []etl2parquet.Table) error {
	for _, t := range tables {
		c.AddRows(t.Name, t.Rows)
	}
	trace := absence.Trace{Name: info.File} // the page says what was lost, which need not be said for each view
	if info.EnableFlagsText != nil {
		trace.AddFlags(info.EnableFlagsText)
	}
	if err := trace.AddEvents(info.EventTypes); err != nil {
		return err
	}
	c.Traces = append(c.Traces, trace)
	return nil
}

// AddRows adds rows of a table, or -1 if their number is unknown.
func (c *Contents) AddRows(table string, rows int64) {
	if c.Rows == nil {
		c.Rows = make(map[string]int64)
	}
	name := schema.ViewName(table)
	if old := c.Rows[name]; old < 0 || rows < 0 {
		rows, c.Rows[name] = 0, -1
	}
	c.Rows[name] += rows
}

// text returns the facts as text: the page, the views with rows, and why others have none.
func (c *Contents) text(set *views.Set) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(c.About, "\n"))
	b.WriteString("\n\nViews with rows, and the number of rows that each is made from, if known:\n")
	var reasons []reason
	for _, v := range set.All() {
		rows, isKnown := c.rowsOf(set, v.Name)
		switch {
		case !isKnown:
			fmt.Fprintf(&b, "%s: %s\n", v.Name, v.Summary())
		case rows > 0:
			fmt.Fprintf(&b, "%s %s: %s\n", v.Name, texts.Grouped(rows), v.Summary())
		default:
			reasons = addReason(reasons, v.Name, absence.Explain([]absence.Read{set.Read(v.Name, func(table string) int64 { return c.Rows[table] })}, c.Traces))
		}
	}
	if reasons != nil {
		b.WriteString("\nViews without rows, and why:\n")
	}
	for _, r := range reasons {
		fmt.Fprintf(&b, "%s: %s\n", strings.Join(r.views, ", "), r.text)
	}
	return b.String()
}

// rowsOf returns the rows of the tables that give a view its rows, and whether their number is known. The
// rows of tables of headers are the number of events, which says nothing about views of a few of them.
func (c *Contents) rowsOf(set *views.Set, view string) (rows int64, isKnown bool) {
	tables := set.RowsOf(view)
	isKnown = len(tables) > 0 // a user's view need not say what gives it rows
	for _, table := range tables {
		n := c.Rows[table]
		if n < 0 || n > 0 && view != schema.EventsName && schema.IsHeaderTable(table) {
			n, isKnown = 0, false
		}
		rows += n
	}
	return rows, isKnown
}

// reason says why views have no rows.
type reason struct {
	text  string
	views []string
}

// addReason adds a view to the reason that it shares with others.
func addReason(list []reason, view, text string) []reason {
	text = strings.TrimPrefix(strings.TrimPrefix(text, view), " ")
	i := slices.IndexFunc(list, func(r reason) bool { return r.text == text })
	if i < 0 {
		i, list = len(list), append(list, reason{text: text})
	}
	list[i].views = append(list[i].views, view)
	return list
}
