package index

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Decoding counts the payloads that are read whole, in part and not at all, and lists the files
// that would describe the raw ones. In a conversion it counts the selected events, in a summary all
// events of the trace.
type Decoding struct {
	Events     int64 `json:"events"`
	NotDecoded int64 `json:"events_not_decoded"` // the same as payloads_raw
	Payloads
	Providers []ProviderDecoding `json:"providers"`          // with payloads that are not whole, most of these first, at most MaxListed
	Unlisted  int                `json:"unlisted_providers"` // further providers
	PDBs      []PDB              `json:"provider_pdbs"`      // of the session, if a TMF file would help; at most MaxListed
}

// ProviderDecoding counts the payloads of a provider that has some that are not whole.
type ProviderDecoding struct {
	ID         *string `json:"provider_id"`
	Name       *string `json:"provider_name"`
	Events     int64   `json:"events"`
	NotDecoded int64   `json:"events_not_decoded"` // the same as payloads_raw
	Payloads
	Help    []Help       `json:"help"`    // files for raw payloads; no file helps with the rest
	InParts []PartlyRead `json:"in_part"` // kinds of event with payloads in part, most of these first, at most MaxListed of all providers
}

// PartlyRead is a kind of event with payloads that are read in part, and the reason.
type PartlyRead struct {
	EventName string     `json:"event_name"`
	EventID   uint32     `json:"event_id"`
	Version   uint16     `json:"event_version"`
	Reason    PartReason `json:"reason"`
	Field     string     `json:"field"` // that is unstated or does not fit; "" if all fields fit
	Payloads  int64      `json:"payloads"`
	BytesRest int64      `json:"payload_bytes_rest"`
}

// PartReason is the reason why a payload is read in part.
type PartReason string

// The reasons. If payloads of a kind have several, the first in this list wins.
const (
	PartDamaged  PartReason = "damaged"       // the payload contradicts its description
	PartUnstated PartReason = "unstated"      // no source states the size, count or members of a field
	PartOlder    PartReason = "other_version" // the description is of an older version
	PartLonger   PartReason = "longer"        // there are bytes beyond the last field
)

// Help is a kind of file that would describe events.
type Help struct {
	Option string   `json:"option"` // the option that takes the file
	Kind   HelpFile `json:"kind"`   // of the file
	Events int64    `json:"events"` // number of events that it may describe
}

// HelpFile is a kind of file that describes events.
type HelpFile string

// The kinds of file that describe events.
const (
	Manifest HelpFile = "manifest" // an instrumentation manifest
	MOF      HelpFile = "mof"      // classes of classic events
	TMF      HelpFile = "tmf"      // formats of WPP messages
)

// helpFiles are the kinds of file with the options that take them, in the order in which help is
// listed.
var helpFiles = [...]Help{HelpFrom(Manifest, 0), HelpFrom(MOF, 0), HelpFrom(TMF, 0)}

// HelpFrom returns the help of a kind of file.
func HelpFrom(kind HelpFile, events int64) Help {
	option := "manifest"
	if kind == TMF {
		option = "tmf"
	}
	return Help{option, kind, events}
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
func helpFor(k *catalog.Key) HelpFile {
	switch {
	case k.Meta > 0 || !k.HasGUID:
		return ""
	case k.Family == decode.FamilyMessage:
		return TMF
	case k.Family == decode.FamilyEvent:
		return Manifest
	}
	return MOF
}

// Decoding adds up counts by provider.
func (x *Index) Decoding(t Tally) *Decoding {
	d := &Decoding{Providers: []ProviderDecoding{}, PDBs: []PDB{}}
	for _, p := range x.providerDecodings(t) {
		d.Events += p.Events
		d.Payloads.Add(&p.Payloads)
		if p.Raw+p.InPart == 0 {
			continue
		}
		p.NotDecoded = p.Raw
		p.Help = slices.DeleteFunc(p.Help, func(h Help) bool { return h.Events == 0 })
		d.Providers = append(d.Providers, p)
		if len(d.PDBs) == 0 && slices.ContainsFunc(p.Help, func(h Help) bool { return h.Kind == TMF }) {
			d.PDBs = x.pdbs()[:min(len(x.Session.PDBs), MaxListed)]
		}
	}
	for i := range d.PDBs {
		d.PDBs[i].Name = listedName(d.PDBs[i].Name)
	}
	d.NotDecoded = d.Raw
	slices.SortStableFunc(d.Providers, func(a, b ProviderDecoding) int { return cmp.Compare(b.Raw+b.InPart, a.Raw+a.InPart) })
	if d.Unlisted = max(0, len(d.Providers)-MaxListed); d.Unlisted > 0 {
		d.Providers = slices.Clone(d.Providers[:MaxListed])
	}
	left := MaxListed
	for i := range d.Providers {
		parts := &d.Providers[i].InParts
		slices.SortStableFunc(*parts, func(a, b PartlyRead) int { return cmp.Compare(b.Payloads, a.Payloads) })
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
func (x *Index) providerDecodings(t Tally) []ProviderDecoding {
	var list []ProviderDecoding
	at := make(map[schema.GUID]int)
	without := -1
	for _, p := range x.Providers() {
		if p.HasID {
			at[p.ID] = len(list)
		} else {
			without = len(list)
		}
		id, name := p.texts()
		list = append(list, ProviderDecoding{ID: id, Name: name, Help: slices.Clone(helpFiles[:]), InParts: []PartlyRead{}})
	}
	if without < 0 {
		without = len(list)
		list = append(list, ProviderDecoding{Help: slices.Clone(helpFiles[:]), InParts: []PartlyRead{}})
	}
	for i := range t {
		p, count := &list[without], &t[i]
		if i < len(x.Types) {
			k := &x.Types[i].Key
			if id, ok := k.Provider(); ok {
				p = &list[at[id]]
			}
			file := helpFor(k)
			if j := slices.IndexFunc(p.Help, func(h Help) bool { return h.Kind == file }); j >= 0 {
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
func (x *Index) partlyRead(kind int, count *KindCount) PartlyRead {
	t, k := &x.Types[kind], &x.Catalog.Kinds[kind]
	p := PartlyRead{EventName: listedName(k.Name()), EventID: t.ID, Version: t.Version, Payloads: count.InPart, BytesRest: count.BytesRest, Reason: PartLonger, Field: listedName(count.Field)}
	switch {
	case count.Damaged > 0:
		p.Reason = PartDamaged
	case count.Unstated > 0:
		p.Reason = PartUnstated
	case k.IsOlder(t.Version):
		p.Reason = PartOlder
	}
	return p
}

// pdbs returns the debug information that the session names.
func (x *Index) pdbs() []PDB {
	list := []PDB{}
	for _, pdb := range x.Session.PDBs {
		list = append(list, PDB{pdb.Name, pdb.GUID.String(), pdb.Age})
	}
	return list
}
