package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	question "github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Plan is SQL for tables without rows, and the views over them, by which DuckDB plans a question before
// any table has rows: the scans in its plan say which columns of which tables the question reads.
type Plan struct {
	set    *set
	needed map[string]bool // tables and views, as Needed returns them
	names  []string        // of the tables and views in the question
	inputs []string        // names of inputs, which mean all events
	tables []*planTable    // the numbers are parts of their names in SQL
	named  map[string]*planTable
}

// planTable is a table without rows.
type planTable struct {
	name    string // the table that it stands for, as SQL calls it
	columns []absentColumn
	// isOpen says that the table of a trace may have further columns: a column stands for them.
	isOpen bool
	// keys are the columns that a view joins the table by, if each row has other values in them: the views
	// compare columns of their own with them, so that a plan says whether they need anything else.
	keys     []string
	isAlias  bool // the name is not that of the files
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
const planFields = "event_fields"

// Scan is what a plan says of a table of a [Plan]: its name there, and the columns that are read.
type Scan struct {
	Table   string
	Columns []string
	Bounds  *question.Bounds // of the rows that are read; nil if all may be
}

// TableNeed is a table with the columns that a question reads; none means all.
type TableNeed struct {
	Name    string // in SQL
	Columns []string
}

// NewPlan returns the plan for SQL that reads tables and views of these names, and inputs, whose names
// mean all events. It returns nil if a name is neither: only the trace can then tell its columns.
func NewPlan(names, inputs []string) *Plan {
	p := &Plan{set: ready(), names: names, inputs: inputs, named: make(map[string]*planTable)}
	if len(inputs) > 0 {
		names = append(slices.Clone(names), schema.EventsName)
	}
	p.needed = p.set.needed(append(slices.Clone(names), EventFields, EventStacks))
	for _, name := range sortedNames(p.needed) {
		if p.set.byName[name] != nil || name == EventFields || name == EventStacks {
			continue
		}
		t := p.set.planTable(name)
		if t == nil {
			return nil
		}
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
	if p.needed[EventFields] {
		t := &planTable{name: planFields, keys: uniqueKeys[planFields], columns: []absentColumn{
			{schema.TraceColumn.Name, "VARCHAR", false}, {"event_ref", "BIGINT", false}, {schema.FieldsColumn, "VARCHAR", false}, {schema.MessageColumn, "VARCHAR", false}}}
		p.add(t)
		p.named[keyPrefix+planFields] = t
	}
	return p
}

func sortedNames(of map[string]bool) []string {
	var names []string
	for name, is := range of {
		if is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (p *Plan) add(t *planTable) { p.tables = append(p.tables, t) }

// planTable returns a table by its name in SQL, in lower case, or nil if it is not known without a trace.
func (s *set) planTable(name string) *planTable {
	if t, found := schema.LookupTable(name); found && t.ViewName() == name {
		return &planTable{name: name, columns: columnsInSQL(t)}
	}
	if t := s.absent().table(name); t != nil {
		columns := t.columns
		if t.begins {
			columns = slices.Concat(startColumns(), columns)
		}
		return &planTable{name: name, columns: columns, isOpen: true}
	}
	var found []*schema.Table
	for _, t := range schema.Tables() {
		if n := t.EventNames(); t.IsPayload() && n.Called(name) {
			found = append(found, t)
		}
	}
	found = append(found, catalog.KnownTables(name, catalog.IsBareEvent(name))...)
	if len(found) != 1 {
		return nil
	}
	return &planTable{name: name, columns: columnsInSQL(found[0]), isOpen: true, isAlias: name != found[0].ViewName()}
}

func columnsInSQL(t *schema.Table) (list []absentColumn) {
	for _, c := range quoted(t.WithTrace().Columns) {
		list = append(list, absentColumn{c.Name, duckType(&c), false})
	}
	return list
}

// SQL returns statements that define the tables and views in the current schema. They replace those that
// an earlier call has defined.
func (p *Plan) SQL() string {
	var b strings.Builder
	for i, t := range p.tables {
		var columns []string
		for _, c := range t.columns {
			columns = append(columns, c.name+" "+c.kind)
		}
		for _, key := range t.keys {
			at := slices.IndexFunc(t.columns, func(c absentColumn) bool { return strings.Trim(c.name, `"`) == key })
			columns = append(columns, sqlQuoted(keyPrefix+key)+" "+t.columns[at].kind)
		}
		if t.isOpen {
			columns = append(columns, sqlQuoted(furtherColumns)+" VARCHAR")
		}
		fmt.Fprintf(&b, "CREATE OR REPLACE TABLE %s (%s);\n", planName(i), strings.Join(columns, ", "))
		if t.keys == nil {
			fmt.Fprintf(&b, "CREATE OR REPLACE VIEW %s AS FROM %s;\n", sqlQuoted(t.name), planName(i))
		}
	}
	for _, v := range p.set.list {
		if p.needed[v.Name] {
			fmt.Fprintf(&b, "CREATE OR REPLACE VIEW %s AS\n%s;\n", v.Name, p.joins(p.viewSQL(v)))
		}
	}
	for _, name := range p.inputs {
		fmt.Fprintf(&b, "CREATE OR REPLACE VIEW %s AS FROM %s WHERE trace IS NOT NULL;\n", sqlQuoted(name), schema.EventsName)
	}
	return b.String()
}

func planName(number int) string { return fmt.Sprintf("plan_%d", number) }

// viewSQL returns the SELECT of a view. That of all events has all columns.
func (p *Plan) viewSQL(v *View) string {
	if v.Name != schema.EventsName {
		return v.SQL(DuckDB)
	}
	return eventsSQL(v, map[string]string{schema.StackIDColumn: "s.stack_id", schema.FieldsColumn: "coalesce(e.fields, p.fields)", schema.MessageColumn: "coalesce(e.message, p.message)"},
		joinStackEvents+"\nLEFT JOIN "+planFields+" AS p ON p.trace = e.trace AND p.event_ref = e.event_ref")
}

// leftJoin finds a LEFT JOIN of a table on one line.
var leftJoin = texts.Pattern(`LEFT JOIN (\w+) AS (\w+) ON (\w+\.\w+ = \w+\.\w+(?: AND \w+\.\w+ = \w+\.\w+)*)(?:\n|$)`)

// joins replaces tables that a view joins by unique keys.
func (p *Plan) joins(sql string) string {
	return leftJoin().ReplaceAllStringFunc(sql, func(join string) string {
		parts := leftJoin().FindStringSubmatch(join)
		name, alias, conditions := parts[1], parts[2], strings.Split(parts[3], " AND ")
		at := slices.Index(p.tables, p.named[keyPrefix+name])
		if at < 0 || len(conditions) != len(uniqueKeys[name]) {
			return join
		}
		t := p.tables[at]
		for i, c := range conditions {
			key, of, _ := strings.Cut(c, " = ")
			column, isOwn := strings.CutPrefix(key, alias+".")
			if !isOwn || strings.HasPrefix(of, alias+".") || column != t.keys[i] {
				return join
			}
			conditions[i] = fmt.Sprintf("%s.%s = %s", alias, sqlQuoted(keyPrefix+column), of)
		}
		if t.unjoined {
			conditions = []string{"false"}
		}
		return fmt.Sprintf("LEFT JOIN %s AS %s ON %s\n", planName(at), alias, strings.Join(conditions, " AND "))
	})
}

// Unjoin leaves joins out of the views whose tables give nothing but the columns that they are joined by,
// according to the scans of all plans of a question. It reports whether there are any: then SQL
// and the plans are to be made again, as other tables may not be needed either.
func (p *Plan) Unjoin(scans []Scan) (changed bool) {
	for i, t := range p.tables {
		if t.keys == nil || t.unjoined || slices.ContainsFunc(scans, func(s Scan) bool { return s.Table == planName(i) && !onlyKeys(s.Columns) }) {
			continue
		}
		if slices.ContainsFunc(scans, func(s Scan) bool { return s.Table == planName(i) }) {
			t.unjoined, changed = true, true
		}
	}
	return changed
}

func onlyKeys(columns []string) bool {
	return !slices.ContainsFunc(columns, func(name string) bool { return !strings.HasPrefix(name, keyPrefix) })
}

// Needs returns the tables that the scans read, by name, and whether they read the costly columns of the
// view of all events. It returns false if it does not know what a scan reads.
func (p *Plan) Needs(scans []Scan) (needs []TableNeed, fields, stacks, ok bool) {
	byName := make(map[string]map[string]bool)
	for _, s := range scans {
		at := slices.IndexFunc(p.tables, func(t *planTable) bool { return planName(slices.Index(p.tables, t)) == s.Table })
		if at < 0 {
			return nil, false, false, false
		}
		t := p.tables[at]
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
			if name != furtherColumns && !slices.ContainsFunc(t.columns, func(c absentColumn) bool { return strings.Trim(c.name, `"`) == name }) {
				return nil, false, false, false
			}
			columns[name] = true
		}
	}
	for name, columns := range byName {
		need := TableNeed{Name: name}
		if !columns[furtherColumns] {
			columns[schema.TraceColumn.Name] = true // a table without columns would mean all
			need.Columns = sortedNames(columns)
		}
		needs = append(needs, need)
	}
	slices.SortFunc(needs, func(a, b TableNeed) int { return strings.Compare(a.Name, b.Name) })
	return needs, fields, stacks, true
}

// IsExact reports whether what the question names has all columns that it has for any trace. Views do,
// whatever tables they read.
func (p *Plan) IsExact() bool {
	return !slices.ContainsFunc(p.names, func(name string) bool {
		t := p.named[strings.ToLower(name)]
		return t != nil && t.isOpen
	})
}

// IsTable reports whether a name in SQL, in any case, is that of a table of package schema or of a view.
func IsTable(name string) bool {
	name = strings.ToLower(name)
	t, found := schema.LookupTable(name)
	return found && t.ViewName() == name || ready().byName[name] != nil
}
