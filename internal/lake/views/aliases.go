package views

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// aliases are views of tables under other names of their events, such as
// microsoft_windows_powershell_4104.
type aliases struct {
	of    map[string]string        // name of the view, by alias
	known map[string]*schema.Table // tables of the catalogue that the dataset lacks, by the name that a question has for them
}

// namedView is a view of an event with the names of the event.
type namedView struct {
	name   string
	events []schema.EventNames
}

// findAliases finds the events that a question calls by other names than those of their views, and
// adds their views to those that it needs. A name of several events is left to DuckDB, which reports
// that there is no such table.
func (w *script) findAliases() {
	w.aliases = aliases{make(map[string]string), make(map[string]*schema.Table)}
	if w.only == nil {
		recorded, _ := w.namedViews(false)
		w.aliasByID(recorded)
		return
	}
	recorded, absent := w.namedViews(true)
	taken := maps.Clone(w.only)
	for _, list := range [][]namedView{recorded, absent} {
		for _, v := range list {
			delete(taken, v.name)
		}
	}
	w.only = maps.Clone(w.only)
	delete(taken, EventFields)
	delete(taken, EventStacks)
	for _, name := range slices.Sorted(maps.Keys(taken)) {
		if own, found := schema.LookupTable(name); found && !own.IsPayload() || w.byName[name] != nil || strings.ContainsFunc(name, unicode.IsControl) {
			continue
		}
		view := called(name, recorded)
		if view == "" && w.eventTable(name) != nil { // see absentTables
			continue
		}
		if view == "" {
			view = called(name, absent)
		}
		if view != "" {
			w.aliases.of[name], w.only[view] = view, true
			continue
		}
		if found := catalog.KnownTables(name, catalog.IsBareEvent(name)); len(found) == 1 {
			w.aliases.known[name] = found[0]
		}
	}
}

// namedViews returns the views of the events that the dataset has and, if others is true, those of the
// kernel's other events.
func (w *script) namedViews(others bool) (recorded, absent []namedView) {
	tables := w.filledOwn()
	if others {
		tables = schema.Tables()
	}
	for _, t := range tables {
		isFilled := w.isFilled[t.Name]
		if !t.IsPayload() {
			continue
		}
		if v := (namedView{t.ViewName(), []schema.EventNames{t.EventNames()}}); isFilled {
			recorded = append(recorded, v)
		} else {
			absent = append(absent, v)
		}
	}
	for _, v := range w.shapes.shapes.eventViews(w.taken) {
		named := namedView{name: v.name}
		for _, t := range v.tables {
			named.events = append(named.events, schema.NamesOfTable(t, v.event))
		}
		recorded = append(recorded, named)
	}
	return recorded, absent
}

// called returns the only view whose event is called by a name, or "".
func called(name string, list []namedView) (view string) {
	for _, v := range list {
		if !slices.ContainsFunc(v.events, func(n schema.EventNames) bool { return n.Called(name) }) {
			continue
		}
		if view != "" {
			return ""
		}
		view = v.name
	}
	return view
}

// aliasByID adds, for each event that the dataset has, the name with its id, and the names of its tables
// in older datasets, unless another view has the name. Of too many events it adds only what views read.
func (w *script) aliasByID(recorded []namedView) {
	taken := make(map[string]bool)
	isAny := len(recorded) <= w.MaxEvents
	for _, v := range recorded {
		taken[v.name] = true
	}
	add := func(alias, view string) {
		switch of := w.aliases.of[alias]; {
		case alias == "" || !isAny && !w.named[alias] || taken[alias] || w.byName[alias] != nil || of == view:
		case of != "": // two events of the kernel can have one type, in different versions
			taken[alias] = true
			delete(w.aliases.of, alias)
		default:
			w.aliases.of[alias] = view
		}
	}
	for _, v := range recorded {
		for i := range v.events {
			add(v.events[i].Alias(), v.name)
			add(v.events[i].SQLName(), v.name)
		}
	}
}

// writeAliases writes the views of other names, once their views are written.
func (w *script) writeAliases() {
	if len(w.aliases.of) > 0 {
		w.WriteString("\n")
	}
	for _, alias := range slices.Sorted(maps.Keys(w.aliases.of)) {
		w.defined[alias] = true
		fmt.Fprintf(w, "CREATE OR REPLACE VIEW %s AS FROM %s;\n", sqlQuoted(alias), sqlQuoted(w.aliases.of[alias]))
	}
	for _, name := range slices.Sorted(maps.Keys(w.aliases.known)) {
		t := w.aliases.known[name]
		w.view(sqlQuoted(name), t.Doc, " "+w.noRows(t.WithTrace().Columns)+";\n")
	}
}
