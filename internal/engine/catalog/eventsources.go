package catalog

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
	"github.com/etl2parquet/etl2parquet/schema"
)

//go:embed eventsources.man
var eventSourcesManifest []byte

// eventSource is a provider with the tables of its events, under the names of one version of it.
type eventSource struct {
	packed.Entry
	events []*schema.Schema
	tables []*schema.Table
}

// eventSources returns the EventSources of .NET whose events views read. The trace describes their
// events; the tables here are those of a trace that lacks them.
var eventSources = sync.OnceValue(func() []eventSource {
	m, err := manifest.Parse(eventSourcesManifest, schema.FromCatalog)
	if err != nil {
		panic(err) // the text is wrong; a test checks it
	}
	var sources []eventSource
	for i := range m.Providers {
		p := &m.Providers[i]
		source := eventSource{Entry: packed.Entry{GUID: p.GUID, Name: p.Name}}
		var events []schema.Described
		for j := range p.Events {
			source.events = append(source.events, p.Events[j].Schema)
			events = append(events, schema.Described{Schema: p.Events[j].Schema})
		}
		tables, _ := schema.UserTables(events, 0, len(events))
		for _, t := range tables {
			source.tables = append(source.tables, t.Table)
		}
		sources = append(sources, source)
	}
	return sources
})

// eventSourceForms returns the forms of an event of the EventSources that views read.
func eventSourceForms(event schema.Identity) (forms []*schema.Schema) {
	for i := range eventSources() {
		for _, s := range eventSources()[i].events {
			if s.Identity() == event {
				forms = append(forms, s)
			}
		}
	}
	return forms
}

// addEventSources adds the tables of EventSources that have a name, and those of the events that are
// called so. Of the tables of one event, the first is the newest.
func addEventSources(exact, called []*schema.Table, name string, everywhere bool) (_, _ []*schema.Table) {
	for i := range eventSources() {
		source := &eventSources()[i]
		if !everywhere && !beginsWithProvider(name, &source.Entry) {
			continue
		}
		for _, t := range source.tables {
			n := t.EventNames()
			isOlder := slices.ContainsFunc(called, func(newer *schema.Table) bool {
				of := newer.EventNames()
				return of.Alias() == n.Alias()
			})
			if t.Named(name) {
				exact = append(exact, t)
			} else if n.Called(name) && !isOlder {
				called = append(called, t)
			}
		}
	}
	return exact, called
}

// KnownEvents returns the name and the events of a provider of Windows' catalogue, or of an EventSource
// of .NET whose events views read, the forms of one event together. The caller must not change them.
func KnownEvents(guid schema.GUID) (name string, events []*schema.Schema) {
	for i := range eventSources() {
		if source := &eventSources()[i]; source.GUID == guid {
			name, events = source.Name, append(events, source.events...)
		}
	}
	if name != "" {
		return name, events
	}
	p, err := windows.Catalog().Provider(guid)
	if err != nil {
		panic(err) // the catalogue is in the program; a test unpacks all of it
	}
	if p == nil {
		return "", nil
	}
	for i := range p.Events {
		events = append(events, p.Events[i].Schema)
	}
	return p.Name, events
}
