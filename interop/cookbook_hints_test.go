package interop_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var (
	codeSpan   = regexp.MustCompile("`([^`]+)`")
	fence      = regexp.MustCompile("(?s)```.*?```")
	sqlText    = regexp.MustCompile(`'[^']*'`)
	identifier = regexp.MustCompile(`\b[a-z_][a-z0-9_]*(\.[a-z_]+)?\b`)
	resultName = regexp.MustCompile(`\bAS ([a-z_][a-z0-9_]*)`)
)

// TestCookbookHints checks the hints below the statements of the page: every lower-case
// name shown as code is a table, a view, a column, or an alias in the statement above.
func TestCookbookHints(t *testing.T) {
	page := testenv.ReadFile(t, "../docs/cookbook.md")
	known := make(map[string]bool)
	add := func(table string, columns []schema.Column) {
		known[table] = true
		for _, c := range columns {
			known[c.Name] = true
		}
	}
	for _, table := range schema.Tables() {
		add(table.ViewName(), table.Columns)
	}
	for _, view := range views.BuiltIn().All() {
		add(view.Name, view.Columns)
	}
	known["trace"] = true
	sections := strings.Split(string(page), "\n## ")[1:]
	questions, hints := 0, 0
	for _, section := range sections {
		title, rest, _ := strings.Cut(section, "\n")
		numbered := title[0] >= '0' && title[0] <= '9' // the others have their statements in commands
		statement, hint := rest, rest
		if numbered {
			questions++
			_, rest, _ = strings.Cut(rest, "```sql\n")
			var ok bool
			if statement, hint, ok = strings.Cut(rest, "```\n"); !ok {
				t.Errorf("%s: no statement", title)
			}
		}
		own := make(map[string]bool)
		for _, m := range resultName.FindAllStringSubmatch(statement, -1) {
			own[m[1]] = true
		}
		for _, span := range codeSpan.FindAllStringSubmatch(fence.ReplaceAllString(hint, ""), -1) {
			if strings.HasPrefix(span[1], "--") { // a flag
				continue
			}
			for _, name := range identifier.FindAllString(sqlText.ReplaceAllString(span[1], ""), -1) {
				hints++
				table, column, qualified := strings.Cut(name, ".")
				if !known[table] && !own[table] || qualified && !known[column] && !own[column] {
					t.Errorf("%s: the hint `%s` names %s, which does not exist", title, span[1], name)
				}
			}
		}
	}
	if questions != 14 || hints < 14 {
		t.Errorf("%d questions, %d names in hints", questions, hints)
	}
}
