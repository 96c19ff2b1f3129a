package catalog

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Catalog knows the kinds of event of one trace: what describes their payloads,
// and the tables these go to. It is immutable once made.
type Catalog struct {
	types    *TypeCounter
	metadata *interner                      // of TraceLogging
	Kinds    []Kind                         // by the place of the type in types
	Tables   []*schema.EventTable           // of the kernel, then those of the trace's schemas
	names    map[schema.GUID]*schema.Schema // the first of a provider that says its name
}

// Kind is what is known of a kind of event.
type Kind struct {
	Number  int            // the place of the type in types, or, of one that is not listed, the number of types
	Literal schema.Literal // without an Event: nothing; without a Table: there are too many
	Source  schema.Source
	Schema  *schema.Schema // nil for what the kernel's tables describe
	Version uint8          // of the layout, as far as layouts tell versions apart
	Listed  bool           // event_types has the fields
}

// Name returns the name of the event, "" if it is not known.
func (k *Kind) Name() string {
	if k.Literal.Event == nil {
		return ""
	}
	return k.Literal.Event.Name
}

// DefaultMaxTables bounds how many tables there are for events that schemas
// describe, if nothing else is asked; what is beyond stays in the tables of
// headers.
const DefaultMaxTables = 4096

// New looks for what describes each kind of event. Events of the kernel's
// classes are described by the kernel's tables, whatever else there is: their
// tables are the same for every trace.
func New(types *TypeCounter, l *Learned, sources *Sources, found *problems.List, maxTables int) *Catalog {
	c := &Catalog{types: types, metadata: &l.metadata, Kinds: make([]Kind, len(types.List)), names: make(map[schema.GUID]*schema.Schema)}
	c.Tables = append(c.Tables, schema.KernelCatalog().Tables()...)
	names := types.providerNames()
	var described []schema.Described
	var of []int // of described, the kind
	for i := range types.List {
		t := &types.List[i]
		c.Kinds[i].Number, c.Kinds[i].Version = i, t.LayoutVersion()
		if literal, ok := t.KernelLiteral(); ok {
			c.Kinds[i].Literal, c.Kinds[i].Source = literal, schema.FromKernel
			continue
		}
		if s := sources.find(t, names[t.GUID]); s != nil {
			c.Kinds[i].Source, c.Kinds[i].Schema = s.Source, s
			if c.names[t.GUID] == nil && s.Class != t.GUID.String() {
				c.names[t.GUID] = s
			}
			described = append(described, schema.Described{Schema: s, Events: t.Events})
			of = append(of, i)
		}
	}
	sources.finish()
	tables, literals := schema.UserTables(described, len(c.Tables), maxTables)
	c.Tables = append(c.Tables, tables...)
	beyond := int64(0)
	for n, literal := range literals {
		c.Kinds[of[n]].Literal = literal
		if literal.Table == nil {
			beyond += described[n].Events
		}
	}
	c.listFields(found)
	if beyond > 0 {
		found.Trace(problems.Info, "tables_limit", beyond, "", "events of kinds beyond --max-tables (%d), or with too many columns, have no table of their own: their payloads are in the column fields of their header table", maxTables)
	}
	return c
}

// listFields decides of which kinds event_types has the fields: of the first ones,
// as many as there is room for.
func (c *Catalog) listFields(found *problems.List) {
	left, beyond := MaxFields, int64(0)
	for i := range c.Kinds {
		k := &c.Kinds[i]
		if k.Literal.Event == nil {
			continue
		}
		n := countFields(k.Literal.Event.Fields)
		if k.Listed = n <= left; !k.Listed {
			beyond++
			continue
		}
		left -= n
	}
	if beyond > 0 {
		found.Trace(problems.Info, "field_lists_limit", beyond, "", "event_types lists at most %d fields; it has none of these kinds of event", MaxFields)
	}
}

// EventTables returns the tables of events: those of headers by their family, then
// that of stacks, that of all events, then those of payloads in the order of Tables.
func (c *Catalog) EventTables() []*schema.Table {
	tables := append([]*schema.Table(nil), schema.HeaderTables()...)
	tables = append(tables, schema.Stacks, schema.EventsTable())
	for _, t := range c.Tables {
		tables = append(tables, t.Table)
	}
	return tables
}

// KeyOf finds the key of an event.
func (c *Catalog) KeyOf(ev *decode.Event, key *Key) {
	key.Of(ev)
	if ev.Family == decode.FamilyEvent && ev.Header().Flags()&decode.EventFlagExtended != 0 {
		key.Meta = c.metadata.find(ev.Header().TraceLogging())
	}
}

// Place returns the place of a kind of event among those of the trace, or -1 if
// it is not listed.
func (c *Catalog) Place(k *Key) int { return c.types.lookup(k) }

// Of returns what is known of a kind of event.
func (c *Catalog) Of(k *Key) *Kind {
	if i := c.Place(k); i >= 0 {
		return &c.Kinds[i]
	}
	literal, _ := k.KernelLiteral() // one of more kinds than are listed
	return &Kind{Number: len(c.Kinds), Literal: literal, Source: schema.FromKernel, Version: k.LayoutVersion()}
}

// Describes returns a schema that names a provider, nil if none does.
func (c *Catalog) Describes(provider schema.GUID) *schema.Schema {
	if c == nil { // it is being made
		return nil
	}
	return c.names[provider]
}
