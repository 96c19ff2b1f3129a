package answers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/codes"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Source is the input of statements: a dataset, or traces that are converted for them.
type Source struct {
	Statements []Statement
	Inputs     []string // as the user named them

	set     *views.Set // that DuckDB knows
	pieces  []views.Piece
	traces  map[string][]string // by input: the names of its traces in a temporary dataset; nil without one
	nearest map[string][]string // by name that no table of the traces has: similar names of tables

	planned []selection.Need  // the tables, by DuckDB's plan; nil if that does not tell them
	bounds  *selection.Bounds // of the events that the statements need at most, by DuckDB's plan; nil: all
}

// Use makes the statements run over a dataset.
func (s *Source) Use(d *bundle.Dataset) { s.pieces = []views.Piece{{Dataset: d.Dataset}} }

// useTraces makes the statements run over tables of traces.
func (s *Source) useTraces(made *tables) {
	s.pieces = made.pieces
	s.traces, s.nearest = make(map[string][]string), make(map[string][]string)
	for _, r := range made.results {
		if r.Err != nil {
			continue
		}
		for _, name := range r.File.Args {
			s.traces[name] = append(s.traces[name], r.Report.Trace)
		}
		for _, m := range r.Report.Mismatches {
			if m.Option == optionTable {
				s.nearest[m.Pattern] = append(s.nearest[m.Pattern], m.Nearest...)
			}
		}
	}
}

// known returns the views that the statements may read.
func (s *Source) known() *views.Set { return cmp.Or(s.set, views.BuiltIn()) }

// roots returns the folders or URLs of the pieces.
func (s *Source) roots() (list []string) {
	for i := range s.pieces {
		list = append(list, absolute(s.pieces[i].Dataset.Root()))
	}
	return list
}

// summaries returns the tables with rows.
func (s *Source) summaries(ctx context.Context) (list []*dataset.TableSummary, err error) {
	for _, p := range s.pieces {
		summary, err := p.Dataset.Summary(ctx)
		if err != nil {
			return nil, err
		}
		for _, t := range summary.Tables {
			if p.Tables == nil || p.Tables[t.Name] {
				list = append(list, t)
			}
		}
	}
	return list, nil
}

// optionTable is the option of mismatches of tables. The SQL names these: DuckDB reports names that are not tables.
const optionTable = "table"

// OfSelection returns the mismatches that the user's selection has: not those of tables, nor of tables and other
// options together, as an empty result is explained.
func OfSelection(list []facts.Mismatch) []facts.Mismatch {
	return slices.DeleteFunc(slices.Clone(list), func(m facts.Mismatch) bool { return m.Option == optionTable || m.Option == "selection" })
}

// Matter returns those of a trace's problems that can make an answer wrong: damage and losses, a clock
// that is not known, and problems of payloads in tables that the SQL reads.
func (s *Source) Matter(list []facts.Problem) (serious []facts.Problem) {
	names, all := s.names()
	needed := s.known().Needed(names)
	for _, p := range list {
		isPayload := strings.HasPrefix(p.Code, "payload_")
		event, _, _ := strings.Cut(p.Field, ".")
		switch {
		case isPayload && !all && !needed[schema.ViewName(event)]:
		case isPayload, p.Severity == facts.SeverityError, strings.HasPrefix(p.Code, "clock_"), batch.LostThing(p.Code) != "", p.Code == "buffer_reports_loss":
			serious = append(serious, p)
		}
	}
	return serious
}

// names returns all names of tables in the statements, and whether the statements may read other
// tables, too.
func (s *Source) names() (names []string, all bool) {
	for i := range s.Statements {
		st := &s.Statements[i]
		names = append(names, st.Tables...)
		all = all || st.All
		if st.Fields {
			names = append(names, views.EventFields)
		}
		if st.Stacks {
			names = append(names, views.EventStacks)
		}
	}
	if slices.ContainsFunc(names, s.isInput) {
		names = append(names, schema.EventsName)
	}
	return names, all
}

// isInput reports whether a name in SQL is the name of an input. If a folder has the name of a
// table, the name means the table.
func (s *Source) isInput(name string) bool {
	return slices.Contains(s.Inputs, name) && strings.ContainsFunc(name, isNoName)
}

// explaining are the tables, and their columns, that explain empty results.
var explaining = []selection.Need{
	{Table: schema.EventTypes.Name, Columns: []string{"header_table", "provider_id", "provider_name", "event_id", "event_name", "payload_table", "events"}},
	{Table: schema.Traces.Name, Columns: []string{"enable_flags_text", "end_enable_flags_text", "events_lost", "buffers_lost"}},
}

// needs returns the tables of traces that the statements read, with the columns; nil means all tables.
// Names that are not tables become patterns that match none.
func (s *Source) needs() []selection.Need {
	names, all := s.names()
	if all {
		return nil
	}
	list := slices.Clone(explaining)
	if s.planned != nil {
		list = append(list, s.planned...)
		if slices.Contains(names, views.EventFields) {
			list = append(list, selection.Need{Table: schema.EventsFolder + "*"})
		}
		return list
	}
	for _, name := range s.tables(names) {
		list = append(list, selection.Need{Table: name})
	}
	return list
}

// tables returns the tables of traces that SQL with these names may read.
func (s *Source) tables(names []string) (tables []string) {
	needed := s.known().Needed(names)
	if needed[views.EventFields] {
		tables = append(tables, schema.EventsFolder+"*")
	}
	delete(needed, views.EventFields)
	delete(needed, views.EventStacks)
	for _, v := range s.known().All() {
		delete(needed, v.Name)
	}
	for _, m := range s.known().Macros() {
		delete(needed, m.Name)
	}
	for name := range needed {
		if !schema.IsPattern(name) && !isFile(name) && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) && s.isInput(n) }) {
			tables = append(tables, name)
		}
	}
	slices.Sort(tables)
	return slices.Compact(tables)
}

// isFile reports whether a name in SQL is that of a trace or archive, or a URL.
func isFile(name string) bool {
	return inputs.IsURL(name) || archive.TraceName(name) || inputs.IsArchiveName(name)
}

// namesCodes reports whether SQL may call a macro of package codes.
func namesCodes(sql string) bool {
	sql = strings.ToLower(sql)
	return slices.ContainsFunc(codes.Systems(), func(system schema.Unit) bool { return strings.Contains(sql, codes.FunctionName(system)) })
}

// viewScript returns SQL that defines the views which the statements read.
func (s *Source) viewScript(ctx context.Context) (string, error) {
	names, all := s.names()
	var only map[string]bool
	if !all {
		only = s.known().Needed(names)
	}
	sql, err := s.known().ScriptOfPieces(ctx, s.pieces, only)
	if err != nil {
		return "", err
	}
	// The macros have hundreds of kilobytes, which DuckDB would parse for each query.
	if namesCodes(sql) || slices.ContainsFunc(s.Statements, func(s Statement) bool { return namesCodes(s.SQL) }) {
		sql = codes.Macros() + sql
	}
	inputs := make(map[string]string) // by the name as DuckDB compares it
	for _, name := range names {
		if !s.isInput(name) {
			continue
		}
		switch other := inputs[strings.ToLower(name)]; other {
		case "":
			inputs[strings.ToLower(name)] = name
			sql += s.inputView(name)
		case name:
		default:
			return "", fmt.Errorf("SQL cannot tell the inputs %q and %q apart: its names have no upper and lower case", min(name, other), max(name, other))
		}
	}
	return sql, nil
}

// inputView defines the view for FROM 'x.etl': the events of an input.
func (s *Source) inputView(name string) string {
	where := ""
	if s.traces != nil {
		var traces []string
		for _, trace := range s.traces[name] {
			traces = append(traces, sqlText(trace))
		}
		where = fmt.Sprintf(" WHERE trace IN (%s)", strings.Join(append(traces, "NULL"), ", "))
	}
	return fmt.Sprintf("\nCREATE OR REPLACE VIEW %s AS SELECT * FROM %s%s;\n", sqlName(name), schema.EventsName, where)
}

// suggestion returns a hint for a name that no table has.
func (s *Source) suggestion(ctx context.Context, missing string) string {
	if m := s.known().LookupMacro(missing); m != nil {
		return fmt.Sprintf("%s is a table macro: FROM %[1]s('%s')", m.Name, strings.Join(m.Parameters, "', '"))
	}
	if isFile(missing) {
		return "a trace in SQL must be an input of query, by the same name"
	}
	var names []string
	for _, v := range s.known().All() {
		names = append(names, v.Name)
	}
	for _, t := range schema.Tables() {
		names = append(names, t.ViewName())
	}
	if tables, err := s.summaries(ctx); err == nil {
		for _, t := range tables {
			names = append(names, schema.ViewName(t.Name))
		}
	}
	for _, name := range s.nearest[strings.ToLower(missing)] {
		names = append(names, schema.ViewName(name))
	}
	if similar := texts.Nearest(schema.ViewName(missing), names); len(similar) > 0 {
		return texts.DidYouMean(similar)
	}
	if known := catalog.NearestTables(missing); len(known) > 0 {
		return texts.DidYouMean(known)
	}
	return "\"etl2parquet describe\" lists the tables and views"
}
