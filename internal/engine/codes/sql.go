package codes

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Macros returns macros for DuckDB that name codes: hresult_name, ntstatus_name and
// win32_error_name. They take numbers of any width, signed or not, and return NULL if the name is
// unknown. DuckDB makes a hash join of the query in each.
func Macros() string {
	var sql strings.Builder
	for _, system := range []schema.Unit{schema.AsWin32Error, schema.AsNTStatus} {
		fmt.Fprintf(&sql, "CREATE OR REPLACE MACRO %s(code) AS %s;\n", FunctionName(system), lookup(system))
	}
	fmt.Fprintf(&sql, "CREATE OR REPLACE MACRO %s(code) AS coalesce(%s, %s(CASE WHEN %s >> 16 = %d THEN %[4]s & 65535 END), %[6]s(CASE WHEN %[4]s & %[7]d <> 0 THEN %[4]s - %[7]d END));\n",
		FunctionName(schema.AsHResult), lookup(schema.AsHResult), FunctionName(schema.AsWin32Error), unsigned, fromWin32>>16, FunctionName(schema.AsNTStatus), fromNT)
	return sql.String()
}

// FunctionName returns the name of the macro for a system. The DuckDB extension has a function of
// the same name.
func FunctionName(system schema.Unit) string { return string(system) + "_name" }

// unsigned is the argument of a macro as an unsigned 32-bit number.
const unsigned = "(TRY_CAST(code AS BIGINT) & 4294967295)"

// lookup returns a query for the name of a code.
func lookup(system schema.Unit) string {
	entries := make([]string, 0, len(All(system)))
	for _, c := range All(system) {
		entries = append(entries, fmt.Sprintf("%X %s", c.Value, c.Names[0]))
	}
	return fmt.Sprintf("(SELECT any_value(known.name) FROM (SELECT ('0x' || split_part(entry, ' ', 1))::BIGINT AS value, split_part(entry, ' ', 2) AS name FROM (SELECT unnest(string_split('%s', ';')) AS entry)) AS known WHERE known.value = %s)",
		strings.Join(entries, ";"), unsigned)
}
