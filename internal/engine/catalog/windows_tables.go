package catalog

import (
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
	"github.com/etl2parquet/etl2parquet/schema"
)

// KnownTables returns the tables of the events of Windows' catalogue, and of some EventSources of .NET,
// that a name means, with the columns of all forms of the events: see [schema.EventNames]. A name without its provider, such as
// GC/Start or 4104, is searched in all providers, which takes a second, if everywhere is true;
// otherwise it has no table. Later calls with the name take the tables from a cache; the caller must
// not change them.
func KnownTables(name string, everywhere bool) []*schema.Table {
	if schema.IsPattern(name) {
		return nil
	}
	key := knownKey{name, everywhere}
	known.Lock()
	defer known.Unlock()
	tables, found := known.tables[key]
	if !found {
		tables = findKnown(name, everywhere)
		if len(known.tables) >= maxKnown {
			clear(known.tables)
		}
		known.tables[key] = tables
	}
	return slices.Clip(tables)
}

// known has the tables of the names that were asked for last: each of a folder's traces asks for the
// same ones, and views for many of one provider.
var known = struct {
	sync.Mutex
	tables    map[knownKey][]*schema.Table
	providers map[schema.GUID][]schema.EventNames
}{tables: make(map[knownKey][]*schema.Table), providers: make(map[schema.GUID][]schema.EventNames)}

type knownKey struct {
	name       string
	everywhere bool
}

// The bounds of known.
const (
	maxKnown     = 256
	maxProviders = 16
)

func findKnown(name string, everywhere bool) []*schema.Table {
	c := windows.Catalog()
	var exact, called []*schema.Table
	isOfProvider := false
	for i := range c.Entries() {
		if e := &c.Entries()[i]; e.Events > 0 && beginsWithProvider(name, e) {
			isOfProvider = true
			exact, called = addCalled(exact, called, name, c, e)
		}
	}
	for i := range c.Entries() {
		if e := &c.Entries()[i]; everywhere && !isOfProvider && e.Events > 0 {
			exact, called = addCalled(exact, called, name, c, e)
		}
	}
	exact, called = addEventSources(exact, called, name, everywhere && !isOfProvider)
	if exact != nil {
		return exact
	}
	return called
}

// IsBareEvent reports whether a name that needs quotes in SQL can be that of an event without its
// provider, such as "GC/Start" or "4104": other names are mostly those of files, or of parts of the
// question, and it takes a second to search for an event in all providers.
func IsBareEvent(name string) bool {
	return strings.Trim(name, "0123456789") == "" || strings.Contains(name, "/") && !strings.Contains(name, ".")
}

// beginsWithProvider reports whether a name of an event may begin with the name, folder or GUID of a
// provider, as in SQL or before a slash.
func beginsWithProvider(name string, e *packed.Entry) bool {
	name = strings.TrimPrefix(strings.ToLower(name), schema.EventsFolder)
	if of, _, ok := strings.Cut(name, "/"); ok {
		if id, err := schema.ParseGUID(schema.WithoutBraces(of)); err == nil {
			return id == e.GUID
		}
	}
	for _, beginning := range beginningsOf(e.Name) {
		if strings.HasPrefix(name, beginning) {
			return true
		}
	}
	return false
}

// beginnings has what beginningsOf returns, by name of a provider: each name of a question asks for all of them.
var beginnings sync.Map

// beginningsOf returns how the names of a provider's events begin, in lower case.
func beginningsOf(provider string) []string {
	if list, found := beginnings.Load(provider); found {
		return list.([]string)
	}
	folder := schema.FolderName(provider)
	list := []string{strings.ToLower(provider) + "/", strings.ToLower(folder) + "/", schema.ViewName(folder) + "_"}
	beginnings.Store(provider, list)
	return list
}

// addCalled adds the tables of the provider's events that have a name, and those of the events that
// are called so.
func addCalled(exact, called []*schema.Table, name string, c *packed.Catalog, e *packed.Entry) (_, _ []*schema.Table) {
	p, err := c.Provider(e.GUID)
	if err != nil {
		panic(err) // the catalogue is in the program; a test unpacks all of it
	}
	names, found := known.providers[p.GUID]
	if !found {
		for i := range p.Events {
			names = append(names, EventNames(p.Events[i].Schema))
		}
		if len(known.providers) >= maxProviders {
			clear(known.providers)
		}
		known.providers[p.GUID] = names
	}
	// Events of other tables have no say in the names of those that may be called so. It costs much less to find
	// a table by its own name.
	var alike []string
	for i := range names {
		if n := (schema.Table{Name: names[i].Table}); n.Named(name) {
			alike = append(alike, names[i].Table)
		}
	}
	if alike == nil {
		for i := range names {
			if names[i].Called(name) {
				alike = append(alike, names[i].Table)
			}
		}
	}
	tables := tablesOf(p, func(i int) bool {
		return slices.ContainsFunc(alike, func(table string) bool { return strings.EqualFold(table, names[i].Table) })
	})
	for _, t := range tables {
		n := t.EventNames()
		if t.Named(name) {
			exact = append(exact, t)
		} else if n.Called(name) {
			called = append(called, t)
		}
	}
	return exact, called
}

// EventNames returns the names of an event that a schema describes. Its table is the one that the event
// has if no other table has the name.
func EventNames(s *schema.Schema) schema.EventNames {
	n := schema.EventNames{Provider: s.Class, GUID: s.GUID, Name: s.DisplayName(), ID: int(s.ID), Hook: schema.NoID}
	n.Table = schema.EventsFolder + schema.FolderName(s.Class) + "/" + schema.FolderName(n.Name)
	return n
}

// tablesOf returns the tables of those of a provider's events, by their places, that are wanted.
func tablesOf(p *packed.Provider, isWanted func(int) bool) []*schema.Table {
	var events []schema.Described
	for i := range p.Events {
		if !isWanted(i) {
			continue
		}
		for _, own := range knownForms(p.Events[i].Schema) {
			events = append(events, schema.Described{Schema: own})
		}
	}
	tables, _ := schema.UserTables(events, 0, len(events))
	list := make([]*schema.Table, 0, len(tables))
	for _, t := range tables {
		list = append(list, t.Table)
	}
	return list
}

// knownForms returns the forms that an event has where the catalogue of Windows has s, as real
// payloads have them. The caller may change them.
func knownForms(s *schema.Schema) []*schema.Schema {
	f := correct(keyOfSchema(s), &form{Schema: s})
	forms := []*schema.Schema{f.Schema}
	for _, other := range f.others {
		forms = append(forms, other.Schema)
	}
	for i, one := range forms {
		own := *one
		forms[i] = &own
	}
	return forms
}
