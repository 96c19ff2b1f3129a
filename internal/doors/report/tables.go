package report

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Runner runs statements, each one SELECT, over the views of the traces of a page. It calls do with the rows
// of each, in the order of the statements, as lines of JSON objects.
type Runner func(ctx context.Context, statements []string, do func(statement int, lines io.Reader) error) error

// StatementError is the error of a [Runner] when one of the statements fails, after the rows of those before
// it: the page has the rest.
type StatementError struct {
	Statement int // its number
	Err       error
}

// Error returns the message of the error.
func (e *StatementError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *StatementError) Unwrap() error { return e.Err }

// probe fails only if something else than a statement does.
const probe = "SELECT 1 AS n"

// runEach runs statements. After one that fails, which it keeps with what the page lacks, the others run.
func (g *aggregate) runEach(run Runner, statements []string, what func(statement int) string, do func(statement int, lines io.Reader) error) error {
	for from, before := 0, []string(nil); from < len(statements); before = []string{probe} {
		err := run(g.source.ctx, append(before, statements[from:]...), func(i int, lines io.Reader) error {
			if i < len(before) {
				return nil
			}
			return do(from+i-len(before), lines)
		})
		failed := new(StatementError)
		if !errors.As(err, &failed) || failed.Statement < len(before) {
			return err
		}
		from += failed.Statement - len(before) + 1
		lack := fmt.Errorf("the page lacks %s: %w", what(from-1), failed.Err)
		if !slices.ContainsFunc(g.failed, func(known error) bool { return known.Error() == lack.Error() }) {
			g.failed = append(g.failed, lack)
		}
	}
	return nil
}

// UnavailableError is the error of a [Runner] that turns out to have no DuckDB: the page has no tables then.
type UnavailableError struct{ Why string } // for the page

func (e *UnavailableError) Error() string { return e.Why }

// mostRows is the number of rows of a table of a page.
const mostRows = 300

// firstViews are the views whose tables come first, with the column by which their rows are sorted, the
// largest values first. Other views follow by name, their rows by time.
var firstViews = []struct{ name, by string }{
	{"http_requests", "duration_ns"}, {"gc", "pause_ns"}, {"gc_pauses", "pause_ns"}, {"waits", "wait_ns"}, {"wait_chains", "wait_ns"},
	{"activities", "duration_ns"}, {"exceptions", ""}, {"connections", "bytes_received"}, {"dns_queries", "duration_ns"}, {"packets", ""},
	{"page_faults", "duration_ns"}, {"disk_io", "disk_ns"}, {"jit", "jit_ns"}, {"contention", "wait_ns"}, {"tasks", "run_ns"},
}

// leftOut are views without a table: lanes and the flame graph show them, or they are raw material for
// other views.
var leftOut = []string{"context_switches", "cpu_samples", "cpu_usage", "cpu_usage_precise", "events", "file_io", "folded_stacks", "hot_functions", "image_loads", "search", foundView}

// question is the statement for the table of a view.
type question struct {
	view    *views.View
	columns []schema.Column
	sql     string
}

// questions returns the statements for the views that may have rows.
func (s *source) questions() (list []question, err error) {
	for _, v := range s.views.All() {
		if slices.Contains(leftOut, v.Name) {
			continue
		}
		if ok, err := s.hasView(v.Name); err != nil {
			return nil, err
		} else if ok {
			list = append(list, s.question(v))
		}
	}
	place := func(q question) int {
		i := slices.IndexFunc(firstViews, func(f struct{ name, by string }) bool { return f.name == q.view.Name })
		if i < 0 {
			return len(firstViews)
		}
		return i
	}
	slices.SortStableFunc(list, func(a, b question) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a.view.Name, b.view.Name))
	})
	return list, nil
}

// hasView reports whether any of the tables that give a view its rows may have rows.
func (s *source) hasView(name string) (bool, error) {
	if name == "activities" && !s.hasStarts { // it reads all events of manifests
		return false, nil
	}
	for _, table := range s.views.RowsOf(name) {
		if ok, err := s.has(table); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// columnsOf returns the columns of a view that a person reads in a table. What orders the rows comes first,
// after the time, so that it is seen without scrolling.
func columnsOf(v *views.View, by string) (list []schema.Column) {
	ordering := 0
	for _, c := range v.Columns {
		isPlain := !c.List && c.Type != schema.Struct && c.Type != schema.Binary
		if !isPlain || slices.Contains([]string{"event_ref", "timestamp", "clock_ns", "seconds", "stack_id"}, c.Name) || strings.HasSuffix(c.Name, "_ref") {
			continue
		}
		switch c.Name {
		case by:
			list = slices.Insert(list, ordering, c)
			continue
		case "time_ns":
			ordering = len(list) + 1
		}
		list = append(list, c)
	}
	return list
}

// question returns the statement for a view.
func (s *source) question(v *views.View) question {
	by := ""
	for _, f := range firstViews {
		if f.name == v.Name {
			by = f.by
		}
	}
	q := question{view: v, columns: columnsOf(v, by)}
	var names, order []string
	if slices.ContainsFunc(q.columns, func(c schema.Column) bool { return c.Name == by }) {
		order = append(order, by+" DESC NULLS LAST")
	}
	if len(s.traces.All()) > 1 {
		q.columns = slices.Insert(q.columns, 0, schema.TraceColumn)
	}
	for _, c := range q.columns {
		names = append(names, quoted(c.Name))
		if c.Name == "time_ns" { // at most one event in most rows
			order = append(order, c.Name)
		}
	}
	for _, c := range q.columns {
		if c.Name != by && c.Name != "time_ns" {
			order = append(order, quoted(c.Name))
		}
	}
	q.sql = fmt.Sprintf("SELECT %s\nFROM %s\nORDER BY %s\nLIMIT %d", strings.Join(names, ", "), v.Name, strings.Join(order, ", "), mostRows)
	return q
}

// quoted returns a name for SQL.
func quoted(name string) string {
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" && name != "order" && name != "end" && name != "start" {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// readTables runs the statements of the views, and what stands out.
func (g *aggregate) readTables(run Runner) error {
	if g.source.compares {
		return g.readFigures(run)
	}
	list, err := g.source.questions()
	if err != nil {
		return err
	}
	var statements []string
	for _, q := range list {
		statements = append(statements, q.sql, "SELECT count(*) AS n FROM "+q.view.Name)
	}
	hasFound, err := g.source.hasFindings()
	if err != nil {
		return err
	}
	if hasFound {
		statements = append(statements, foundSQL)
	}
	if statements == nil {
		return nil
	}
	tables := make([]tableDoc, len(list))
	what := func(i int) string {
		if i/2 >= len(list) {
			return "what stands out"
		}
		return "the table " + list[i/2].view.Name
	}
	err = g.runEach(run, statements, what, func(i int, lines io.Reader) (err error) {
		switch table := i / 2; {
		case table >= len(list):
			g.found, err = readFindings(lines)
		case i%2 == 0:
			tables[table], err = g.readTable(list[table], lines)
		default:
			tables[table].Total, err = readCount(lines)
		}
		if err != nil {
			return fmt.Errorf("read the result of %q: %w", statements[i], err)
		}
		return nil
	})
	for _, t := range tables {
		if t.Total = max(t.Total, int64(len(t.Rows))); len(t.Rows) > 0 { // the count may have failed
			g.tables = append(g.tables, t)
		}
	}
	return err
}

// eachLine calls do with each line of JSON.
func eachLine(lines io.Reader, do func(line []byte) error) error {
	r := bufio.NewReader(lines)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if wrong := do(line); wrong != nil {
				return wrong
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func readCount(lines io.Reader) (int64, error) {
	var row struct{ N int64 }
	err := eachLine(lines, func(line []byte) error { return json.Unmarshal(line, &row) })
	return row.N, err
}

// readTable reads the rows of a view. Columns without any value are left out.
func (g *aggregate) readTable(q question, lines io.Reader) (tableDoc, error) {
	t := tableDoc{Name: q.view.Name, Doc: q.view.Doc, SQL: q.sql, Rows: [][]any{}}
	isUsed := make([]bool, len(q.columns))
	err := eachLine(lines, func(line []byte) error {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var values map[string]any
		if err := d.Decode(&values); err != nil {
			return err
		}
		row := make([]any, len(q.columns))
		for i, c := range q.columns {
			row[i] = g.value(c, values[c.Name])
			isUsed[i] = isUsed[i] || row[i] != nil
		}
		t.Rows = append(t.Rows, row)
		return nil
	})
	if err != nil {
		return t, err
	}
	for i, c := range q.columns {
		if isUsed[i] {
			t.Columns = append(t.Columns, columnDoc{Name: c.Name, Kind: kindOf(c)})
		}
	}
	for i, row := range t.Rows {
		short := row[:0]
		for k, v := range row {
			if isUsed[k] {
				short = append(short, v)
			}
		}
		t.Rows[i] = short
	}
	return t, nil
}

// kindOf returns how the page shows the values of a column.
func kindOf(c schema.Column) string {
	isNumber := c.Type == schema.Int32 || c.Type == schema.Int64 || c.Type == schema.Uint64 || c.Type == schema.Double || c.Type == schema.Float
	switch {
	case !isNumber:
		return "text"
	case isTime(c):
		return "time"
	case strings.HasSuffix(c.Name, "_ns"):
		return "ns"
	case strings.HasSuffix(c.Name, "bytes") || strings.HasPrefix(c.Name, "bytes_") || c.Name == "transfer_size" || c.Name == "byte_count":
		return "bytes"
	case strings.HasSuffix(c.Name, "_id") || strings.HasSuffix(c.Name, "port") || strings.HasSuffix(c.Name, "address") || c.Name == "status":
		return "id"
	}
	return "number"
}

// isTime reports whether a column has times in ns since 1970. Durations end with _ns, too.
func isTime(c schema.Column) bool {
	return c.Type == schema.Int64 && strings.HasSuffix(c.Name, "_ns") && strings.Contains(c.Doc, "since 1970")
}

// value returns a value for the page: times as the time since the start, so that a number of JavaScript,
// which has 53 bits, holds them, and larger numbers as text.
func (g *aggregate) value(c schema.Column, v any) any {
	switch v := v.(type) {
	case string:
		return clip(v)
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		switch {
		case err != nil && strings.ContainsAny(v.String(), ".eE"):
			return v
		case err != nil:
			return v.String()
		case isTime(c):
			n -= g.axis.start
		}
		if n > 1<<53 || n < -1<<53 {
			return strconv.FormatInt(n, 10)
		}
		return n
	case nil:
		return nil
	}
	return clip(fmt.Sprint(v))
}
