package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// These names among those that SQL reads stand for columns of the view of all events that cost a
// join. [Script] leaves them NULL where it is not asked for them.
const (
	EventFields = "events.fields"   // fields and message: of the tables of all events
	EventStacks = "events.stack_id" // of the table of stacks
)

// fieldsView is the view of all events with fields and messages. In views.sql it has what costs a join.
const fieldsView = "event_fields"

// hasFields and hasStacks report whether the script has the columns.
func (w *script) hasFields() bool { return w.only == nil || w.only[EventFields] }
func (w *script) hasStacks() bool { return w.only == nil || w.only[EventStacks] }

// wants reports whether the script has a view. The fields of events are read from all tables of
// payloads.
func (w *script) wants(name string, isPayload bool) bool {
	return w.only == nil || w.only[name] || isPayload && w.hasFields()
}

// payloadView is a view of the payloads of an event that the dataset has.
type payloadView struct {
	source  string // SQL after FROM
	table   *schema.Table
	columns []schema.Column // of table: those that the payload fills
}

// allEvents returns the SELECT of the view of all events, with the costly columns that the script
// has.
func (w *script) allEvents(v *View) string {
	if !w.hasFields() && !w.hasStacks() {
		return v.sql
	}
	made, joins := make(map[string]string), ""
	if w.hasStacks() {
		made[schema.StackIDColumn] = "s.stack_id"
		joins += JoinStackEvents
	}
	if w.hasFields() && len(w.payloads) > 0 {
		made[schema.FieldsColumn], made[schema.MessageColumn] = "coalesce(e.fields, p.fields)", "coalesce(e.message, p.message)"
		var list []string
		for i := range w.payloads {
			list = append(list, w.payloads[i].sql(jsonSQL{w.shapes.signed}, ""))
		}
		joins += "\nLEFT JOIN (\n  " + strings.Join(list, "\n  UNION ALL ") + "\n) AS p ON p.trace = e.trace AND p.event_ref = e.event_ref"
	}
	return EventsSQL(made, joins)
}

// JoinStackEvents joins the view of all events with the stacks.
const JoinStackEvents = "\nLEFT JOIN stack_events AS s ON s.trace = e.trace AND s.event_ref = e.event_ref"

// EventsSQL returns the SELECT of the view of all events with columns that joins give, as SQL by name.
func EventsSQL(made map[string]string, joins string) string {
	v := BuiltIn().byName[schema.EventsName]
	columns := []string{"e.trace"}
	for i := range v.Columns {
		name := v.Columns[i].Name
		if sql := made[name]; sql != "" {
			columns = append(columns, sql+" AS "+name)
		} else {
			columns = append(columns, "e."+name)
		}
	}
	return "SELECT " + strings.Join(columns, ", ") + "\nFROM (\n" + v.sql + "\n) AS e" + joins
}

// sql returns the SELECT of the fields and messages of an event. With an alias, the names of columns
// begin with it: in a macro, they would else be those of parameters.
func (p *payloadView) sql(json jsonSQL, alias string) string {
	of, as := "", ""
	if alias != "" {
		of, as = alias+".", " AS "+alias
	}
	message := "NULL"
	if p.table.HasMessages() {
		message = of + schema.MessageColumn
	}
	return fmt.Sprintf("SELECT trace, event_ref, %s AS fields, CAST(%s AS VARCHAR) AS message FROM %s%s", json.object(of, p.columns, p.table.FieldKey), message, p.source, as)
}

// kernelPayload notes the view of a table of package schema that has rows.
func (w *script) kernelPayload(t *schema.Table) {
	w.payloads = append(w.payloads, payloadView{sqlQuoted(t.ViewName()), t, t.PayloadColumns()})
}

// userPayload notes the view of an event that a schema describes, and what SQL reads its rows from. Files that no record names have
// unknown columns.
func (w *script) userPayload(v *eventView, source string) {
	columns, made := w.shapes.shapes.payloadColumns(v.event)
	if len(columns) > 0 {
		w.payloads = append(w.payloads, payloadView{source, schema.PayloadTable(v.event, columns, made), columns})
	}
}

// payloadColumns returns the columns that the payloads of an event fill, by name, each as wide as in
// the view; and the names of those that are made of something else.
func (s tableShapes) payloadColumns(event schema.Identity) (columns []schema.Column, made []string) {
	types := make(map[string]map[string]bool)
	for key, shape := range s {
		if key.event == event {
			made = append(made, shape.made...)
			addTypes(types, key.payloadTypes())
		}
	}
	for name, kinds := range types {
		forms := columnsOf(kinds)
		if len(forms) == 0 || slices.Contains(made, name) {
			continue
		}
		c := widest(forms)
		c.Name = name
		columns = append(columns, c)
	}
	slices.SortFunc(columns, func(a, b schema.Column) int {
		if isRest := b.Name == schema.RestColumn; isRest != (a.Name == schema.RestColumn) { // it is last in tables
			if isRest {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return columns, made
}

// jsonSQL makes SQL for values as JSON.
type jsonSQL struct {
	signed bool // unsigned 64-bit integers are signed ones in views: the JSON has them without a sign
}

// object returns SQL for a JSON object of columns, without those that are NULL. of is the
// structure that has them, with a dot, or empty. key returns the key of a column.
func (j jsonSQL) object(of string, columns []schema.Column, key func(column string) string) string {
	if len(columns) == 0 {
		return "'{}'"
	}
	var members []string
	for i := range columns {
		c := &columns[i]
		members = append(members, sqlText(string(texts.AppendJSON(nil, []byte(key(c.Name))))+":")+" || "+j.value(of, c, columns))
	}
	return "'{' || concat_ws(',', " + strings.Join(members, ", ") + ") || '}'"
}

// value returns SQL for the value of one of some columns as JSON: NULL for NULL.
func (j jsonSQL) value(of string, c *schema.Column, columns []schema.Column) string {
	value, x, at := of+sqlQuoted(c.Name), "", ""
	if c.List {
		x = fmt.Sprintf("x%d", strings.Count(of, ".")) // each lambda has its own
		at = "[i" + x + "]"
	}
	var ns []string
	for _, other := range slices.Backward(columns) { // the same time in ns; the suffix is there twice if a field has the name with one
		if c.Type == schema.Timestamp && other.Type == schema.Int64 && other.List == c.List && strings.HasPrefix(other.Name, c.Name+"_ns") {
			ns = append(ns, of+sqlQuoted(other.Name)+at)
		}
	}
	if !c.List {
		return j.element(value, ns, c)
	}
	return fmt.Sprintf("CASE WHEN %[1]s IS NOT NULL THEN '[' || coalesce(array_to_string(list_transform(%[1]s, lambda %[2]s, i%[2]s: %[3]s), ','), '') || ']' END",
		value, x, j.element(x, ns, c))
}

// element returns SQL for a value that is not a list. A time, which has us, is that of one of ns.
func (j jsonSQL) element(value string, ns []string, c *schema.Column) string {
	switch c.Type {
	case schema.Struct:
		return fmt.Sprintf("CASE WHEN %s IS NOT NULL THEN %s END", value, j.object("("+value+").", c.Fields, func(member string) string { return member }))
	case schema.Uint64:
		if j.signed {
			return fmt.Sprintf("CAST(CAST(%[1]s AS HUGEINT) + CASE WHEN %[1]s < 0 THEN 18446744073709551616 ELSE 0 END AS VARCHAR)", value)
		}
	case schema.String:
		return fmt.Sprintf("CAST(to_json(%s) AS VARCHAR)", value)
	case schema.Binary:
		return fmt.Sprintf(`'"' || lower(hex(%s)) || '"'`, value)
	case schema.Timestamp:
		us, digits := "epoch_us("+value+")", ""
		for _, t := range ns { // unless it is a field of that name, its us differ by the rounding at most
			digits += fmt.Sprintf("WHEN abs(%[1]s // 1000 - %[2]s) < 2 THEN CAST((%[1]s %% 1000 + 1000) %% 1000 // 100 AS VARCHAR) ", t, us)
		}
		return fmt.Sprintf(`strftime(make_timestamp(%[1]s), '"%%Y-%%m-%%dT%%H:%%M:%%S.%%f') || CASE %[2]sWHEN %[1]s %% 1000 = 0 THEN '0' ELSE '' END || 'Z"'`, us, digits)
	case schema.Float, schema.Double: // JSON has no infinities and no NaN
		return fmt.Sprintf(`CASE WHEN isfinite(%[1]s) THEN CAST(%[1]s AS VARCHAR) WHEN isnan(%[1]s) THEN '"NaN"' WHEN %[1]s > 0 THEN '"+Inf"' WHEN %[1]s < 0 THEN '"-Inf"' END`, value)
	}
	return fmt.Sprintf("CAST(%s AS VARCHAR)", value)
}
