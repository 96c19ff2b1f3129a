package answers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Statement is a statement of SQL.
type Statement struct {
	SQL      string // without a semicolon
	IsSelect bool   // a SELECT according to DuckDB: it has one result, and changes nothing
	Tables   []string
	All      bool // it lists the tables, so it may read any of them

	// Whether it may read these columns of the view of all events, which cost a join.
	Fields, Stacks bool

	columns []string // names of columns that stand alone: that of a table means a row of it
	aliases []string // of tables

	functions, tableFunctions []string
	withs                     []string // names that it defines by WITH
	hidden                    bool     // it may read columns that its plan over empty tables does not show
	syntax                    string   // DuckDB's message if it cannot parse the statement
}

// errShellCommand is the error for a command of DuckDB's shell.
var errShellCommand = errors.New("commands of DuckDB's shell, which begin with a dot, are not SQL")

// Statements splits SQL into statements, and asks DuckDB which tables they read. For statements
// other than SELECT, it returns all words of the statement as tables. It starts the process that Plan and
// Run use; the context ends that.
func (d *DuckDB) Statements(ctx context.Context, sql string) ([]Statement, error) {
	if strings.ContainsRune(sql, 0) {
		return nil, errors.New("the SQL has a NUL character")
	}
	var list []Statement
	script := new(strings.Builder)
	for _, s := range split(plainSpaces(sql)) {
		if strings.HasPrefix(withoutComments(s), ".") {
			return nil, fmt.Errorf("%w: %s", errShellCommand, firstLine(withoutComments(s)))
		}
		if name := dollarName(s); name != "" {
			return nil, fmt.Errorf("write the name %s in double quotes: DuckDB's shell takes a part of it for the beginning of a text", name)
		}
		list = append(list, Statement{SQL: oneStatement(s)})
		fmt.Fprintf(script, "SELECT json_serialize_sql(%s);\n", sqlText(s))
	}
	if list == nil {
		return nil, errors.New("there is no SQL to run")
	}
	lines, err := d.askFirst(ctx, script.String())
	if err != nil {
		return nil, err
	}
	if len(lines) != len(list) {
		d.Close()
		return nil, fmt.Errorf("%s does not parse the SQL: it answers %d of %d statements", d.program, len(lines), len(list))
	}
	for i := range list {
		list[i].parse(d.views, lines[i])
	}
	if err := d.syntaxError(ctx, list); err != nil {
		return nil, err
	}
	return list, d.parseViews(ctx)
}

// parseViews asks DuckDB which tables the views of users read. Each must be one SELECT.
func (d *DuckDB) parseViews(ctx context.Context) error {
	own := d.views.Own()
	if len(own) == 0 || d.process == nil || d.own != nil {
		return nil
	}
	if err := checkExpressions(d.process, d.views, own); errors.Is(err, errEnded) {
		return d.ended(ctx)
	} else if err != nil {
		return err
	}
	script := new(strings.Builder)
	for _, v := range own {
		fmt.Fprintf(script, "SELECT json_serialize_sql(%s);\n", sqlText(v.SQL()))
	}
	lines, err := d.process.ask(script.String())
	switch {
	case err != nil:
		return d.ended(ctx)
	case len(lines) != len(own):
		return fmt.Errorf("%s does not parse the views: it answers %d of %d", d.program, len(lines), len(own))
	}
	d.own = make(map[string]*Statement)
	reads := make(map[string][]string)
	for i, v := range own {
		s := &Statement{SQL: v.SQL()}
		s.parse(d.views, lines[i])
		if !s.IsSelect {
			return fmt.Errorf("%s of %s is not one SELECT: %s", v.Name, v.Folder, cmp.Or(s.syntax, firstLine(s.SQL)))
		}
		for _, name := range s.Tables {
			if !containsFold(s.withs, name) {
				reads[v.Name] = append(reads[v.Name], strings.ToLower(name))
			}
		}
		d.own[v.Name] = s
	}
	d.views, err = d.views.Reading(reads)
	return err
}

// syntaxError returns the error of the first statement that DuckDB cannot parse, before anything is converted for the
// others. After a statement that is no SELECT a later one may be right: that may load an extension with more syntax.
func (d *DuckDB) syntaxError(ctx context.Context, list []Statement) error {
	wrong := slices.IndexFunc(list, func(s Statement) bool { return s.syntax != "" || !s.IsSelect })
	if wrong < 0 || list[wrong].syntax == "" {
		return nil
	}
	if _, err := d.process.ask(explainPlan + list[wrong].SQL + "\n;\n"); err == nil {
		return nil
	}
	return d.ended(ctx)
}

// ended returns the error of the process that waits for statements, which has ended.
func (d *DuckDB) ended(ctx context.Context) error {
	message, ended := d.process.end()
	d.process = nil
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return (&session{Source: new(Source), o: new(Options)}).errorOf(message, ended)
}

// withoutComments returns a statement without leading comments.
func withoutComments(sql string) string {
	for i := 0; i < len(sql); {
		n, kind := token(sql, i)
		if kind == word {
			return sql[i:]
		}
		i += n
	}
	return ""
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// parse reads DuckDB's answer about the statement: the tree of a SELECT, or that it is not a SELECT.
func (s *Statement) parse(set *views.Set, answer string) {
	var parsed struct {
		Error      bool
		Type       string `json:"error_type"`
		Message    string `json:"error_message"`
		Statements []any
	}
	if err := json.Unmarshal([]byte(answer), &parsed); err != nil || parsed.Error || len(parsed.Statements) != 1 {
		s.Tables, s.Fields, s.Stacks = words(s.SQL), true, true
		if parsed.Type == "parser" {
			s.syntax = parsed.Message
		}
		return
	}
	s.IsSelect = true
	s.walk(set, parsed.Statements)
	if slices.ContainsFunc(s.columns, func(name string) bool { return containsFold(s.Tables, name) || containsFold(s.aliases, name) }) {
		s.Fields, s.Stacks = true, true
	}
}

func containsFold(list []string, name string) bool {
	return slices.ContainsFunc(list, func(other string) bool { return strings.EqualFold(other, name) })
}

// walk adds the tables that a part of a statement reads.
func (s *Statement) walk(set *views.Set, part any) {
	switch part := part.(type) {
	case []any:
		for _, p := range part {
			s.walk(set, p)
		}
	case map[string]any:
		s.add(set, part)
		for _, p := range part {
			s.walk(set, p)
		}
	}
}

// add adds the tables that a node of the tree reads.
func (s *Statement) add(set *views.Set, node map[string]any) {
	member := func(node map[string]any, name string) string {
		text, _ := node[name].(string)
		return text
	}
	if alias := member(node, "alias"); alias != "" && member(node, "class") == "" { // of a table
		s.aliases = append(s.aliases, alias)
	}
	if with, _ := node["value"].(map[string]any); with["query"] != nil {
		s.withs = append(s.withs, member(node, "key"))
	}
	switch member(node, "type") {
	case "FUNCTION":
		s.functions = append(s.functions, member(node, "function_name"))
	case "STAR", "PIVOT":
		s.Fields, s.Stacks = true, true
		s.hidden = s.hidden || node["expr"] != nil || member(node, "type") == "PIVOT"
	case "COLUMN_REF":
		s.addColumns(node["column_names"], true)
	case "JOIN":
		s.addColumns(node["using_columns"], false)
		if member(node, "ref_type") == "NATURAL" {
			s.Fields, s.Stacks, s.hidden = true, true, true
		}
	case "BASE_TABLE":
		name := member(node, "table_name")
		s.Tables = append(s.Tables, name)
		s.All = s.All || isOfCatalog(member(node, "schema_name")) || isOfCatalog(name)
	case "SHOW_REF":
		how := member(node, "show_type")
		s.All = s.All || how != "DESCRIBE" && how != "SUMMARY"
	case "TABLE_FUNCTION": // a macro, or such as query_table('events')
		function, _ := node["function"].(map[string]any)
		if m := set.LookupMacro(member(function, "function_name")); m != nil {
			s.Tables, s.hidden = append(s.Tables, m.Name), true
			break
		}
		s.tableFunctions = append(s.tableFunctions, member(function, "function_name"))
		if computes(member(function, "function_name")) {
			break
		}
		s.hidden = true
		s.Tables = append(s.Tables, words(s.SQL)...)
		s.All = s.All || isOfCatalog(member(function, "function_name"))
		s.Fields, s.Stacks = true, true
	}
}

// addColumns notes the names of columns. isRef says that they are the parts of one name, which is
// that of a column or, if it has one part, of a row of a table.
func (s *Statement) addColumns(names any, isRef bool) {
	list, _ := names.([]any)
	for _, part := range list {
		name, _ := part.(string)
		s.Fields = s.Fields || strings.EqualFold(name, schema.FieldsColumn) || strings.EqualFold(name, schema.MessageColumn)
		s.Stacks = s.Stacks || strings.EqualFold(name, schema.StackIDColumn)
		if isRef && len(list) == 1 {
			s.columns = append(s.columns, name)
		}
	}
}

// computes reports whether a table function only computes rows from its arguments.
func computes(function string) bool {
	return slices.Contains([]string{"unnest", "range", "generate_series"}, strings.ToLower(function))
}

// isOfCatalog reports whether a name is in DuckDB's system catalog, which lists tables and views.
func isOfCatalog(name string) bool {
	for _, prefix := range []string{"information_schema", "pg_", "duckdb_", "pragma_", "sqlite_"} {
		if strings.HasPrefix(strings.ToLower(name), prefix) {
			return true
		}
	}
	return false
}

// words returns the words of SQL that can be names of views: a name that begins with a digit, such as that of an event
// by its number, stands in quotes.
func words(sql string) []string {
	isNumber := func(word string) bool { return word[0] >= '0' && word[0] <= '9' }
	list := slices.DeleteFunc(strings.FieldsFunc(sql, isNoName), isNumber)
	for _, name := range quotedNames().FindAllString(sql, -1) {
		list = append(list, strings.Trim(name, `"`))
	}
	return list
}

var quotedNames = texts.Pattern(`"[^"]+"`)

// isNoName reports whether a character occurs in no name of a view.
func isNoName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// sqlText returns a text as a literal of SQL.
func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// sqlName returns a name as a quoted identifier of SQL.
func sqlName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
