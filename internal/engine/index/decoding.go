package index

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// helpFiles are the kinds of file with the options that take them, in the order in which help is
// listed.
var helpFiles = [...]facts.Help{HelpFrom(facts.Manifest, 0), HelpFrom(facts.MOF, 0), HelpFrom(facts.TMF, 0)}

// HelpFrom returns the help of a kind of file.
func HelpFrom(kind facts.HelpFile, events int64) facts.Help {
	option := "manifest"
	if kind == facts.TMF {
		option = "tmf"
	}
	return facts.Help{Option: option, Kind: kind, Events: events}
}

// Bounds on the lists of a Decoding and the names in them, because commit records contain them and
// traces can be hostile. The tables providers and traces are complete.
const (
	MaxListed     = 100
	maxListedName = 256 // characters
)

// listedName returns a name cut to the bound of lists.
func listedName(name string) string {
	if utf8.RuneCountInString(name) <= maxListedName {
		return name
	}
	return string([]rune(name)[:maxListedName-len("...")]) + "..."
}

// helpFor returns the kind of file that can describe a kind of event. It returns "" if the
// description is in the events themselves, or not public.
func helpFor(k *catalog.Key) facts.HelpFile {
	switch {
	case k.Meta > 0 || !k.HasGUID:
		return ""
	case k.Family == decode.FamilyMessage:
		return facts.TMF
	case k.Family == decode.FamilyEvent:
		return facts.Manifest
	}
	return facts.MOF
}

// Decoding adds up counts by provider.
func (x *Index) Decoding(t Tally) *facts.Decoding {
	d := &facts.Decoding{Providers: []facts.ProviderDecoding{}, PDBs: []facts.PDB{}}
	for _, p := range x.providerDecodings(t) {
		d.Events += p.Events
		d.Payloads.Add(&p.Payloads)
		if p.Raw+p.InPart == 0 {
			continue
		}
		p.NotDecoded = p.Raw
		p.Help = slices.DeleteFunc(p.Help, func(h facts.Help) bool { return h.Events == 0 })
		d.Providers = append(d.Providers, p)
		if len(d.PDBs) == 0 && slices.ContainsFunc(p.Help, func(h facts.Help) bool { return h.Kind == facts.TMF }) {
			d.PDBs = x.pdbs()[:min(len(x.Session.PDBs), MaxListed)]
		}
	}
	for i := range d.PDBs {
		d.PDBs[i].Name = listedName(d.PDBs[i].Name)
	}
	d.NotDecoded = d.Raw
	slices.SortStableFunc(d.Providers, func(a, b facts.ProviderDecoding) int { return cmp.Compare(b.Raw+b.InPart, a.Raw+a.InPart) })
	if d.Unlisted = max(0, len(d.Providers)-MaxListed); d.Unlisted > 0 {
		d.Providers = slices.Clone(d.Providers[:MaxListed])
	}
	left := MaxListed
	for i := range d.Providers {
		parts := &d.Providers[i].InParts
		slices.SortStableFunc(*parts, func(a, b facts.PartlyRead) int { return cmp.Compare(b.Payloads, a.Payloads) })
		*parts = (*parts)[:min(len(*parts), left)]
		left -= len(*parts)
		if name := d.Providers[i].Name; name != nil {
			d.Providers[i].Name = unless(listedName(*name), false)
		}
	}
	return d
}

// providerDecodings adds up counts by provider, each with help of every kind. The element without
// an id has the events without a provider, and those of unlisted kinds.
func (x *Index) providerDecodings(t Tally) []facts.ProviderDecoding {
	var list []facts.ProviderDecoding
	at := make(map[schema.GUID]int)
	without := -1
	for _, p := range x.Providers() {
		if p.HasID {
			at[p.ID] = len(list)
		} else {
			without = len(list)
		}
		id, name := p.texts()
		list = append(list, facts.ProviderDecoding{ID: id, Name: name, Help: slices.Clone(helpFiles[:]), InParts: []facts.PartlyRead{}})
	}
	if without < 0 {
		without = len(list)
		list = append(list, facts.ProviderDecoding{Help: slices.Clone(helpFiles[:]), InParts: []facts.PartlyRead{}})
	}
	for i := range t {
		p, count := &list[without], &t[i]
		if i < len(x.Types) {
			k := &x.Types[i].Key
			if id, ok := k.Provider(); ok {
				p = &list[at[id]]
			}
			file := helpFor(k)
			if j := slices.IndexFunc(p.Help, func(h facts.Help) bool { return h.Kind == file }); j >= 0 {
				p.Help[j].Events += count.Raw
			}
			if count.InPart > 0 {
				p.InParts = append(p.InParts, x.partlyRead(i, count))
			}
		}
		p.Events += count.Events
		p.Payloads.Add(&count.Payloads)
	}
	return list
}

// partlyRead describes a kind of event that has payloads in part.
func (x *Index) partlyRead(kind int, count *KindCount) facts.PartlyRead {
	t, k := &x.Types[kind], &x.Catalog.Kinds[kind]
	p := facts.PartlyRead{EventName: listedName(k.Name()), EventID: t.ID, Version: t.Version, Payloads: count.InPart, BytesRest: count.BytesRest, Reason: facts.PartLonger, Field: listedName(count.Field)}
	switch {
	case count.Damaged > 0:
		p.Reason = facts.PartDamaged
	case count.Unstated > 0:
		p.Reason = facts.PartUnstated
	case k.IsOlder(t.Version):
		p.Reason = facts.PartOlder
	}
	return p
}

// pdbs returns the debug information that the session names.
func (x *Index) pdbs() []facts.PDB {
	list := []facts.PDB{}
	for _, pdb := range x.Session.PDBs {
		list = append(list, facts.PDB{Name: pdb.Name, GUID: pdb.GUID.String(), Age: pdb.Age})
	}
	return list
}
