package views

import (
	_ "embed" // for the file below
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// absentFile has the tables of the built-in catalogue that the views read, as text: a script has an
// empty view of each that the dataset lacks, and unpacking their providers would take most of the time
// of converting a small trace. Each line is a table: its name and its sentence, then its columns as in
// SQL, all separated by tabs. A + begins the columns that other events do not have. A test writes it
// with -update.
const absentFile = "absent.tsv"

//go:embed absent.tsv
var absentText string

// absentTable is a table of the built-in catalogue, as SQL has it.
type absentTable struct {
	name    string // with its folder
	doc     string
	columns []absentColumn
}

// absentColumn is a column of an absentTable: a quoted name, and a type of DuckDB.
type absentColumn struct {
	name, kind string
	own        bool // its files have it, and those of other events do not
}

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
	return a
}

// line returns the table as a line of absentFile.
func (t *absentTable) line() string {
	fields := []string{t.name, t.doc}
	for _, c := range t.columns {
		mark := map[bool]string{true: "+"}[c.own]
		fields = append(fields, mark+c.name+" "+c.kind)
	}
	return strings.Join(fields, "\t") + "\n"
}

// parseAbsent parses absentFile. The names in SQL are the keys.
func parseAbsent(text string) (map[string]*absentTable, error) {
	tables := make(map[string]*absentTable)
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) < 3 {
			return nil, fmt.Errorf("%s: not a table: %q", absentFile, line)
		}
		t := &absentTable{name: fields[0], doc: fields[1]}
		for _, field := range fields[2:] {
			column, own := strings.CutPrefix(field, "+")
			name, kind, ok := strings.Cut(column, `" `) // no name has a quote
			if !ok || !strings.HasPrefix(name, `"`) || kind == "" {
				return nil, fmt.Errorf("%s: not a column of %s: %q", absentFile, t.name, field)
			}
			t.columns = append(t.columns, absentColumn{name + `"`, kind, own})
		}
		tables[t.viewName()] = t
	}
	return tables, nil
}

// absentTables returns the tables of the catalogue that the views of the set read, by name in SQL.
func (s *set) absentTables() map[string]*absentTable {
	if s.absentText != "" {
		tables, err := parseAbsent(s.absentText)
		if err != nil {
			panic(err) // the file is embedded in the program, so every test would fail
		}
		return tables
	}
	tables := make(map[string]*absentTable)
	for name, t := range s.catalogue() {
		tables[name] = absentOf(t)
	}
	return tables
}

// AbsentNames returns the tables of [CatalogueTables] with their names and sentences only, at once.
func AbsentNames() []*schema.Table {
	var tables []*schema.Table
	for _, name := range slices.Sorted(maps.Keys(all().absent())) {
		t := all().absent()[name]
		tables = append(tables, &schema.Table{Name: t.name, Doc: t.doc})
	}
	return tables
}
