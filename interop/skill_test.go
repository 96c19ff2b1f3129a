package interop_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const (
	skillPage = "../skills/etl2parquet/SKILL.md"
	skillSize = 9000 // bytes: an agent reads the whole page before it does anything
)

var (
	skillSQL     = regexp.MustCompile("(?ms)^ *```sql\n *-- (\\S+)\n(.*?)^ *```$")
	skillFront   = regexp.MustCompile(`^---\nname: ([a-z0-9-]{1,64})\ndescription: (.+)\n---\n`)
	skillCommand = regexp.MustCompile("`etl2parquet ([a-z]+)")
	sqlName      = regexp.MustCompile(`^[a-z_0-9]+$`)
)

func readSkill(t *testing.T) string {
	t.Helper()
	return string(testenv.ReadFile(t, skillPage))
}

// TestSkillNames checks the names in the skill file for agents: each view is in the list of views, beside
// columns that it or another view of the row has, and each other name is one of a table or a column. The
// page has the form that agents load, and is short.
func TestSkillNames(t *testing.T) {
	page := readSkill(t)
	if front := skillFront.FindStringSubmatch(page); front == nil || front[1] != "etl2parquet" || len(front[2]) > 1024 {
		t.Error("the page does not begin with its name and description")
	}
	if len(page) > skillSize {
		t.Errorf("%d bytes, more than %d", len(page), skillSize)
	}
	columns := make(map[string][]schema.Column)
	for _, table := range schema.Tables() {
		columns[table.ViewName()] = table.Columns
	}
	for _, v := range views.BuiltIn().All() {
		columns[v.Name] = v.Columns
		if !strings.Contains(page, "`"+v.Name+"`") && v.Name != "what_stands_out" {
			t.Errorf("no question leads to the view %s", v.Name)
		}
	}
	known := map[string]bool{schema.TraceColumn.Name: true, "query": true, "info": true, "describe": true, "find": true, "report": true, "input": true, "sql": true, "_ns": true}
	for table, list := range columns {
		known[table] = true
		for _, c := range list {
			known[c.Name] = true
		}
	}
	for _, span := range codeSpan.FindAllStringSubmatch(page, -1) {
		if sqlName.MatchString(span[1]) && !known[span[1]] && span[1] != "etl2parquet" {
			t.Errorf("`%s` is no table, view or column", span[1])
		}
	}
	for line := range strings.Lines(page) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || !strings.Contains(cells[1], "`") {
			continue
		}
		var of []schema.Column
		for _, view := range codeSpan.FindAllStringSubmatch(cells[1], -1) {
			of = append(of, columns[view[1]]...)
		}
		for _, span := range codeSpan.FindAllStringSubmatch(cells[2], -1) {
			if !slices.ContainsFunc(of, func(c schema.Column) bool { return c.Name == span[1] }) {
				t.Errorf("%s has no column %s", cells[1], span[1])
			}
		}
	}
}

// TestSkillStatements runs the statements of the skill file over the traces that they name. Each has rows.
func TestSkillStatements(t *testing.T) {
	testenv.All(t, "a run of the program for each statement")
	t.Setenv("ETL2PARQUET_DUCKDB", interop.FindDuckDB(t))
	program := builtProgram(t)
	page := readSkill(t)
	blocks := skillSQL.FindAllStringSubmatch(page, -1)
	if n := strings.Count(page, "```sql"); n != len(blocks) || n < 5 {
		t.Fatalf("%d of %d statements name their trace", len(blocks), n)
	}
	for _, block := range blocks {
		for _, trace := range testenv.SharedOr(t, "traces/"+block[1]) {
			out := outputOf(t, program, "query", trace, block[2], "--format", "csv")
			if strings.Count(out, "\n") < 2 {
				t.Errorf("%s: no rows:\n%s", block[1], block[2])
			}
		}
	}
	for _, command := range skillCommand.FindAllStringSubmatch(page, -1) {
		outputOf(t, program, command[1], "--help")
	}
}
