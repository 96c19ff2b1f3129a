// Package views writes the statements that make the views of the database etl: table macros
// with the path of a trace as argument. They are the views that people start from, the tables
// that these and the cookbook name, and all that are not of one event: each macro costs time
// when the extension is loaded, and read_etl reads any table.
package views

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Database is the name of the database in memory that has the macros: those of a connection
// are its own, and others would be written to the user's database.
const Database = "etl"

// parameters are those of each macro. NULL is as if they were not given.
const (
	parameters = `path, symbols := NULL, "from" := NULL, "to" := NULL`
	arguments  = `symbols := symbols, "from" := "from", "to" := "to"`
)

// SQL returns the statements.
func SQL() string {
	var sql strings.Builder
	fmt.Fprintf(&sql, "ATTACH ':memory:' AS %s;\n", Database)
	named := dataset.TablesNamed()
	tables := make(map[string]string) // what each reads, by name
	for _, t := range append([]*schema.Table{schema.EventsTable()}, schema.Tables()...) {
		name := t.ViewName()
		tables[name] = fmt.Sprintf("FROM read_etl(path, name := '%s', %s)", t.Name, arguments)
		if named[name] || !t.IsPayload() {
			macro(&sql, name, tables[name])
		}
	}
	for _, v := range dataset.StartViews() {
		macro(&sql, v.Name, over(v.SQL, tables))
	}
	return sql.String()
}

func macro(sql *strings.Builder, name, body string) {
	fmt.Fprintf(sql, "CREATE MACRO %s.%s(%s) AS TABLE %s;\n", Database, name, parameters, body)
}

var word = regexp.MustCompile(`[a-z][a-z0-9_]*`)

// older has the names of functions that DuckDB 1.4 knows, too.
var older = strings.NewReplacer("cardinality(", "len(", "array_join(", "array_to_string(")

// over returns a view over the tables that it names.
func over(view string, tables map[string]string) string {
	view = older.Replace(view)
	var named []string
	words := word.FindAllString(view, -1)
	slices.Sort(words)
	for _, name := range slices.Compact(words) {
		if tables[name] != "" {
			named = append(named, fmt.Sprintf("%s AS NOT MATERIALIZED (%s)", name, tables[name]))
		}
	}
	return fmt.Sprintf("WITH %s\nSELECT * FROM (%s)", strings.Join(named, ",\n"), view)
}
