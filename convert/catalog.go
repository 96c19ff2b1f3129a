package convert

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Catalog knows the kinds of event of one trace: what describes their payloads,
// and the tables these go to. It is immutable once made.
type Catalog struct {
	types    *typeCounter
	metadata *interner                      // of TraceLogging
	kinds    []kind                         // by the place of the type in types
	tables   []*schema.EventTable           // of the kernel, then those of the trace's schemas
	names    map[schema.GUID]*schema.Schema // the first of a provider that says its name
}

// kind is what is known of a kind of event.
type kind struct {
	number  int            // the place of the type in types, or, of one that is not listed, the number of types
	literal schema.Literal // without an Event: nothing; without a Table: there are too many
	source  schema.Source
	schema  *schema.Schema // nil for what the kernel's tables describe
	version uint8          // of the layout, as far as layouts tell versions apart
	listed  bool           // event_types has the fields
}

// name returns the name of the event, "" if it is not known.
func (k *kind) name() string {
	if k.literal.Event == nil {
		return ""
	}
	return k.literal.Event.Name
}

// DefaultMaxTables bounds how many tables there are for events that schemas
// describe, if nothing else is asked; what is beyond stays in the tables of
// headers.
const DefaultMaxTables = 4096

// newCatalog looks for what describes each kind of event. Events of the kernel's
// classes are described by the kernel's tables, whatever else there is: their
// tables are the same for every trace.
func newCatalog(x *Index, sources *schemaSources, maxTables int) *Catalog {
	c := &Catalog{types: &x.types.typeCounter, metadata: &x.learned.metadata, kinds: make([]kind, len(x.Types)), names: make(map[schema.GUID]*schema.Schema)}
	c.tables = append(c.tables, schema.KernelCatalog().Tables()...)
	names := x.traitNames()
	var described []schema.Described
	var of []int // of described, the kind
	for i := range x.Types {
		t := &x.Types[i]
		c.kinds[i].number, c.kinds[i].version = i, t.layoutVersion()
		if literal, ok := t.kernelLiteral(); ok {
			c.kinds[i].literal, c.kinds[i].source = literal, schema.FromKernel
			continue
		}
		if s := sources.find(t, names[t.guid]); s != nil {
			c.kinds[i].source, c.kinds[i].schema = s.Source, s
			if c.names[t.guid] == nil && s.Class != t.guid.String() {
				c.names[t.guid] = s
			}
			described = append(described, schema.Described{Schema: s, Events: t.Events})
			of = append(of, i)
		}
	}
	sources.finish()
	tables, literals := schema.UserTables(described, len(c.tables), maxTables)
	c.tables = append(c.tables, tables...)
	beyond := int64(0)
	for n, literal := range literals {
		c.kinds[of[n]].literal = literal
		if literal.Table == nil {
			beyond += described[n].Events
		}
	}
	c.listFields(x)
	if beyond > 0 {
		x.Problems.Trace(problems.Info, "tables_limit", beyond, "", "there are more kinds of event than %d, or too many columns: these events' payloads are in the column fields of their header's table", maxTables)
	}
	return c
}

// listFields decides of which kinds event_types has the fields: of the first ones,
// as many as there is room for.
func (c *Catalog) listFields(x *Index) {
	left, beyond := maxFields, int64(0)
	for i := range c.kinds {
		k := &c.kinds[i]
		if k.literal.Event == nil {
			continue
		}
		n := countFields(k.literal.Event.Fields)
		if k.listed = n <= left; !k.listed {
			beyond++
			continue
		}
		left -= n
	}
	if beyond > 0 {
		x.Problems.Trace(problems.Info, "field_lists_limit", beyond, "", "event_types has %d fields in all; of these kinds of event it has none", maxFields)
	}
}

// eventTables returns the tables of events, by tableID.
func (c *Catalog) eventTables() []*schema.Table {
	tables := append([]*schema.Table(nil), schema.HeaderTables()...)
	tables = append(tables, schema.Stacks)
	for _, t := range c.tables {
		tables = append(tables, t.Table)
	}
	return tables
}

// key finds the key of an event.
func (c *Catalog) key(ev *decode.Event, key *typeKey) {
	key.of(ev)
	if ev.Family == decode.FamilyEvent && ev.Header().Flags()&decode.EventFlagExtended != 0 {
		key.meta = c.metadata.find(ev.Header().TraceLogging())
	}
}

// of returns what is known of a kind of event.
func (c *Catalog) of(k *typeKey) *kind {
	if i := c.types.lookup(k); i >= 0 {
		return &c.kinds[i]
	}
	literal, _ := k.kernelLiteral() // one of more kinds than are listed
	return &kind{number: len(c.kinds), literal: literal, source: schema.FromKernel, version: k.layoutVersion()}
}

// describes returns a schema that names a provider, nil if none does.
func (c *Catalog) describes(provider schema.GUID) *schema.Schema {
	if c == nil { // it is being made
		return nil
	}
	return c.names[provider]
}
