package absence

import (
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Need says which events give a table rows.
type Need struct {
	Table  string // its name in SQL
	Events []Event
	// Otherwise says, for a table without events, why it is empty.
	Otherwise string
}

// Event is an event that gives a table rows.
type Event struct {
	Name     string      // as tools show it: Thread/CSwitch, GC/Start
	Provider string      // "" for an event of the kernel's classes
	GUID     schema.GUID // of the provider or class
	ID       int         // event id or class type
	Hook     int         // of an event of the kernel's classes; -1 if it has none
	// Recorder is what records it: a flag of the kernel logger, or words about the session. It is ""
	// if no public source names it, and for events of providers.
	Recorder string
	Level    uint8
	Keyword  uint64
	Keywords []string // names of the bits of Keyword, the lowest first
}

// isFlag reports whether the recorder is a flag of the kernel logger.
func isFlag(recorder string) bool {
	return strings.HasPrefix(recorder, "EVENT_TRACE_FLAG_") || strings.HasPrefix(recorder, "PERF_")
}

// kernelEvents returns the events of the kernel's classes, by the SQL name of their tables.
var kernelEvents = sync.OnceValue(func() map[string][]Event {
	events := make(map[string][]Event)
	for _, t := range schema.KernelCatalog().Tables() {
		for _, literal := range t.Literals() {
			e := Event{Name: literal.Class + "/" + literal.Name, GUID: literal.GUID, ID: int(literal.Type), Hook: -1, Recorder: literal.EnabledBy}
			if literal.HasHook {
				e.Hook = int(literal.Hook)
			}
			if literal.Class == "StackWalk" {
				e.Recorder = stackTracing
			}
			if name := t.Table.ViewName(); !slices.ContainsFunc(events[name], func(o Event) bool { return o.ID == e.ID && o.Hook == e.Hook && o.Recorder == e.Recorder }) {
				events[name] = append(events[name], e)
			}
		}
	}
	return events
})

// NeedOf returns what a table needs for rows, given its name in SQL, or a name of its event, in lower
// case; nil if neither the kernel's catalogue nor the built-in one has the table.
func NeedOf(table string) *Need {
	need := &Need{Table: table, Events: kernelEvents()[table]}
	fixed, isFixed := fixedTables[table]
	switch {
	case need.Events != nil:
	case isFixed:
		need.Otherwise = fixed.otherwise
		for _, name := range fixed.kernel {
			need.Events = append(need.Events, kernelEvents()[name]...)
		}
		for _, of := range fixed.providers {
			need.Events = append(need.Events, providerEvents(of.guid, of.ids...)...)
		}
	default:
		if called := schema.FindTables(table, schema.Tables()); len(called) == 1 && called[0].IsPayload() {
			need.Events = kernelEvents()[called[0].ViewName()]
			break
		}
		known := catalog.KnownTables(table, catalog.IsBareEvent(table))
		if len(known) != 1 {
			return nil
		}
		need.Events = providerEvents(known[0].Event.GUID, int(known[0].Event.ID))
	}
	return need
}

// Text says which events give the table rows and what records them, or else why it is empty.
func (n *Need) Text() string {
	if len(n.Events) == 0 {
		return n.Otherwise
	}
	return needed(group(n.Events).byRecorder())
}

// providerEvents returns the events of a provider with these ids, by the built-in catalogue.
func providerEvents(guid schema.GUID, ids ...int) (events []Event) {
	provider, forms := catalog.KnownEvents(guid)
	for _, s := range forms {
		known := func(e Event) bool { return e.ID == int(s.ID) }
		if !slices.Contains(ids, int(s.ID)) || s.Classic || slices.ContainsFunc(events, known) {
			continue
		}
		events = append(events, Event{Name: s.DisplayName(), Provider: provider, GUID: guid, ID: int(s.ID), Hook: -1,
			Level: s.Level, Keyword: ownKeyword(s.Keyword), Keywords: s.Keywords})
	}
	return events
}

// ownKeyword returns the bits of a keyword that the provider defines: the upper 16 belong to Windows,
// which sets those of channels.
func ownKeyword(keyword uint64) uint64 { return keyword &^ (0xffff << 48) }
