package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/eventinfo"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// traceDescriptions are the descriptions that one or several traces contain. The zero value has none.
type traceDescriptions struct {
	manifests map[schemaKey][]sent         // of one event those with most preference first
	records   map[schemaKey]*schema.Schema // EventInfo, which the merge tools wrote
	names     map[schema.GUID]string       // of the providers that logged a manifest; "" if it has none
	texts     []descriptionText            // that could be read

	inputs      []string // of other inputs: their names
	fingerprint string   // and that of the texts
}

// sent is the description of an event in a manifest.
type sent struct {
	*schema.Schema
	processes []uint32  // that logged the manifest
	from      KnownFrom // "" if it is where the other descriptions are from
}

func newTraceDescriptions() *traceDescriptions {
	return &traceDescriptions{manifests: make(map[schemaKey][]sent), records: make(map[schemaKey]*schema.Schema), names: make(map[schema.GUID]string)}
}

// readDescriptions reads the descriptions of traces. It reports what is wrong with them to found, and
// leaves out records that have no room.
func readDescriptions(l *Learned, found *problems.List, room func(*schema.Schema) bool) *traceDescriptions {
	d := newTraceDescriptions()
	d.readManifests(&l.manifests, found)
	d.readRecords(l.records.list, found, func(_ string, s *schema.Schema) {
		if key := keyOfSchema(s); d.records[key] == nil && room(s) {
			d.records[key] = s
		}
	})
	if n := l.beyond; n > 0 {
		found.Trace(facts.SeverityWarning, "schemas_limit", n, "", "the trace has more than %d MiB of metadata; events described by the rest are not decoded", maxLearned>>20)
	}
	return d
}

// readManifests reads the manifests that EventSources logged.
func (d *traceDescriptions) readManifests(pieces *manifest.Pieces, found *problems.List) {
	complete, incomplete := pieces.Assemble()
	for _, c := range complete {
		d.readManifest(c.Provider, c.XML, c.Processes, "", found)
	}
	for _, i := range incomplete {
		d.chunked(i.Provider, "")
		found.Trace(facts.SeverityInfo, "manifest_incomplete", 1, i.Provider.String(), "process %d logged only %d of the %d chunks of its manifest", i.Process, i.Chunks, i.Total)
	}
	if n := pieces.Invalid + pieces.Dropped; n > 0 {
		found.Trace(facts.SeverityInfo, "manifest_damaged", n, "", "invalid or surplus manifest chunks, ignored")
	}
}

// readManifest reads a manifest that processes logged.
func (d *traceDescriptions) readManifest(provider schema.GUID, xml []byte, processes []uint32, from KnownFrom, found *problems.List) {
	d.chunked(provider, "")
	m, err := manifest.Parse(xml, schema.FromEventSource)
	if err != nil {
		found.Trace(facts.SeverityInfo, "manifest_damaged", 1, provider.String(), "%v", err)
		return
	}
	for _, err := range m.Errors {
		found.Trace(facts.SeverityInfo, "manifest_damaged", 1, provider.String(), "%v", err)
	}
	d.texts = append(d.texts, descriptionText{provider: provider, text: string(xml)})
	had := make(map[schemaKey]bool) // by this manifest: the first description of an event counts
	for i := range m.Providers {
		d.chunked(provider, m.Providers[i].Name)
		for j := range m.Providers[i].Events {
			ev := &m.Providers[i].Events[j]
			own := withMessage(ev.Schema, ev.MessageText, ev.Insert)
			own.GUID = provider // the header's GUID wins over the one in the manifest
			if key := keyOfSchema(own); !had[key] {
				had[key] = true
				d.manifests[key] = append(d.manifests[key], sent{own, processes, from})
			}
		}
	}
}

// chunked records that a provider logged a manifest, and its first name there.
func (d *traceDescriptions) chunked(provider schema.GUID, name string) {
	d.names[provider] = cmp.Or(d.names[provider], name)
}

// readRecords reads the EventInfo and MapInfo records of the merge tools, and calls add for each event.
func (d *traceDescriptions) readRecords(list []string, found *problems.List, add func(record string, s *schema.Schema)) {
	maps := make(map[schema.GUID]map[string]*schema.Values)
	for _, record := range list {
		if record[0] != schema.MapInfoType {
			continue
		}
		provider, values, err := eventinfo.ParseMap([]byte(record[1:]))
		if err != nil {
			found.Trace(facts.SeverityInfo, "map_record_damaged", 1, provider.String(), "%v", err)
			continue
		}
		if values == nil {
			continue
		}
		d.texts = append(d.texts, descriptionText{provider, schema.MapInfoType, record})
		if maps[provider] == nil {
			maps[provider] = make(map[string]*schema.Values)
		}
		if maps[provider][values.Name] == nil {
			maps[provider][values.Name] = values
		}
	}
	for _, record := range list {
		if record[0] != schema.EventInfoType {
			continue
		}
		r, err := eventinfo.Parse([]byte(record[1:]))
		if err != nil {
			found.Trace(facts.SeverityInfo, "event_record_damaged", 1, "", "%v", err)
		}
		if r == nil {
			continue
		}
		eventinfo.Link(r.Fields, func(name string) *schema.Values { return maps[r.GUID][name] })
		d.texts = append(d.texts, descriptionText{r.GUID, schema.EventInfoType, record})
		add(record, withMessage(r.Schema, r.MessageText, r.Insert))
	}
}

// fingerprintOf returns the fingerprint of the texts.
func (d *traceDescriptions) fingerprintOf() string {
	slices.SortFunc(d.texts, func(a, b descriptionText) int { return a.compare(&b) })
	var all strings.Builder
	for i := range d.texts {
		all.WriteString(d.texts[i].text)
	}
	return fingerprintOf([]byte(all.String()))
}

// asFile returns the descriptions as those of a manifest and of a MOF file, with their providers and classes.
func (d *traceDescriptions) asFile() (m *manifest.Manifest, classes *mof.File, ids []schema.GUID) {
	of := make(map[schema.GUID]*manifest.Provider)
	for id, name := range d.names {
		of[id] = &manifest.Provider{GUID: id, Name: name}
	}
	classes = new(mof.File)
	isClass := make(map[schema.GUID]bool)
	add := func(s *schema.Schema) {
		if s.Classic {
			classes.Events = append(classes.Events, mof.Event{Schema: s})
			isClass[s.GUID] = true
			return
		}
		if of[s.GUID] == nil {
			of[s.GUID] = &manifest.Provider{GUID: s.GUID, Name: s.Class}
		}
		of[s.GUID].Events = append(of[s.GUID].Events, manifest.Event{Schema: s})
	}
	for _, list := range d.manifests {
		add(list[0].Schema)
	}
	for key, s := range d.records {
		if d.manifests[key] == nil {
			add(s)
		}
	}
	m = new(manifest.Manifest)
	for _, p := range of {
		slices.SortFunc(p.Events, func(a, b manifest.Event) int {
			return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Version, b.Version))
		})
		m.Providers = append(m.Providers, *p)
		isClass[p.GUID] = true
	}
	slices.SortFunc(m.Providers, func(a, b manifest.Provider) int { return a.GUID.Compare(b.GUID) })
	slices.SortFunc(classes.Events, func(a, b mof.Event) int {
		return cmp.Or(a.GUID.Compare(b.GUID), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Version, b.Version))
	})
	return m, classes, slices.SortedFunc(maps.Keys(isClass), schema.GUID.Compare)
}

// schemas returns all descriptions, in no order.
func (d *traceDescriptions) schemas(yield func(*schema.Schema) bool) {
	for _, list := range d.manifests {
		for _, one := range list {
			if !yield(one.Schema) {
				return
			}
		}
	}
	for _, s := range d.records {
		if !yield(s) {
			return
		}
	}
}
