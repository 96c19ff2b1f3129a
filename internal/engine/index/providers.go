package index

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Provider is a provider or event class that wrote events.
type Provider struct {
	ID         schema.GUID
	HasID      bool   // false for events whose header has no provider
	Name       string // "" if unknown
	Group      schema.GUID
	NameSource string // traits, a schema.Source, built-in, ComponentName or ""
	EventTypes int64
	Events     int64
	facts.Payloads
	First, Last decode.Ticks
}

// texts returns the id and the name, nil if unknown.
func (p *Provider) texts() (id, name *string) {
	return unless(p.ID.String(), !p.HasID), unless(p.Name, p.Name == "")
}

// builtInName is the source of names that are built into the program.
const builtInName = "built-in"

// ComponentName is the source of the names of components, which are no providers: parts of
// programs that log WPP messages or classic events.
const ComponentName = "component"

// Names are the names of providers.
type Names struct{ names map[schema.GUID]string }

// Provider returns the name of a provider or class.
func (n *Names) Provider(id schema.GUID) (string, bool) {
	if name, ok := n.names[id]; ok {
		return name, true
	}
	return schema.ProviderName(id)
}

// Providers lists the providers and classes that wrote events of the trace, by GUID. Their
// payloads are counted if Count was called.
func (x *Index) Providers() []Provider {
	at := make(map[schema.GUID]int)
	without, counts := -1, x.Payloads()
	var list []Provider
	for i := range x.Types {
		t := &x.Types[i]
		id, ok := t.Provider()
		n, known := at[id]
		if !ok {
			n, known = without, without >= 0
		}
		if !known {
			n = len(list)
			list = append(list, Provider{ID: id, HasID: ok, First: decode.MaxTicks, Last: decode.MinTicks})
			if ok {
				at[id] = n
			} else {
				without = n
			}
		}
		p := &list[n]
		p.EventTypes++
		p.Events += t.Events
		if counts != nil {
			p.Payloads.Add(&counts[i].Payloads)
		}
		p.First, p.Last = min(p.First, t.First), max(p.Last, t.Last)
		p.learn(t.Traits)
	}
	for i := range list {
		p := &list[i]
		if p.Name != "" || !p.HasID {
			continue
		}
		if name, ok := schema.ProviderName(p.ID); ok {
			p.Name, p.NameSource = name, builtInName
		} else if s := x.Catalog.Describes(p.ID); s != nil {
			p.Name, p.NameSource = s.Class, s.Source.String()
		} else if name, isComponent := x.Catalog.CatalogName(p.ID); name != "" {
			p.Name, p.NameSource = name, schema.FromCatalog.String()
			if isComponent {
				p.NameSource = ComponentName
			}
		}
	}
	slices.SortFunc(list, func(a, b Provider) int {
		return cmp.Or(a.ID.Compare(b.ID), boolCompare(a.HasID, b.HasID))
	})
	return list
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// learn adopts the name and the group from provider traits, unless they are known.
func (p *Provider) learn(traits []byte) {
	if p.Name != "" || traits == nil {
		return
	}
	t, err := decode.ParseProviderTraits(traits)
	if err != nil || t.Name == "" { // nothing is lost: the row of the event has the raw traits
		return
	}
	p.Name, p.Group, p.NameSource = t.Name, t.Group, "traits"
}

// Names returns the names of providers that the trace contains.
func (x *Index) Names() *Names {
	n := &Names{names: make(map[schema.GUID]string)}
	for _, p := range x.Providers() {
		if p.Name != "" && p.NameSource != builtInName {
			n.names[p.ID] = p.Name
		}
	}
	return n
}
