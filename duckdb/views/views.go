// Package views writes the statements that define the views of the database etl: table macros
// with the path of a trace as argument. There are macros for the views of package
// internal/lake/views, the tables that these and the cookbook name, and all tables that do not
// belong to one event. There are no others, because each macro costs time when the extension is
// loaded, and read_etl reads any table.
package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Database is the name of the in-memory database with the macros. Temporary macros would be visible
// in one connection only, and others would be written to the user's database.
const Database = "etl"

// parameters are the parameters of each macro. NULL means that an argument is missing. DuckDB replaces the columns of a
// macro that have the name of a parameter, so that no view may have such a column: path would be one.
const (
	parameters = `trace_path, symbols := NULL, "from" := NULL, "to" := NULL, strict := NULL, ignore_errors := NULL`
	arguments  = `symbols := symbols, "from" := "from", "to" := "to", strict := strict, ignore_errors := ignore_errors`
)

// SQL returns the statements.
func SQL() string {
	var sql strings.Builder
	fmt.Fprintf(&sql, "ATTACH ':memory:' AS %s;\n", Database)
	named := views.BuiltIn().TablesNamed()
	tables := make(map[string]string) // by name: the source of its rows
	add := func(t *schema.Table) {
		name := t.ViewName()
		tables[name] = fmt.Sprintf("FROM read_etl(trace_path, name := '%s', %s)", t.Name, arguments)
		if named[name] || !t.IsPayload() {
			macro(&sql, name, t.Doc, tables[name])
		}
	}
	add(schema.EventsTable())
	for _, t := range slices.Concat(schema.Tables(), views.BuiltIn().CatalogueTables()) {
		add(t)
	}
	for _, v := range views.BuiltIn().All() {
		if tables[v.Name] == "" { // events is a table here
			tables[v.Name] = over(v, tables)
			macro(&sql, v.Name, v.Doc, tables[v.Name])
		}
	}
	for _, m := range views.BuiltIn().Macros() {
		macro(&sql, m.Name, m.Doc, over(&m.View, tables), m.Parameters...)
	}
	return sql.String()
}

// macro defines a table macro, with a comment that says what a row is. Further parameters follow the
// path.
func macro(sql *strings.Builder, name, doc, body string, further ...string) {
	list := parameters
	if len(further) > 0 {
		list = strings.Replace(parameters, "trace_path, ", "trace_path, "+strings.Join(further, ", ")+", ", 1)
	}
	fmt.Fprintf(sql, "CREATE MACRO %[1]s.%[2]s(%[3]s) AS TABLE %[4]s;\nCOMMENT ON MACRO TABLE %[1]s.%[2]s IS '%[5]s';\n",
		Database, name, list, body, strings.ReplaceAll(doc, "'", "''"))
}

// over returns a view over the tables and views that it reads.
func over(v *views.View, tables map[string]string) string {
	var read []string
	sql, reads := views.BuiltIn().Statement(v)
	for _, name := range reads {
		read = append(read, fmt.Sprintf("%s AS NOT MATERIALIZED (%s)", name, tables[name]))
	}
	return fmt.Sprintf("WITH %s\nSELECT * FROM (%s)", strings.Join(read, ",\n"), sql)
}
