package views

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Engine is a dialect of SQL. Templates use its differences from the other one by these functions.
// Their arguments are SQL.
//
//	len LIST              number of elements
//	at LIST N             element N, from 0; NULL if there is none
//	series N              list of the whole numbers from 0 to N-1
//	each LIST "t(c)"      join with a row of the table t and the column c for each element
//	join TEXT BY ORDER    aggregate: the texts joined by the literal BY, in an order
//	hex N                 lower-case hexadecimal digits of an unsigned 64-bit number
//	time N                TIMESTAMP of a number of ns since 1970-01-01 UTC
//
// The function common has no dialect: common "t." lists [schema.CommonColumns] of the table t.
type Engine int

// The engines for which views are made.
const (
	DuckDB Engine = iota
	Spark
)

// engines has the name of each engine and its forms of the functions.
var engines = [...]struct {
	name      string
	functions template.FuncMap
}{
	DuckDB: {"duckdb", template.FuncMap{
		"len":    form(1, "len(%s)"),
		"at":     form(2, "%s[%s + 1]"),
		"series": form(1, "range(%s)"),
		"each":   form(2, "CROSS JOIN unnest(%s) AS %s"),
		"join":   form(3, "string_agg(%s, %s ORDER BY %s)"),
		"hex":    form(1, "lower(hex(%s))"),
		"time":   form(1, "make_timestamptz((%s) // 1000)"),
		"common": common,
	}},
	Spark: {"spark", template.FuncMap{
		"len":    form(1, "size(%s)"),
		"at":     form(2, "get(%s, CAST(%s AS INT))"),
		"series": form(1, "slice(sequence(0, %[1]s), 1, %[1]s)"),
		"each":   form(2, "CROSS JOIN LATERAL explode(%s) AS %s"),
		"join":   form(3, "listagg(%s, %s) WITHIN GROUP (ORDER BY %s)"),
		// Spark has unsigned 64-bit numbers as DECIMAL(20,0), and hex takes signed ones.
		"hex":    form(1, "lower(hex(CAST(%[1]s - CASE WHEN %[1]s >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT)))"),
		"time":   form(1, "timestamp_micros((%s) div 1000)"),
		"common": common,
	}},
}

// Engines returns all engines.
func Engines() []Engine { return []Engine{DuckDB, Spark} }

// String returns the name of the engine in lower case.
func (e Engine) String() string { return engines[e].name }

// form returns a template function that puts its n arguments into a format.
func form(n int, format string) func(args ...string) (string, error) {
	return func(args ...string) (string, error) {
		if len(args) != n {
			return "", fmt.Errorf("%d arguments, want %d", len(args), n)
		}
		values := make([]any, n)
		for i, arg := range args {
			values[i] = arg
		}
		return fmt.Sprintf(format, values...), nil
	}
}

// common lists the columns that all tables of events share, with a prefix.
func common(prefix string) string {
	var names []string
	for _, c := range schema.CommonColumns() {
		names = append(names, prefix+c.Name)
	}
	return strings.Join(names, ", ")
}
