package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// resolver returns the name by which SQL reads a table or view, given its name in a source, and whether it can have
// rows.
type resolver func(table string) (name string, filled bool)

// resolved is a resolver by what the program knows: a source can call an event by its id.
func (s *Set) resolved(table string) (string, bool) {
	if s.byName[table] == nil {
		if t := s.eventTable(table); t != nil {
			return t.ViewName(), true
		}
	}
	return table, true
}

// SQL returns the SELECT of a view, of DuckDB's SQL, without a semicolon. It reads what [View.Reads] names.
func (v *View) SQL() string {
	return v.sqlOver(func(table string) (string, bool) { return table, true })
}

// Statement returns the SELECT of a view over the tables that have the names of the catalogue, and what it reads.
func (s *Set) Statement(v *View) (sql string, reads []string) {
	sql = v.sqlOver(s.resolved)
	return sql, readsOf(sql)
}

// sqlOver returns the SELECT of a view with those of its sources that can have rows; "" if none can.
func (v *View) sqlOver(resolve resolver) string {
	if v.Sources == nil {
		return v.sql
	}
	var rows []string
	for _, s := range v.Sources {
		if slices.ContainsFunc(s.Rows(), func(table string) bool { _, filled := resolve(table); return filled }) {
			rows = append(rows, v.source(s, len(rows)+1, resolve))
		}
	}
	if rows == nil {
		return ""
	}
	sql := strings.Join(rows, "\nUNION ALL\n")
	if v.merge != nil {
		sql = v.merge.sql(v, rows)
	}
	if !v.hasColumn(schema.StackIDColumn) {
		return sql
	}
	var columns []string
	for _, name := range v.columnNames() {
		if name == schema.StackIDColumn {
			name = "s." + name
		} else {
			name = "q." + name
		}
		columns = append(columns, name)
	}
	return "SELECT " + strings.Join(columns, ", ") + "\nFROM (\n" + sql + "\n) AS q\nLEFT JOIN stack_events AS s ON s.trace = q.trace AND s.event_ref = q.event_ref"
}

// source returns the SELECT of a source: the columns of the view and, if the view merges, source_rank.
func (v *View) source(s *Source, rank int, resolve resolver) string {
	list := []string{"trace"}
	var used []name // by the expressions
	for i := range v.Columns {
		c := &v.Columns[i]
		if c.Name == schema.StackIDColumn {
			continue
		}
		e, given := s.Columns[c.Name]
		if !given {
			e = v.defaultOf(s, c.Name)
		}
		names, _ := namesIn(e) // checkSource has reported the error
		used = append(used, names...)
		if s.Start != nil {
			e = renamed(e, pairedName)
		}
		if given || e == "NULL" {
			e = fmt.Sprintf("CAST(%s AS %s)", e, duckType(c))
		}
		if e != c.Name {
			e += " AS " + c.Name
		}
		list = append(list, e)
	}
	if v.merge != nil {
		list = append(list, fmt.Sprintf("%d AS source_rank", rank))
	}
	from := ""
	if s.Start == nil {
		from = s.From.relation(qualified(used, ""), resolve)
	} else {
		from = s.pairs(used, resolve)
	}
	return "SELECT " + strings.Join(list, ", ") + "\nFROM " + from + " AS e"
}

// qualified returns the columns among names that have a qualifier, sorted.
func qualified(names []name, qualifier string) (columns []string) {
	for _, n := range names {
		if n.qualifier == qualifier {
			columns = append(columns, n.name)
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// timeColumns are those that a row has from its event.
var timeColumns = []string{"event_ref", "timestamp", schema.TimeColumn, schema.ClockColumn, schema.SecondsColumn}

// pairColumns are those that a view has of pairs, unless a source says otherwise, by their names.
var pairColumns = map[string]string{
	"state": "state", "end_ns": "end_ns", "stop_ref": "stop_ref", "ambiguous": "ambiguous",
	"start_ns":    "CASE WHEN step = 1 THEN clock_ns END",
	"duration_ns": "CASE WHEN state = 'complete' THEN " + fmt.Sprintf(elapsedForm, "trace", "clock_ns", "end_ns") + " END",
}

// defaultOf returns the expression of a column that a source does not give.
func (v *View) defaultOf(s *Source, name string) string {
	switch {
	case name == sourceColumn:
		return sqlText(s.Name)
	case slices.Contains(timeColumns, name) || slices.Contains(v.shared, name):
		return name
	case s.Start != nil && pairColumns[name] != "":
		return name
	}
	return "NULL"
}

// pairedName returns the SQL for a name in an expression over pairs.
func pairedName(n name) string {
	if sql := pairColumns[n.name]; n.qualifier == "" && sql != "" && sql != n.name {
		return "(" + sql + ")"
	}
	return sqlQuotedIfNeeded(n.pairColumn())
}

// pairColumn returns the column of pairs that a name in an expression means.
func (n *name) pairColumn() string {
	switch n.qualifier {
	case startName:
		return "start_" + n.name
	case stopName:
		return "stop_of_" + n.name
	}
	return n.name
}

func sqlQuotedIfNeeded(name string) string {
	if nameLength(name) == len(name) && !notColumns[name] {
		return name
	}
	return sqlQuoted(name)
}

// relation returns the rows of a step, with some columns.
func (s *Step) relation(columns []string, resolve resolver) string {
	where := ""
	if s.Where != "" {
		where = " WHERE " + s.Where
	}
	if s.SQL != "" {
		return "(SELECT * FROM (\n" + strings.TrimSpace(s.SQL) + "\n) AS given" + where + ")"
	}
	var names []string
	for _, event := range s.Events {
		if name, filled := resolve(tableOf(event)); filled && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil { // of a pair whose other side is there
		name, _ := resolve(tableOf(s.Events[0]))
		names = append(names, name)
	}
	quoted := []string{"trace"}
	for _, c := range columns {
		if c != "trace" {
			quoted = append(quoted, sqlQuotedIfNeeded(c))
		}
	}
	selected := "SELECT " + strings.Join(quoted, ", ") + " FROM "
	var list []string
	for _, name := range names {
		list = append(list, selected+s.typed(name, columns)+where)
	}
	// Two names of one provider can be those of one event: then both tables have the same rows.
	union := " UNION ALL "
	if s.areNamesOfOne() {
		union = " UNION "
	}
	return "(" + strings.Join(list, union) + ")"
}

// typed returns SQL for a table in which the optional columns have their types: what a trace itself describes may have
// others.
func (s *Step) typed(table string, columns []string) string {
	if s.Where != "" {
		names, _ := namesIn(s.Where) // checkSource has reported the error
		for _, n := range names {
			columns = append(columns, n.name)
		}
		slices.Sort(columns)
		columns = slices.Compact(columns)
	}
	list, isTyped := []string{"trace"}, false
	for _, name := range columns {
		if name == "trace" {
			continue
		}
		text := sqlQuotedIfNeeded(name)
		if kind, ok := schema.ParseType(s.Optional[name]); ok {
			isTyped = true
			text = fmt.Sprintf("TRY_CAST(%s AS %s) AS %[1]s", text, duckType(&kind))
		}
		list = append(list, text)
	}
	if !isTyped {
		return table
	}
	return "(SELECT " + strings.Join(list, ", ") + " FROM " + table + ") AS typed"
}

// areNamesOfOne reports whether two names of the step can be of one event: they have one provider, and are not two ids.
func (s *Step) areNamesOfOne() bool {
	isID := func(own string) bool { return strings.Trim(own, "0123456789") == "" }
	for i, event := range s.Events {
		provider, own, _ := strings.Cut(event, "/")
		for _, other := range s.Events[:i] {
			otherProvider, otherOwn, _ := strings.Cut(other, "/")
			if provider == otherProvider && !(isID(own) && isID(otherOwn)) {
				return true
			}
		}
	}
	return false
}

// pairs returns the pairs of a source, with some columns.
func (s *Source) pairs(used []name, resolve resolver) string {
	p := &pairing{order: s.Order}
	base := []string{"event_ref", schema.ClockColumn, "processor"}
	starts, stops := qualified(used, startName), qualified(used, stopName)
	for _, column := range qualified(used, "") {
		if column != "trace" && column != "step" && pairColumns[column] == "" && !slices.Contains(base, column) {
			base = append(base, column)
		}
	}
	side := func(step *Step, direction string) string {
		columns := slices.Clone(base)
		list := append([]string{"trace"}, base...)
		list = append(list, direction+" AS step")
		var isNull []string
		for i, key := range step.Key {
			list = append(list, fmt.Sprintf("%s AS key_%d", key, i))
			isNull = append(isNull, fmt.Sprintf("(%s) IS NULL", key))
			names, _ := namesIn(key)
			for _, n := range names {
				columns = append(columns, n.name)
			}
		}
		// A key that is NULL identifies nothing.
		list = append(list, "CASE WHEN "+strings.Join(isNull, " OR ")+" THEN event_ref END AS key_null")
		value := func(c, as string, isOwn bool) {
			if isOwn {
				columns, list = append(columns, c), append(list, sqlQuotedIfNeeded(c)+" AS "+as)
			} else {
				list = append(list, "NULL AS "+as)
			}
		}
		for _, c := range starts {
			value(c, "start_"+c, step == s.Start)
		}
		for _, c := range stops {
			value(c, "of_"+c, step == s.Stop)
		}
		slices.Sort(columns)
		return "SELECT " + strings.Join(list, ", ") + " FROM " + step.relation(slices.Compact(columns), resolve) + " AS e"
	}
	for i, key := range s.Start.Key {
		p.key = append(p.key, fmt.Sprintf("key_%d", i))
		if key == "thread_id" {
			p.within = key
		}
	}
	p.key = append(p.key, "key_null")
	for _, c := range stops {
		p.carried = append(p.carried, "of_"+c)
	}
	p.steps = "(\n" + side(s.Start, "1") + "\nUNION ALL " + side(s.Stop, "-1") + "\n)"
	sql := p.sql()
	if !s.Orphans {
		sql = "SELECT * FROM (\n" + sql + "\n) AS pair_rows WHERE step = 1"
	}
	return "(\n" + sql + "\n)"
}

// Optional returns the table of an event of which sources call columns optional, by its name, or nil. A trace may lack it.
func (s *Set) Optional(name string) *schema.Table {
	if name = tableOf(name); s.optional[name] == nil {
		return nil
	}
	return s.eventTable(name)
}

// eventTable returns the table of an event of the kernel, of the built-in catalogue or of a source, by its name in SQL,
// or nil. It has the columns that sources call optional, too.
func (s *Set) eventTable(name string) *schema.Table {
	t := eventTable(name)
	optional := s.optional[name]
	if optional == nil {
		return t
	}
	own := &schema.Table{Name: optional.Name, Doc: optional.Doc, Columns: eventColumns()}
	if t != nil {
		copied := *t
		copied.Columns = slices.Clone(t.Columns)
		own = &copied
	}
	for _, c := range optional.Columns {
		if own.Column(c.Name) < 0 {
			own.Columns = append(own.Columns, c)
		}
	}
	return own
}

// eventColumns returns the columns of the table of an event of a provider before its fields.
func eventColumns() []schema.Column {
	common := schema.CommonColumns()
	return slices.Concat(common[:len(common)-1], schema.EventColumns()) // all but the payload
}
