package views

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Engine is a dialect of SQL. Templates hide the differences between engines by these functions,
// whose arguments are SQL:
//
//	len LIST      number of elements
//	at LIST N     element N, from 0; NULL if there is none
//	series N      list of the whole numbers from 0 to N-1
//	unnest LIST   in the list of SELECT: a row for each element
//	hex N         lower-case hexadecimal digits of an unsigned 64-bit number
//	time N        TIMESTAMP of a number of ns since 1970-01-01 UTC
//	grouped N     a whole number as text, with commas between thousands
//	counted N X   the same with the noun X, which gets an s unless the number is 1
//	gather V BY N aggregate: the texts V joined by BY, in the order of N, without those that are NULL
//	digits B N    upper-case hexadecimal digits of the first N bytes of a BINARY
//	field H P N   INT64 of the N hexadecimal digits from position P (from 1) of a text; NULL if there are fewer
//
// These yield the names of SQL functions, and are followed by arguments in parentheses:
//
//	reverse(LIST)
//	join(LIST, BY)                              the texts joined by BY, which must be a literal
//	transform(LIST, {{lambda "x, i"}} VALUE)    list of VALUE for each element x; i is its index, as
//	                                            the engine counts, and valid for other lists, too
//
// These functions are the same for all engines: common "t." lists [schema.CommonColumns] of the
// table t; noDescriptor "c" lists the columns of an EVENT_HEADER for a table of other headers, whose
// level is c; matching "events" selects the events that may have the text that a macro searches;
// elapsed T A B is the ns from one clock_ns A to another one B of the trace T, NULL if they are negative.
type Engine int

// The engines for which views are made.
const (
	DuckDB Engine = iota
	Spark
)

// engines has the name and the functions of each engine.
var engines = [...]struct {
	name      string
	functions template.FuncMap
}{
	DuckDB: {"duckdb", template.FuncMap{
		"len":       form(1, "len(%s)"),
		"at":        form(2, "%s[%s + 1]"),
		"series":    form(1, "range(%s)"),
		"unnest":    form(1, "unnest(%s)"),
		"hex":       form(1, "lower(hex(%s))"),
		"time":      form(1, "make_timestamptz((%s) // 1000)"),
		"gather":    form(3, "string_agg(%[1]s, %[2]s ORDER BY %[3]s)"),
		"grouped":   form(1, "format('{:,}', %s)"),
		"counted":   form(2, "CASE WHEN %[1]s = 1 THEN '1 %[2]s' ELSE format('{:,}', %[1]s) || ' %[2]ss' END"),
		"digits":    form(2, "hex(array_slice(%s, 1, %s))"),
		"field":     form(3, "CASE WHEN length(%[1]s) >= %[2]s + %[3]s - 1 THEN CAST('0x' || substr(%[1]s, %[2]s, %[3]s) AS BIGINT) END"),
		"reverse":   form(0, "list_reverse"),
		"join":      form(0, "array_to_string"),
		"transform": form(0, "list_transform"),
		"lambda":    form(1, "lambda %s:"),
		"common":    common,
		"matching":  matching,
		"elapsed":   form(3, elapsedForm),

		"noDescriptor": noDescriptor,
	}},
	Spark: {"spark", template.FuncMap{
		"len":    form(1, "size(%s)"),
		"at":     form(2, "get(%s, CAST(%s AS INT))"),
		"series": form(1, "slice(sequence(0, %[1]s), 1, %[1]s)"),
		"unnest": form(1, "explode(%s)"),
		// Spark has unsigned 64-bit numbers as DECIMAL(20,0), and hex takes signed ones.
		"hex":       form(1, "lower(hex(CAST(%[1]s - CASE WHEN %[1]s >= 9223372036854775808 THEN 18446744073709551616 ELSE 0 END AS BIGINT)))"),
		"time":      form(1, "timestamp_micros((%s) div 1000)"),
		"gather":    form(3, "array_join(transform(array_sort(collect_list(struct(%[3]s AS n, %[1]s AS v))), x -> x.v), %[2]s)"),
		"grouped":   form(1, "format_number(%s, 0)"),
		"counted":   form(2, "CASE WHEN %[1]s = 1 THEN '1 %[2]s' ELSE format_number(%[1]s, 0) || ' %[2]ss' END"),
		"digits":    form(2, "hex(substring(%s, 1, %s))"),
		"field":     form(3, "CASE WHEN length(%[1]s) >= %[2]s + %[3]s - 1 THEN CAST(conv(substr(%[1]s, %[2]s, %[3]s), 16, 10) AS BIGINT) END"),
		"reverse":   form(0, "reverse"),
		"join":      form(0, "array_join"),
		"transform": form(0, "transform"),
		"lambda":    form(1, "(%s) ->"),
		"common":    common,
		"matching":  matching,
		"elapsed":   form(3, elapsedForm),

		"noDescriptor": noDescriptor,
	}},
}

// Engines returns all engines.
func Engines() []Engine { return []Engine{DuckDB, Spark} }

// String returns the name of the engine in lower case.
func (e Engine) String() string { return engines[e].name }

// form returns a template function that formats its n arguments.
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

func noDescriptor(level string) string {
	return "CAST(" + level + " AS INT) AS level, CAST(NULL AS INT) AS opcode, CAST(NULL AS INT) AS task, NULL AS keyword, CAST(NULL AS INT) AS channel, " +
		"CAST(NULL AS STRING) AS activity_id, CAST(NULL AS STRING) AS related_activity_id"
}
