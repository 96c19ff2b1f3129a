package manifest

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// provider is a provider being read.
type provider struct {
	*reader
	Provider
	levels, tasks, opcodes, keywords, channels *table
	ownOpcodes                                 map[string]*table // the opcodes of a task, by its name
	maps                                       map[string]*valueMap
	elements                                   map[string]*element   // templates by id
	templates                                  map[*element]template // the ones that events use
}

func (r *reader) provider(e *element) {
	id, err := schema.ParseGUID(strings.TrimSpace(e.get("guid")))
	if err != nil {
		r.fail(e.pos, "provider %s: %w", quote(e.get("name")), err)
		return
	}
	p := &provider{
		reader:     r,
		Provider:   Provider{GUID: id, Name: cmp.Or(strings.TrimSpace(e.get("name")), e.get("symbol"), id.String())},
		levels:     r.table(e, "level", "value", 8, predefinedLevels),
		tasks:      r.table(e, "task", "value", 16, predefinedTasks),
		opcodes:    r.table(e, "opcode", "value", 8, predefinedOpcodes),
		keywords:   r.table(e, "keyword", "mask", 64, predefinedKeywords),
		channels:   r.channels(e),
		ownOpcodes: make(map[string]*table),
		maps:       make(map[string]*valueMap),
		elements:   make(map[string]*element),
		templates:  make(map[*element]template),
	}
	for _, c := range e.children {
		switch c.name {
		case "task":
			if name := c.get("name"); p.ownOpcodes[name] == nil && len(c.children) > 0 {
				p.ownOpcodes[name] = r.table(c, "opcode", "value", 8, predefinedOpcodes)
			}
		case "valueMap", "bitMap":
			if name := c.get("name"); p.maps[name] == nil {
				p.maps[name] = r.valueMap(c)
			}
		case "patternMap":
			if name := c.get("name"); p.maps[name] == nil {
				p.maps[name] = patternMap(name)
			}
		case "template":
			if id := c.get("tid"); p.elements[id] == nil {
				p.elements[id] = c
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.maps)) {
		p.Maps = append(p.Maps, p.maps[name].values)
	}
	p.readEvents(e.childrenOf("event"))
	r.manifest.Providers = append(r.manifest.Providers, p.Provider)
}

// keywordsOf returns the mask of an event's keywords and their names, lowest bit
// first.
func (p *provider) keywordsOf(e *element) (mask uint64, labels []string) {
	var all []named
	for _, name := range strings.Fields(e.get("keywords")) {
		n, ok := p.keywords.byName[name]
		if !ok {
			n, ok = predefinedKeywords.byName[predefinedKey(name)]
		}
		if ok {
			if n.value&^mask != 0 {
				all = append(all, n)
				mask |= n.value
			}
			continue
		}
		bits, err := number(name, 64)
		if err != nil {
			p.fail(e.pos, "keyword of event %s: %s is not defined", quote(e.get("value")), quote(name))
			continue
		}
		all = append(all, p.bits(bits&^mask)...)
		mask |= bits
	}
	slices.SortStableFunc(all, func(a, b named) int { return cmp.Compare(a.value, b.value) })
	for _, n := range all {
		labels = append(labels, n.label)
	}
	return mask, labels
}

// bits returns the keywords for the single bits of a mask.
func (p *provider) bits(mask uint64) []named {
	var all []named
	for ; mask != 0; mask &= mask - 1 {
		bit := mask & -mask
		n, ok := p.keywords.byValue[bit]
		if !ok {
			n, ok = predefinedKeywords.byValue[bit]
		}
		if ok {
			all = append(all, n)
		}
	}
	return all
}
