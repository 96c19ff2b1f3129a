package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
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

// Kind is a kind of event with everything known about it.
type Kind struct {
	Number  int            // index of the type in types; for an unlisted kind, the number of types
	id      uint32         // of the key
	family  decode.Family  // of the key
	Literal schema.Literal // without an Event: no description; without a Table: too many tables
	Source  schema.Source
	Schema  *schema.Schema // nil if the kernel's tables describe the kind
	Version uint8          // of the layout
	Listed  bool           // event_types has the fields
	// Builds are the builds of Windows whose layout this is, of an event that a catalogue
	// of builds describes.
	Builds []int
	From   KnownFrom
	// Others have layouts that count as much, for payloads that do not fit this one, in the order
	// in which they are tried: of other builds of Windows, or of other manifests.
	Others  []*Kind
	IsOther bool // this is one of those: of another build, or of an older program
	// Shared has the fields that all these layouts begin with, for payloads that fit several of
	// them and where nothing decides.
	Shared *Kind
	// Weaker has the layout of a description that counts less, for payloads that fit none of these.
	Weaker *Kind
	// Processes has the kinds of the events of processes that sent a manifest of their own.
	Processes map[uint32]*Kind
	Varies    bool // not all payloads have this layout: see OfEvent and fits.Fitter.Choose
	// telling distinguishes this layout from others that a payload fits; nil if nothing does.
	telling *telling
	// Rendered is the message that events have as a text; nil if they have none, or none is
	// rendered.
	Rendered schema.Message
}

// Name returns the name of the event. Without a description it is the id, as the event's
// documentation writes it: hooks and header types are hexadecimal.
func (k *Kind) Name() string {
	switch {
	case k.Literal.Event != nil:
		return k.Literal.Event.Name
	case k.family == decode.FamilySystem || k.family == decode.FamilyPerfInfo:
		return fmt.Sprintf("0x%04X", k.id)
	case k.family == decode.FamilyOther:
		return fmt.Sprintf("0x%02X", k.id)
	}
	return strconv.FormatUint(uint64(k.id), 10)
}

// EventNames returns the names of the event. provider is the name of its provider or class.
func (k *Kind) EventNames(key *Key, provider string) schema.EventNames {
	if t := k.Literal.Table; t != nil && k.Source == schema.FromKernel {
		return t.Table.EventNames()
	}
	n := schema.EventNames{Provider: provider, GUID: key.GUID, Name: k.Name(), ID: int(key.ID), Hook: schema.NoID}
	switch key.Family {
	case decode.FamilySystem, decode.FamilyPerfInfo:
		n.GUID, _ = key.Provider()
		n.ID, n.Hook = int(key.ID&0xff), int(key.ID)
	case decode.FamilyOther:
		n.ID = schema.NoID
	}
	if k.Literal.Table != nil {
		n.Table = k.Literal.Table.Table.Name
	}
	return n
}

// IsOlder reports whether the description is, or may be, of an older version of the event than
// version. The kernel's tables say which version added a field, but not how long the layout stayed
// so.
func (k *Kind) IsOlder(version uint16) bool {
	if k.Schema != nil {
		return uint16(k.Schema.Version) < min(version, 0xff)
	}
	return uint16(k.Literal.Event.LastChange()) < version
}

// Limits on the tables of events that schemas describe: the default, and the largest that may be chosen. Events beyond
// are only in header tables, with their payloads in the column fields. DuckDB takes 3 ms of processor time for each table
// that a question about all events reads.
const (
	DefaultMaxTables = 300
	MostTables       = 4096
)

// New finds the description of each kind of event. Kernel event classes are described by the
// kernel's tables even if there is another description, so that their tables are the same for every
// trace.
func New(types *TypeCounter, l *Learned, sources *Sources, found *problems.List, maxTables int, messages MessageMode) *Catalog {
	c := &Catalog{types: types, metadata: &l.metadata, Kinds: make([]Kind, len(types.List)), names: make(map[schema.GUID]*schema.Schema), catalogs: sources.catalogs}
	c.Tables = append(c.Tables, schema.KernelCatalog().Tables()...)
	names := types.providerNames()
	all := described{messages: messages, providers: make(map[schema.GUID]bool)}
	for i := range types.List {
		t, k := &types.List[i], &c.Kinds[i]
		k.Number, k.id, k.family, k.Version = i, t.ID, t.Family, t.LayoutVersion()
		if literal, ok := t.KernelLiteral(); ok {
			k.Literal, k.Source = literal, schema.FromKernel
			continue
		}
		if d := sources.find(t, names[t.GUID]); d != nil {
			if c.names[t.GUID] == nil && d.Class != t.GUID.String() {
				c.names[t.GUID] = d.Schema
			}
			all.add(k, d, t.Events)
			d.addTo(k, func(d *description) *Kind { return all.other(k, d) })
		}
	}
	all.addKnown(sources.catalogs)
	sources.finish()
	beyond := c.makeTables(&all, sources.sharedNames(all.providers), maxTables)
	c.listFields(found, sources.maxFields)
	if beyond > 0 {
		found.Trace(facts.SeverityInfo, "tables_limit", beyond, "", "events of kinds beyond the limit on tables (%d), or with too many columns, have no table of their own: their payloads are in the column fields of their header table", maxTables)
	}
	return c
}

// described are the kinds of event that schemas describe.
type described struct {
	messages  MessageMode
	list      []schema.Described
	of        []*Kind // of each element of the list; nil if no event has the form
	named     []bool  // by the catalogue of Windows, as no other event of the provider is
	providers map[schema.GUID]bool
}

// add sets what a description says about a kind of event.
func (all *described) add(k *Kind, d *description, events int64) {
	k.Source, k.From, k.Schema, k.Builds, k.IsOther, k.telling = d.Source, d.from, d.Schema, d.builds, d.isOther, d.telling()
	if all.messages.renders(d.Schema) {
		k.Rendered = d.Message
	}
	all.list = append(all.list, schema.Described{Schema: d.Schema, Events: events, Rendered: k.Rendered != nil})
	all.of, all.named = append(all.of, k), append(all.named, d.isNamed)
	all.providers[d.GUID] = true
}

// other returns k with another layout.
func (all *described) other(k *Kind, d *description) *Kind {
	o := &Kind{Number: k.Number, id: k.id, family: k.family, Version: k.Version}
	all.add(o, d, 0)
	return o
}

// addTo adds the kinds of the forms for other payloads to that of a description.
func (d *description) addTo(k *Kind, kindOf func(*description) *Kind) {
	if d.shared != nil {
		k.Shared = kindOf(d.shared)
	}
	for _, other := range d.others {
		k.Others = append(k.Others, kindOf(other))
	}
	if d.weaker != nil {
		k.Weaker = kindOf(d.weaker)
		d.weaker.addTo(k.Weaker, kindOf)
	}
	kinds := make(map[*description]*Kind)
	for _, process := range slices.Sorted(maps.Keys(d.processes)) {
		own := d.processes[process]
		if kinds[own] == nil {
			kinds[own] = kindOf(own)
			own.addTo(kinds[own], kindOf)
		}
		if k.Processes == nil {
			k.Processes = make(map[uint32]*Kind)
		}
		k.Processes[process] = kinds[own]
	}
	k.Varies = k.Others != nil || k.Weaker != nil || k.Processes != nil
}

// OfEvent returns the kind of an event of this kind, by its process.
func (k *Kind) OfEvent(ev *decode.Event) *Kind {
	if k.Processes != nil {
		if own := k.Processes[ev.Header().ProcessID()]; own != nil {
			return own
		}
	}
	return k
}

// addKnown adds the other forms of the events that the catalogue of Windows knows, and of the
// EventSources that views read, so that the table of such an event has the same columns for every trace.
func (all *described) addKnown(c *catalogs) {
	seen := make(map[schema.Identity]bool)
	for i := range all.list { // without the forms that are added
		event := all.list[i].Identity()
		if seen[event] {
			continue
		}
		seen[event] = true
		forms := c.known[event]
		if c.windows != nil && all.list[i].Schema.Source == schema.FromEventSource {
			forms = slices.Concat(forms, eventSourceForms(event))
		}
		for _, s := range forms {
			for _, own := range knownForms(s) {
				all.list = append(all.list, schema.Described{Schema: own, Known: true})
				all.of, all.named = append(all.of, nil), append(all.named, true)
			}
		}
	}
}

// makeTables makes the tables of the kinds, and returns the number of events beyond the limit.
func (c *Catalog) makeTables(all *described, shared sharedNames, limit int) (beyond int64) {
	for i := range all.list {
		d := &all.list[i]
		d.Ambiguous = !all.named[i] && shared.has(d.Schema)
	}
	tables, literals := schema.UserTables(all.list, len(c.Tables), limit)
	c.Tables = append(c.Tables, tables...)
	for n, literal := range literals {
		if all.of[n] == nil {
			continue
		}
		all.of[n].Literal = literal
		if literal.Table == nil {
			beyond += all.list[n].Events
		}
	}
	return beyond
}

// listFields selects the kinds whose fields event_types lists: the first kinds, up to most fields.
func (c *Catalog) listFields(found *problems.List, most int) {
	left, beyond := most, int64(0)
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
		found.Trace(facts.SeverityInfo, "field_lists_limit", beyond, "", "event_types lists at most %d fields; it has none of these kinds of event", most)
	}
}

// EventTables returns the tables of events: the header tables by family, the tables
// stack_events, stacks and events, and the payload tables in the order of Tables.
func (c *Catalog) EventTables() []*schema.Table {
	tables := slices.Concat(schema.HeaderTables(), []*schema.Table{schema.StackEvents, schema.Stacks, schema.EventsTable()})
	tables = slices.Grow(tables, len(c.Tables))
	for _, t := range c.Tables {
		tables = append(tables, t.Table)
	}
	return tables
}

// KeyOf sets key to the key of an event.
func (c *Catalog) KeyOf(ev *decode.Event, key *Key) {
	key.Of(ev)
	if ev.Family == decode.FamilyEvent && ev.Header().Flags()&decode.EventFlagExtended != 0 {
		key.Meta = c.metadata.find(ev.Header().TraceLogging())
	}
}

// Place returns the index of a kind of event, or -1 if it is not listed.
func (c *Catalog) Place(k *Key) int { return c.types.lookup(k) }

// Key returns the key of the kind of event at a place.
func (c *Catalog) Key(place int) *Key { return &c.types.List[place].Key }

// Of returns the kind of event with this key.
func (c *Catalog) Of(k *Key) *Kind {
	if i := c.Place(k); i >= 0 {
		return &c.Kinds[i]
	}
	literal, _ := k.KernelLiteral() // the kind is not listed
	return &Kind{Number: len(c.Kinds), id: k.ID, family: k.Family, Literal: literal, Source: schema.FromKernel, Version: k.LayoutVersion()}
}

// CatalogName returns the name that a catalogue has for a provider, class or group of messages, or
// "". isComponent is true if it is the name of a component rather than a provider.
func (c *Catalog) CatalogName(provider schema.GUID) (name string, isComponent bool) {
	if c == nil { // the catalog is still being made
		return "", false
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
