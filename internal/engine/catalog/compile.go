package catalog

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Compile returns a catalogue of everything that the manifests, MOF files and TMF files describe,
// and the number of its events and providers. If several files describe an event, the first one
// wins.
func (s *Files) Compile() (file []byte, events, providers int, err error) {
	list := s.compiled()
	for i := range list {
		events += len(list[i].Events)
	}
	file, err = packed.Pack(list, nil)
	return file, events, len(list), err
}

func (s *Files) compiled() []packed.Provider {
	b := compiled{at: make(map[schema.GUID]int)}
	for _, f := range s.files {
		for _, id := range f.providers {
			if _, done := b.at[id]; !done {
				b.provider(s, id)
			}
		}
	}
	keys := make([]packed.Event, 0, len(s.messages))
	for _, m := range s.messages {
		keys = append(keys, packed.Event{Schema: m.schema})
	}
	slices.SortFunc(keys, func(a, b packed.Event) int { // the map has no order
		return a.GUID.Compare(b.GUID)<<17 + int(a.ID) - int(b.ID)
	})
	for _, ev := range keys {
		b.add(ev, ev.Class)
	}
	return b.list
}

// compiled are providers while they are collected.
type compiled struct {
	list []packed.Provider
	at   map[schema.GUID]int
}

// provider adds the events of a provider or class.
func (b *compiled) provider(s *Files, id schema.GUID) {
	for _, ev := range s.Events(id) {
		own := *ev.Schema
		if ev.MessageText != "" {
			own.Message = decode.ParseMessage(ev.MessageText, ev.Insert)
		}
		b.add(packed.Event{Schema: &own}, ev.Class)
	}
	for _, ev := range s.Classic(id) {
		b.add(packed.Event{Schema: ev.Schema, AnyVersion: ev.AnyVersion}, ev.Class)
	}
	if _, described := b.at[id]; described {
		return
	}
	for _, f := range s.of[id] { // a name is useful even without events
		if f.manifest == nil {
			continue
		}
		for i := range f.manifest.Providers {
			if p := &f.manifest.Providers[i]; p.GUID == id {
				b.named(id, p.Name)
				return
			}
		}
	}
}

func (b *compiled) add(ev packed.Event, name string) {
	p := b.named(ev.GUID, name)
	p.Events = append(p.Events, ev)
}

// named returns the provider with a GUID. If the provider is new, it gets the name.
func (b *compiled) named(id schema.GUID, name string) *packed.Provider {
	i, known := b.at[id]
	if !known {
		i = len(b.list)
		b.at[id] = i
		b.list = append(b.list, packed.Provider{GUID: id, Name: name})
	}
	return &b.list[i]
}
