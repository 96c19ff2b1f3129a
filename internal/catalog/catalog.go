package catalog

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Catalog has the kinds of event of a trace, with the descriptions and the tables of
// their payloads. It is immutable once made.
type Catalog struct {
	types    *TypeCounter
	metadata *interner                      // of TraceLogging
	Kinds    []Kind                         // by index of the type in types
	Tables   []*schema.EventTable           // the kernel's, then those of the trace's schemas
	names    map[schema.GUID]*schema.Schema // the first schema with the name of a provider
	catalogs *catalogs
}

// Kind is what is known of a kind of event.
type Kind struct {
	Number  int            // index of the type in types; for an unlisted kind, the number of types
	Literal schema.Literal // without an Event: no description; without a Table: too many tables
	Source  schema.Source
	Schema  *schema.Schema // nil if the kernel's tables describe the kind
	Version uint8          // of the layout
	Listed  bool           // event_types has the fields
	// Builds are the builds of Windows whose layout this is, of an event that a catalogue
	// of builds describes.
	Builds []int
	// Others have the layouts of other builds, for payloads that do not fit this one, in the
	// order in which they are tried.
	Others  []*Kind
	IsOther bool // this is one of those
	isNamed bool // the name is that of the catalogue of Windows, which no other event of the provider has
}

// Name returns the name of the event, or "".
func (k *Kind) Name() string {
	if k.Literal.Event == nil {
		return ""
	}
	return k.Literal.Event.Name
}

// DefaultMaxTables is the default limit on the tables of events that schemas describe.
// Events beyond it are only in header tables.
const DefaultMaxTables = 4096

// New finds the description of each kind of event. Events of the kernel's event classes
// are described by the kernel's tables even if there is another description, so that
// their tables are the same for every trace.
func New(types *TypeCounter, l *Learned, sources *Sources, found *problems.List, maxTables int) *Catalog {
	c := &Catalog{types: types, metadata: &l.metadata, Kinds: make([]Kind, len(types.List)), names: make(map[schema.GUID]*schema.Schema), catalogs: sources.catalogs}
	c.Tables = append(c.Tables, schema.KernelCatalog().Tables()...)
	names := types.providerNames()
	var described []schema.Described
	var of []*Kind // of each element of described
	providers := make(map[schema.GUID]bool)
	for i := range types.List {
		t := &types.List[i]
		c.Kinds[i].Number, c.Kinds[i].Version = i, t.LayoutVersion()
		if literal, ok := t.KernelLiteral(); ok {
			c.Kinds[i].Literal, c.Kinds[i].Source = literal, schema.FromKernel
			continue
		}
		s := sources.find(t, names[t.GUID])
		if s == nil {
			continue
		}
		k := &c.Kinds[i]
		k.Source, k.Schema, k.Builds, k.isNamed = s.Source, s.Schema, s.builds, s.isNamed
		if c.names[t.GUID] == nil && s.Class != t.GUID.String() {
			c.names[t.GUID] = s.Schema
		}
		described, of = append(described, schema.Described{Schema: s.Schema, Events: t.Events}), append(of, k)
		providers[s.GUID] = true
		for _, other := range s.others {
			o := &Kind{Number: i, Source: other.Source, Schema: other.Schema, Version: k.Version, Builds: other.builds, IsOther: true, isNamed: other.isNamed}
			k.Others = append(k.Others, o)
			described, of = append(described, schema.Described{Schema: other.Schema}), append(of, o)
		}
	}
	sources.finish()
	shared := sources.sharedNames(providers)
	for i := range described {
		described[i].Ambiguous = !of[i].isNamed && shared.has(described[i].Schema)
	}
	tables, literals := schema.UserTables(described, len(c.Tables), maxTables)
	c.Tables = append(c.Tables, tables...)
	beyond := int64(0)
	for n, literal := range literals {
		of[n].Literal = literal
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

// listFields selects the kinds whose fields event_types lists: the first ones, up to
// MaxFields fields.
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

// EventTables returns the tables of events: the header tables by family, the tables stacks
// and events, and the payload tables in the order of Tables.
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

// Place returns the index of a kind of event, or -1 if it is not listed.
func (c *Catalog) Place(k *Key) int { return c.types.lookup(k) }

// Of returns the kind of event with this key.
func (c *Catalog) Of(k *Key) *Kind {
	if i := c.Place(k); i >= 0 {
		return &c.Kinds[i]
	}
	literal, _ := k.KernelLiteral() // the kind is not listed
	return &Kind{Number: len(c.Kinds), Literal: literal, Source: schema.FromKernel, Version: k.LayoutVersion()}
}

// CatalogName returns the name that a catalogue has for a provider, class or group of
// messages, or "".
func (c *Catalog) CatalogName(provider schema.GUID) string {
	if c == nil { // the catalog is still being made
		return ""
	}
	return c.catalogs.providerName(provider)
}

// Describes returns a schema with the name of a provider, or nil.
func (c *Catalog) Describes(provider schema.GUID) *schema.Schema {
	if c == nil { // the catalog is still being made
		return nil
	}
	return c.names[provider]
}
