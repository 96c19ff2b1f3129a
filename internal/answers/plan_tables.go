package answers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// planSchema is SQL for tables without rows, and the views over them, by which DuckDB plans a question before
// any table has rows: the scans in its plan say which columns of which tables the question reads.
type planSchema struct {
	views  *views.Set
	needed map[string]bool // tables and views, as views.Needed returns them
	names  []string        // of the tables and views in the question
	inputs []string        // names of inputs, which mean all events
	tables []*planTable    // the numbers are parts of their names in SQL
	named  map[string]*planTable
}

// planTable is a table without rows.
type planTable struct {
	name string // the table that it stands for, as SQL calls it
	// If it is open, a column stands for the further ones that the table of a trace may have.
	views.KnownTable
	// keys are the columns that a view joins the table by, if each row has other values in them: the views
	// compare columns of their own with them, so that a plan says whether they need anything else.
	keys     []string
	unjoined bool // the views that join the table need nothing of it
}

// Names of columns of planTable that no table has.
const (
	furtherColumns = "further columns"
	keyPrefix      = "key "
)

// uniqueKeys are the columns of tables in which each row has other values, as far as views join by them.
var uniqueKeys = map[string][]string{
	schema.StackEvents.Name: {schema.TraceColumn.Name, "event_ref"},
	schema.Stacks.Name:      {schema.TraceColumn.Name, schema.StackIDColumn},
	schema.EventTypes.Name:  {schema.TraceColumn.Name, "event_kind"},
	schema.Traces.Name:      {schema.TraceColumn.Name},
	planFields:              {schema.TraceColumn.Name, "event_ref"},
}

// planFields stands for the tables of payloads, which the view of all events joins.
const planFields = "fields_of_events"

// planScan is what a plan says of a table of a [planSchema]: its name there, and the columns that are read.
type planScan struct {
	Table   string
	Columns []string
	Bounds  *selection.Bounds // of the rows that are read; nil if all may be
}

// newPlanSchema returns the schema for SQL that reads tables and views of these names, and inputs, whose names
// mean all events. It returns nil if a name is neither: only the trace can then tell its columns.
func newPlanSchema(set *views.Set, names, inputs []string) *planSchema {
	p := &planSchema{views: set, names: names, inputs: inputs, named: make(map[string]*planTable)}
	if len(inputs) > 0 {
		names = append(slices.Clone(names), schema.EventsName)
	}
	p.needed = p.views.Needed(append(slices.Clone(names), views.EventFields, views.EventStacks))
	for _, name := range sortedNames(p.needed) {
		if set.Lookup(name) != nil || name == views.EventFields || name == views.EventStacks {
			continue
		}
		known := set.Known(name)
		if known == nil {
			return nil
		}
		t := &planTable{name: name, KnownTable: *known}
		p.add(t)
		p.named[name] = t
	}
	for _, name := range sortedNames(p.needed) {
		if keys := uniqueKeys[name]; keys != nil {
			t := *p.named[name]
			t.keys = keys
			p.add(&t)
			p.named[keyPrefix+name] = &t
		}
	}
	if p.needed[views.EventFields] {
		t := &planTable{name: planFields, keys: uniqueKeys[planFields], KnownTable: views.KnownTable{Columns: []views.Column{
			{Name: schema.TraceColumn.Name, Type: "VARCHAR"}, {Name: "event_ref", Type: "BIGINT"}, {Name: schema.FieldsColumn, Type: "VARCHAR"}, {Name: schema.MessageColumn, Type: "VARCHAR"}}}}
		p.add(t)
		p.named[keyPrefix+planFields] = t
	}
	return p
}

func sortedNames(set map[string]bool) []string {
	var names []string
	for name, is := range set {
		if is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (p *planSchema) add(t *planTable) { p.tables = append(p.tables, t) }

// sql returns statements that define the tables and views in the current schema. They replace those that
// an earlier call has defined.
func (p *planSchema) sql() string {
	var b strings.Builder
	for i, t := range p.tables {
		var columns []string
		for _, c := range t.Columns {
			columns = append(columns, sqlName(c.Name)+" "+c.Type)
		}
		for _, key := range t.keys {
			columns = append(columns, sqlName(keyPrefix+key)+" "+t.Columns[t.column(key)].Type)
		}
		if t.IsOpen {
			columns = append(columns, sqlName(furtherColumns)+" VARCHAR")
		}
		fmt.Fprintf(&b, "CREATE OR REPLACE TABLE %s (%s);\n", planName(i), strings.Join(columns, ", "))
		if t.keys == nil {
			fmt.Fprintf(&b, "CREATE OR REPLACE VIEW %s AS FROM %s;\n", sqlName(t.name), planName(i))
		}
	}
	for _, v := range p.views.All() {
		if p.needed[v.Name] {
			fmt.Fprintf(&b, "CREATE OR REPLACE VIEW %s AS\n%s;\n", v.Name, p.joins(p.viewSQL(v)))
		}
	}
	for _, name := range p.inputs {
		fmt.Fprintf(&b, "CREATE OR REPLACE VIEW %s AS FROM %s WHERE trace IS NOT NULL;\n", sqlName(name), schema.EventsName)
	}
	return b.String()
}

func planName(number int) string { return fmt.Sprintf("plan_%d", number) }

// scanned returns the table of a scan, or nil if it is another one.
func (p *planSchema) scanned(s *planScan) *planTable {
	for i, t := range p.tables {
		if planName(i) == s.Table {
			return t
		}
	}
	return nil
}

// viewSQL returns the SELECT of a view. That of all events has all columns.
func (p *planSchema) viewSQL(v *views.View) string {
	if v.Name != schema.EventsName {
		return v.SQL()
	}
	return views.EventsSQL(map[string]string{schema.StackIDColumn: "s.stack_id", schema.FieldsColumn: "coalesce(e.fields, p.fields)", schema.MessageColumn: "coalesce(e.message, p.message)"},
		views.JoinStackEvents+"\nLEFT JOIN "+planFields+" AS p ON p.trace = e.trace AND p.event_ref = e.event_ref")
}

// leftJoin finds a LEFT JOIN of a table on one line.
var leftJoin = texts.Pattern(`LEFT JOIN (\w+) AS (\w+) ON (\w+\.\w+ = \w+\.\w+(?: AND \w+\.\w+ = \w+\.\w+)*)(?:\n|$)`)

// joins replaces tables that a view joins by unique keys.
func (p *planSchema) joins(sql string) string {
	return leftJoin().ReplaceAllStringFunc(sql, func(join string) string {
		parts := leftJoin().FindStringSubmatch(join)
		name, alias, conditions := parts[1], parts[2], strings.Split(parts[3], " AND ")
		place := slices.Index(p.tables, p.named[keyPrefix+name])
		if place < 0 || len(conditions) != len(uniqueKeys[name]) {
			return join
		}
		t := p.tables[place]
		for i, c := range conditions {
			key, of, _ := strings.Cut(c, " = ")
			column, isOwn := strings.CutPrefix(key, alias+".")
			if !isOwn || strings.HasPrefix(of, alias+".") || column != t.keys[i] {
				return join
			}
			conditions[i] = fmt.Sprintf("%s.%s = %s", alias, sqlName(keyPrefix+column), of)
		}
		if t.unjoined {
			conditions = []string{"false"}
		}
		return fmt.Sprintf("LEFT JOIN %s AS %s ON %s\n", planName(place), alias, strings.Join(conditions, " AND "))
	})
}

// unjoin leaves joins out of the views whose tables give nothing but the columns that they are joined by,
// according to the scans of all plans of a selection. It reports whether there are any: then SQL
// and the plans are to be made again, as other tables may not be needed either.
func (p *planSchema) unjoin(scans []planScan) (changed bool) {
	for i, t := range p.tables {
		if t.keys == nil || t.unjoined || slices.ContainsFunc(scans, func(s planScan) bool { return s.Table == planName(i) && !onlyKeys(s.Columns) }) {
			continue
		}
		if slices.ContainsFunc(scans, func(s planScan) bool { return s.Table == planName(i) }) {
			t.unjoined, changed = true, true
		}
	}
	return changed
}

func onlyKeys(columns []string) bool {
	return !slices.ContainsFunc(columns, func(name string) bool { return !strings.HasPrefix(name, keyPrefix) })
}

// needs returns the tables that the scans read, by name, and whether they read the costly columns of the
// view of all events. It returns false if it does not know what a scan reads.
func (p *planSchema) needs(scans []planScan) (needs []selection.Need, fields, stacks, ok bool) {
	byName := make(map[string]map[string]bool)
	for _, s := range scans {
		t := p.scanned(&s)
		if t == nil {
			return nil, false, false, false
		}
		switch {
		case t.unjoined:
			continue
		case t.name == planFields:
			fields = true
			continue
		case t.keys != nil && t.name == schema.StackEvents.Name && p.needed[schema.EventsName]:
			stacks = true
		}
		columns := byName[t.name]
		if columns == nil {
			columns = make(map[string]bool)
			byName[t.name] = columns
		}
		for _, name := range s.Columns {
			name = strings.TrimPrefix(name, keyPrefix)
			if name != furtherColumns && t.column(name) < 0 {
				return nil, false, false, false
			}
			columns[name] = true
		}
	}
	for name, columns := range byName {
		need := selection.Need{Table: name}
		if !columns[furtherColumns] {
			columns[schema.TraceColumn.Name] = true // a table without columns would mean all
			need.Columns = sortedNames(columns)
		}
		needs = append(needs, need)
	}
	slices.SortFunc(needs, func(a, b selection.Need) int { return strings.Compare(a.Table, b.Table) })
	return needs, fields, stacks, true
}

// isExact reports whether what the question names has all columns that it has for any trace. Views do,
// whatever tables they read.
func (p *planSchema) isExact() bool {
	return !slices.ContainsFunc(p.names, func(name string) bool {
		t := p.named[strings.ToLower(name)]
		return t != nil && t.IsOpen
	})
}

// bounds returns which events the scans read at most, or nil if they may read any. The bounds of the scans must be set.
func (p *planSchema) bounds(scans []planScan) *selection.Bounds {
	var all *selection.Bounds
	for i := range scans {
		s := &scans[i]
		t := p.scanned(s)
		if t == nil {
			return nil
		}
		switch {
		case t.unjoined || t.keys != nil && t.isOfEvents(): // joined to events, by what each of them has for itself
			continue
		case t.column("event_ref") < 0 || t.column(schema.TimeColumn) < 0:
			need := selection.Need{Table: t.name}
			for _, name := range s.Columns {
				need.Columns = append(need.Columns, strings.TrimPrefix(name, keyPrefix))
			}
			if len(need.Columns) == 0 {
				need.Columns = []string{schema.TraceColumn.Name}
			}
			if !need.IsUnbounded() {
				return nil
			}
			continue
		case s.Bounds == nil || t.IsAlias || t.IsOpen && slices.ContainsFunc(p.names, func(name string) bool { return strings.EqualFold(name, t.name) }):
			return nil // without a row the trace would not say which columns an open table has
		}
		b := *s.Bounds
		if t.name == schema.StackEvents.Name || p.readsStacks(scans) {
			b.Providers = nil // stacks are found by the events of another provider
		}
		if all == nil {
			all = &b
		} else {
			all.Widen(&b)
		}
	}
	if all.IsUnbounded() {
		return nil
	}
	return all
}

// isOfEvents reports whether a table, which views join, has a row for each event, or for their stacks.
func (t *planTable) isOfEvents() bool {
	return t.name == planFields || t.name == schema.StackEvents.Name || t.name == schema.Stacks.Name
}

// column returns the place of a column, or -1.
func (t *planTable) column(name string) int {
	return slices.IndexFunc(t.Columns, func(c views.Column) bool { return c.Name == name })
}

// readsStacks reports whether a scan is of a table of stacks.
func (p *planSchema) readsStacks(scans []planScan) bool {
	return slices.ContainsFunc(scans, func(s planScan) bool {
		t := p.scanned(&s)
		return t != nil && !t.unjoined && (t.name == schema.StackEvents.Name || t.name == schema.Stacks.Name)
	})
}
