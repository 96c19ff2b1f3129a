package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/fleet/fleets"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// statementTraces are traces of ../shared/traces for random statements; nil means all.
var statementTraces = []string{"HTTP_Server.etl", "net.4.5.2.x86.etl", "Process.etl", "PktMon.etl"}

// TestStatements compares the answers of random statements over a trace, or a folder of traces: those that are made for one statement, kept,
// taken from what other statements have left, or locked, and those of plain DuckDB over the dataset of the trace.
func TestStatements(t *testing.T) {
	testenv.Slow(t, "hundreds of questions about whole traces")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	var traces []string
	if testenv.Running(t) < testenv.TierAll {
		for _, name := range statementTraces {
			traces = append(traces, testenv.Shared(t, "traces/"+name))
		}
	} else {
		traces = slices.Concat(testenv.SharedFiles(t, "traces/*.etl"), testenv.SharedFiles(t, "cases/*.etl"))
	}
	generated := filepath.Join(t.TempDir(), "generated") // a folder of traces, as one input
	options := fleets.Defaults(1, testenv.Times(t, 0, 20, 100, 1000), testenv.Times(t, 0, 60, 300, 1800))
	if testenv.Running(t) < testenv.TierLong {
		options.Errors, options.Differences = 0, 0 // they need many events
	}
	if _, err := fleets.Make(generated, options); err != nil {
		t.Fatal(err)
	}
	traces = append(traces, generated)
	const seed = 46
	random := rand.New(rand.NewPCG(seed, seed))
	most := testenv.Times(t, 0, 60, 500, 3000)
	for i, trace := range traces {
		t.Run(filepath.Base(trace), func(t *testing.T) {
			w := newStatementWorld(t, trace, rand.New(rand.NewPCG(random.Uint64(), seed)))
			statements := make([]string, (most+i)/len(traces))
			for k := range statements {
				statements[k] = w.statement()
			}
			for k, want := range w.answers(statements) {
				w.compare(statements[k], want)
			}
		})
	}
}

// statementWorld is a trace, with its dataset, about which statements are made.
type statementWorld struct {
	t       *testing.T
	random  *rand.Rand
	trace   string
	dataset string
	cache   string // of all statements
	views   string // views.sql of the dataset
	tables  []statementTable
}

// statementTable is a table or view with rows.
type statementTable struct {
	name    string
	columns []string
	values  map[string][]string // of some rows, as literals of SQL, by column
}

func newStatementWorld(t *testing.T, trace string, random *rand.Rand) *statementWorld {
	folder := t.TempDir()
	w := &statementWorld{t: t, random: random, trace: trace, dataset: filepath.Join(folder, "dataset"), cache: filepath.Join(folder, "cache")}
	w.run("convert", trace, "-o", w.dataset, "--quiet")
	text := testenv.ReadFile(t, filepath.Join(w.dataset, dataset.ViewsFile))
	w.views = fmt.Sprintf("SET VARIABLE dataset = '%s';\n%s", strings.ReplaceAll(w.dataset, "'", "''"), text)
	columns := make(map[string][]string)
	answers := interop.Ask(t, w.views, "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND data_type NOT LIKE '%[]' AND data_type NOT LIKE 'STRUCT%' AND database_name = 'asked' ORDER BY table_name, column_index")
	for _, row := range w.rows(answers[0]) {
		columns[row[0]] = append(columns[row[0]], row[1])
	}
	names := make([]string, 0, len(columns))
	for name := range columns {
		names = append(names, name)
	}
	slices.Sort(names)
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	// The events of views.sql have fewer columns than those of query.
	names = append([]string{"event_fields"}, slices.DeleteFunc(names, func(name string) bool { return name == "events" || name == "event_fields" })[:min(len(names), 24)-2]...)
	var questions []string
	for _, name := range names {
		var literals []string
		for _, c := range columns[name] {
			q := sqlIdentifier(c)
			literals = append(literals, fmt.Sprintf("CASE WHEN %[1]s IS NULL THEN 'NULL' ELSE '''' || replace(%[1]s::VARCHAR, '''', '''''') || '''::' || typeof(%[1]s) END", q))
		}
		questions = append(questions, fmt.Sprintf("SELECT %s FROM (FROM %s LIMIT 2000) USING SAMPLE 6 ROWS (reservoir, 1)", strings.Join(literals, ", "), sqlIdentifier(name)))
	}
	for i, answer := range interop.Ask(t, w.views, questions...) {
		table := statementTable{names[i], columns[names[i]], make(map[string][]string)}
		for _, row := range w.rows(answer) {
			for k, c := range table.columns {
				table.values[c] = append(table.values[c], row[k])
			}
		}
		if len(table.values) > 0 {
			w.tables = append(w.tables, table)
		}
	}
	return w
}

func sqlIdentifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// rows returns the rows of an answer of DuckDB.
func (w *statementWorld) rows(answer string) [][]string {
	w.t.Helper()
	rows, err := csv.NewReader(strings.NewReader(answer)).ReadAll()
	if err != nil || len(rows) == 0 {
		w.t.Fatalf("%v: %.500s", err, answer)
	}
	return rows[1:]
}

// run runs a command, and returns what it prints.
func (w *statementWorld) run(args ...string) string {
	w.t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(w.t.Context(), args, nil, &stdout, &stderr); status != exitDone {
		w.t.Fatalf("%q: exit status %d, %s", args, status, &stderr)
	}
	return stdout.String()
}

// pick returns one of a list.
func pick[T any](w *statementWorld, list []T) T { return list[w.random.IntN(len(list))] }

// condition returns a condition on columns of a table.
func (w *statementWorld) condition(table *statementTable) string {
	column := pick(w, table.columns)
	for _, often := range []string{"time_ns", "timestamp", "provider_name", "process_id"} {
		if slices.Contains(table.columns, often) && w.random.IntN(4) == 0 {
			column = often
		}
	}
	name, value := sqlIdentifier(column), pick(w, table.values[column])
	switch other := pick(w, table.values[column]); {
	case value == "NULL":
		return name + pick(w, []string{" IS NULL", " IS NOT NULL"})
	case w.random.IntN(6) == 0:
		return fmt.Sprintf("(%s OR NOT %s)", w.condition(table), w.condition(table))
	case w.random.IntN(4) == 0:
		return fmt.Sprintf("%s IN (%s, %s)", name, value, other)
	case other != "NULL" && w.random.IntN(3) == 0:
		return fmt.Sprintf("%s BETWEEN least(%s, %s) AND greatest(%[2]s, %[3]s)", name, value, other)
	}
	return fmt.Sprintf("%s %s %s", name, pick(w, []string{"=", "<", "<=", ">", ">=", "<>"}), value)
}

// from returns a table with conditions.
func (w *statementWorld) from(table *statementTable) string {
	text := "FROM " + sqlIdentifier(table.name) + " AS t"
	for i := range w.random.IntN(3) {
		text += []string{" WHERE ", " AND "}[i] + w.condition(table)
	}
	return text
}

// statement returns one statement, or two, whose answers do not depend on the order of rows.
func (w *statementWorld) statement() string {
	table, other := pick(w, w.tables), pick(w, w.tables)
	a, b := sqlIdentifier(pick(w, table.columns)), sqlIdentifier(pick(w, table.columns))
	switch w.random.IntN(9) {
	case 0:
		return "SELECT count(*) AS n, sum(hash(t)) AS h " + w.from(&table)
	case 1:
		return fmt.Sprintf("SELECT %s, count(*) AS n, min(%s) AS low, max(%s) AS high %s GROUP BY ALL ORDER BY ALL LIMIT 50", a, b, b, w.from(&table))
	case 2:
		return fmt.Sprintf("SELECT * EXCLUDE (%s) %s ORDER BY ALL LIMIT 20", a, w.from(&table))
	case 3:
		return fmt.Sprintf("SELECT DISTINCT %s, typeof(%s) AS type %s ORDER BY ALL LIMIT 30", a, b, w.from(&table))
	case 4:
		return fmt.Sprintf("WITH few AS (SELECT * %s) SELECT count(*) AS n, count(DISTINCT %s) AS d, (SELECT count(*) %s) AS others FROM few", w.from(&table), a, w.from(&other))
	case 5:
		return fmt.Sprintf("SELECT count(*) AS n FROM (SELECT %s AS c, row_number() OVER (ORDER BY %s, %s) AS r %s) WHERE r %% 2 = 0", a, a, b, w.from(&table))
	case 6:
		return fmt.Sprintf("SELECT count(*) AS n, sum(hash(u)) AS h FROM (SELECT %s AS c %s UNION ALL SELECT NULL %s) AS u", a, w.from(&table), w.from(&other))
	case 7:
		return fmt.Sprintf("SELECT count(*) AS n FROM %s AS t SEMI JOIN (SELECT %s AS k %s) AS o ON o.k = t.%[2]s", sqlIdentifier(table.name), a, w.from(&table))
	}
	return w.statement() + ";\n" + w.statement()
}

// answers returns what plain DuckDB answers to statements. The views of a dataset take longer than a statement, so
// that one session asks all.
func (w *statementWorld) answers(statements []string) []string {
	w.t.Helper()
	folder := w.t.TempDir()
	var copies []string
	var files [][]string // by statement
	for _, sql := range statements {
		var of []string
		for _, statement := range strings.Split(sql, ";\n") {
			file := filepath.Join(folder, fmt.Sprintf("%d.csv", len(copies)))
			of = append(of, file)
			copies = append(copies, fmt.Sprintf("COPY (%s) TO '%s' (FORMAT csv, HEADER true)", statement, strings.ReplaceAll(file, "'", "''")))
		}
		files = append(files, of)
	}
	for i, said := range interop.Ask(w.t, w.views, copies...) {
		if strings.Contains(said, "Error") {
			w.t.Fatalf("%s\n%s", copies[i], said)
		}
	}
	answers := make([]string, len(statements))
	for i, of := range files {
		for _, file := range of {
			answers[i] += string(testenv.ReadFile(w.t, file))
		}
	}
	return answers
}

// compare compares the answers of the program to statements with what they are.
func (w *statementWorld) compare(sql, want string) {
	w.t.Helper()
	fresh := filepath.Join(w.t.TempDir(), "cache")
	for _, how := range [][]string{{"--cache", fresh}, {"--cache", fresh}, {"--cache", w.cache}, {"--no-cache"}, {"--locked", "--cache", w.cache}} {
		// Plain DuckDB has no limit: a union of all kinds of a thousand traces needs more than the default.
		if got := w.run(append([]string{"query", w.trace, sql, "--format", "csv", "--memory", "8GiB"}, how...)...); got != want {
			w.t.Errorf("%s\n%s\ngot:\n%.500s\nplain DuckDB over the dataset:\n%.500s", how, sql, got, want)
		}
	}
}
