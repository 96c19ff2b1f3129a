package views

import (
	_ "embed" // for the files below
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// These files have the tables of events that the views read, as text: absentFile those of the built-in
// catalogue, kernelFile those of package schema. A script has an empty view of each that the dataset
// lacks. Unpacking the providers of the catalogue would take most of the time of converting a small
// trace, and making the SQL of the tables a tenth. Each line is a table: its name and its sentence, then
// its columns as in SQL, all separated by tabs. A + begins the columns that other events do not have,
// and * stands for the columns that all tables of events begin with. A test writes the files with
// -update.
const (
	absentFile = "absent.tsv"
	kernelFile = "kernel.tsv"
)

//go:embed absent.tsv
var absentText string

//go:embed kernel.tsv
var kernelText string

// absentTable is a table that a dataset can lack, as SQL has it.
type absentTable struct {
	name    string // with its folder
	doc     string
	begins  bool // with startColumns, which columns lacks
	columns []absentColumn
}

// absentColumn is a column of an absentTable: a quoted name, and a type of DuckDB.
type absentColumn struct {
	name, kind string
	own        bool // its files have it, and those of other events do not
}

// startColumns are the columns with which tables of events begin.
var startColumns = sync.OnceValue(func() []absentColumn {
	var start []absentColumn
	for _, c := range (&schema.Table{Name: schema.EventsFolder, Columns: schema.CommonColumns()}).WithTrace().Columns {
		if c.Name != schema.PayloadColumn {
			q := quoted([]schema.Column{c})
			start = append(start, absentColumn{q[0].Name, duckType(&q[0]), false})
		}
	}
	return start
})

// viewName returns the name in SQL.
func (t *absentTable) viewName() string { return schema.ViewName(t.name) }

// absentOf returns a table as SQL has it.
func absentOf(t *schema.Table) *absentTable {
	a := &absentTable{name: t.Name, doc: t.Doc}
	shared, stored := dataset.SharedColumns(t.Event), t.Stored().Columns
	for _, c := range t.WithTrace().Columns {
		named := func(other schema.Column) bool { return other.Name == c.Name }
		own := slices.ContainsFunc(stored, named) && !slices.ContainsFunc(shared, named)
		q := quoted([]schema.Column{c})
		a.columns = append(a.columns, absentColumn{q[0].Name, duckType(&q[0]), own})
	}
	if n := len(startColumns()); len(a.columns) >= n && slices.Equal(a.columns[:n], startColumns()) {
		a.begins, a.columns = true, a.columns[n:]
	}
	return a
}

// absentLines returns tables as the text of a file.
func absentLines(tables []*schema.Table) string {
	var b strings.Builder
	for _, t := range tables {
		b.WriteString(absentOf(t).line())
	}
	return b.String()
}

// line returns the table as a line of a file.
func (t *absentTable) line() string {
	fields := []string{t.name, t.doc}
	if t.begins {
		fields = append(fields, "*")
	}
	for _, c := range t.columns {
		mark := map[bool]string{true: "+"}[c.own]
		fields = append(fields, mark+c.name+" "+c.kind)
	}
	return strings.Join(fields, "\t") + "\n"
}

// absentTables are lines of a file, by the names in SQL of their tables. A table is parsed when a script
// needs its columns.
type absentTables map[string]string

// splitAbsent splits the text of a file.
func splitAbsent(text string) absentTables {
	tables := make(absentTables, strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(line, "\t")
		tables[schema.ViewName(name)] = line
	}
	return tables
}

// table returns the table of a name in SQL, or nil.
func (a absentTables) table(name string) *absentTable {
	line, found := a[name]
	if !found {
		return nil
	}
	t, err := parseAbsent(line)
	if err != nil {
		panic(err) // the files are embedded in the program, and a test parses all of their lines
	}
	return t
}

// parseAbsent parses a line of a file.
func parseAbsent(line string) (*absentTable, error) {
	name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
	doc, fields, found := strings.Cut(rest, "\t")
	if !found {
		return nil, fmt.Errorf("not a table: %q", line)
	}
	t := &absentTable{name: name, doc: doc}
	for field := range strings.SplitSeq(fields, "\t") {
		if field == "*" {
			t.begins = true
			continue
		}
		column, own := strings.CutPrefix(field, "+")
		name, kind, ok := strings.Cut(column, `" `) // no name has a quote
		if !ok || !strings.HasPrefix(name, `"`) || kind == "" {
			return nil, fmt.Errorf("not a column of %s: %q", t.name, field)
		}
		t.columns = append(t.columns, absentColumn{column[:len(name)+1], kind, own})
	}
	return t, nil
}

// absentOfAll returns tables as SQL has them, by their names in SQL.
func absentOfAll(tables []*schema.Table) absentTables { return splitAbsent(absentLines(tables)) }

// AbsentNames returns the tables of [CatalogueTables] with their names and sentences only, at once.
func AbsentNames() []*schema.Table {
	absent := ready().absent()
	var tables []*schema.Table
	for _, name := range slices.Sorted(maps.Keys(absent)) {
		t := absent.table(name)
		tables = append(tables, &schema.Table{Name: t.name, Doc: t.doc})
	}
	return tables
}
