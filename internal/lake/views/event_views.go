package views

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// eventView is the view of an event. It unites all tables of the event, whose names may differ
// between traces.
type eventView struct {
	event    schema.Identity
	name     string
	tables   []string
	isShared bool // a table also has files of other events
	rows     int64
}

// userTables returns the tables that are for events described by schemas.
func userTables(tables []string) map[string]bool {
	users := make(map[string]bool)
	for _, t := range tables {
		if _, own := schema.LookupTable(t); !own {
			users[t] = true
		}
	}
	return users
}

// eventViews writes the views of events described by schemas, one per event, but for hidden ones.
func (w *script) eventViews(ctx context.Context) (err error) {
	list := w.shapes.shapes.eventViews(w.taken)
	hidden := w.hidden(list)
	for _, v := range list {
		if !w.wants(v.name, true) {
			continue
		}
		read, wide := w.readTables(v.tables...), w.shapes.shapes.wideColumns(v.event)
		if len(wide) > 0 || v.isShared {
			if read, err = w.readWide(ctx, &v, wide); err != nil {
				return err
			}
		}
		if missing := w.missingColumns(&v); missing != "" {
			read = missing + unionByName + read
		}
		sql := w.withClock(read)
		if hidden[v.name] {
			w.userPayload(&v, "("+strings.TrimSuffix(sql, ";\n")+")")
			continue
		}
		w.defined[v.name] = true
		w.userPayload(&v, sqlQuoted(v.name))
		w.view(sqlQuoted(v.name), strings.Join(v.tables, ", "), " ", sql)
	}
	return nil
}

// maxEventViews bounds the views of events that views.sql has: DuckDB takes a millisecond for each when it reads
// the script. Its macro event reads the tables of the others.
const maxEventViews = 40

// hidden returns the views that views.sql does not have: those that other views read are left, and of the others those
// of the events that most rows are of.
func (w *script) hidden(list []eventView) map[string]bool {
	hidden := make(map[string]bool)
	if w.only != nil || len(list) <= w.MaxEvents {
		return hidden
	}
	named := maps.Clone(w.named)
	for _, view := range w.aliases.of {
		named[view] = true
	}
	others := slices.DeleteFunc(slices.Clone(list), func(v eventView) bool { return named[v.name] })
	slices.SortStableFunc(others, func(a, b eventView) int { return cmp.Compare(b.rows, a.rows) })
	for _, v := range others[min(len(others), w.MaxEvents):] {
		hidden[v.name] = true
	}
	return hidden
}

// missingColumns returns a SELECT without rows of the columns that the view of an event must have
// although its files may lack them: the common columns, if a part has only selected columns; and the
// columns that other views read, if no file has a form of the event with them. It is "" if there are
// none.
func (w *script) missingColumns(v *eventView) string {
	var list []schema.Column
	if slices.ContainsFunc(v.tables, func(t string) bool { return w.shapes.partial[t] }) {
		list = dataset.SharedColumns(v.event)
	}
	list = append(list, w.unrecorded(v)...)
	list = append(list, w.omittedColumns(v, list)...)
	if list == nil {
		return ""
	}
	return w.noRows(list)
}

// unrecorded returns the columns of an event by the catalogue that no file has.
func (w *script) unrecorded(v *eventView) []schema.Column {
	t := w.tableRead(v.name)
	if t == nil {
		return nil
	}
	shared, recorded := dataset.SharedColumns(v.event), w.shapes.shapes.columnNames(v.event)
	return slices.DeleteFunc(slices.Clone(t.Stored().Columns), func(c schema.Column) bool {
		return recorded[c.Name] || slices.ContainsFunc(shared, func(s schema.Column) bool { return s.Name == c.Name })
	})
}

// omittedColumns returns the columns that no file of an event has because of the selection, except those of
// a list: SQL may name columns that it does not need.
func (w *script) omittedColumns(v *eventView, list []schema.Column) (omitted []schema.Column) {
	recorded := w.shapes.shapes.columnNames(v.event)
	for _, c := range list {
		recorded[c.Name] = true
	}
	types := w.shapes.omitted[v.event]
	for _, name := range slices.Sorted(maps.Keys(types)) {
		forms := columnsOf(types[name])
		if recorded[name] || len(forms) == 0 {
			continue
		}
		c := widest(forms)
		c.Name = name
		omitted = append(omitted, c)
	}
	return omitted
}

// eventViews returns the views, by name. A view has the table name that most parts have; if
// two events would have one view name, both get their id as a suffix.
func (s tableShapes) eventViews(taken map[string]bool) []eventView {
	parts := make(map[schema.Identity]map[string]int) // by the name of the view
	rows := make(map[schema.Identity]int64)
	tables := make(map[schema.Identity][]string)
	events := make(map[string]map[schema.Identity]bool) // by table
	for key, shape := range s {
		if parts[key.event] == nil {
			parts[key.event] = make(map[string]int)
		}
		parts[key.event][schema.ViewName(key.table)] += shape.parts
		rows[key.event] += shape.rows
		tables[key.event] = append(tables[key.event], key.table)
		if events[key.table] == nil {
			events[key.table] = make(map[schema.Identity]bool)
		}
		events[key.table][key.event] = true
	}
	var views []eventView
	var named []schema.NamedEvent
	for _, event := range slices.SortedFunc(maps.Keys(parts), schema.Identity.Compare) {
		names := slices.SortedFunc(maps.Keys(parts[event]), func(a, b string) int {
			return cmp.Or(cmp.Compare(parts[event][b], parts[event][a]), cmp.Compare(a, b))
		})
		slices.Sort(tables[event])
		v := eventView{event: event, tables: slices.Compact(tables[event])}
		v.rows = rows[event]
		v.isShared = slices.ContainsFunc(v.tables, func(t string) bool { return len(events[t]) > 1 })
		views, named = append(views, v), append(named, schema.NamedEvent{Identity: event, Name: names[0]})
	}
	for i, name := range schema.DistinctNames(named, taken) {
		views[i].name = name
	}
	slices.SortFunc(views, func(a, b eventView) int { return cmp.Compare(a.name, b.name) })
	return views
}
