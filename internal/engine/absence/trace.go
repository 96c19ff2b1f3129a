package absence

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Trace is what a trace says about its recording.
type Trace struct {
	Name string
	// Flags are the names of the flags of the kernel logger that its session enabled, at its start or
	// its end; nil if the trace does not say it.
	Flags                   []string
	EventsLost, BuffersLost int64
	Kinds                   []Kind
}

// Kind is a kind of event in a trace.
type Kind struct {
	Provider schema.GUID // or class; zero if its header has none
	ID       int         // event id, type of a classic event, or hook
	IsHook   bool
	Header   string // its header table
	Table    string // the SQL name of the table with its payloads; "" if nothing decodes them
	Events   int64
}

// AddEvents adds the kinds of events that the trace has.
func (t *Trace) AddEvents(types []facts.EventTypeTotal) (err error) {
	for i := range types {
		e := &types[i]
		k := Kind{ID: int(e.EventID), IsHook: HasHooks(e.HeaderTable), Header: e.HeaderTable, Events: e.Events}
		if e.PayloadTable != nil {
			k.Table = schema.ViewName(*e.PayloadTable)
		}
		if e.ProviderID != nil {
			if k.Provider, err = schema.ParseGUID(*e.ProviderID); err != nil {
				return err
			}
		}
		t.Kinds = append(t.Kinds, k)
	}
	return nil
}

// HasHooks reports whether the ids of the events in a header table are hooks.
func HasHooks(headerTable string) bool {
	return headerTable == "system_trace_header" || headerTable == "perfinfo_trace_header"
}

// AddFlags adds the flags that the session enabled at its start or its end. An empty list says that it
// enabled none. The names may share memory with a batch.
func (t *Trace) AddFlags(names []string) {
	if t.Flags == nil {
		t.Flags = []string{}
	}
	for _, name := range names {
		if !slices.Contains(t.Flags, name) {
			t.Flags = append(t.Flags, strings.Clone(name))
		}
	}
}

// count returns the number of events of the trace that a need can be met by, and how many of them
// nothing decodes.
func (t *Trace) count(events []Event) (all, raw int64) {
	for _, k := range t.Kinds {
		if k.isOneOf(events) {
			all += k.Events
			if k.Table == "" {
				raw += k.Events
			}
		}
	}
	return all, raw
}

// isOneOf reports whether events of the kind are among those of a need.
func (k *Kind) isOneOf(events []Event) bool {
	return slices.ContainsFunc(events, func(e Event) bool {
		if k.IsHook {
			return e.Hook == k.ID
		}
		return e.GUID == k.Provider && e.ID == k.ID
	})
}

// withHeader returns the number of events in header tables.
func (t *Trace) withHeader(tables []string) (n int64) {
	for _, k := range t.Kinds {
		if slices.Contains(tables, k.Header) {
			n += k.Events
		}
	}
	return n
}

// EventsOf returns the number of events that give a table rows, by its name in SQL. known is false for a table of
// headers, as views read few of its events.
func (t *Trace) EventsOf(table string) (n int64, known bool) {
	fixed, isFixed := fixedTables[table]
	for _, k := range t.Kinds {
		isOf := k.Table == table || slices.Contains(fixed.kernel, k.Table)
		for _, of := range fixed.providers {
			isOf = isOf || k.Provider == of.guid && slices.Contains(of.ids, k.ID)
		}
		if isOf {
			n += k.Events
		}
		if k.Header == table {
			return 0, false
		}
	}
	return n, !isFixed || fixed.otherwise == ""
}

// ofProvider returns the number of events of a provider.
func (t *Trace) ofProvider(id schema.GUID) (n int64) {
	for _, k := range t.Kinds {
		if k.Provider == id && !k.IsHook {
			n += k.Events
		}
	}
	return n
}

// hasKernelEvents reports whether the trace has events of the kernel beside those with which the
// session describes itself.
func (t *Trace) hasKernelEvents() bool {
	return slices.ContainsFunc(t.Kinds, func(k Kind) bool { return k.IsHook && k.ID>>8 != 0 })
}
