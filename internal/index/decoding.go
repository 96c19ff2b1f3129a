package index

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Decoding counts the events whose payload is decoded, and lists the files that would
// describe the others. In a conversion it counts the selected events, in a summary all
// events of the trace. An event without a payload counts as decoded.
type Decoding struct {
	Events     int64              `json:"events"`
	NotDecoded int64              `json:"events_not_decoded"` // no description of their payload is available
	Damaged    int64              `json:"payloads_damaged"`   // do not match their description; 0 in a summary, which reads no payloads
	Providers  []ProviderDecoding `json:"providers"`          // of the events above, most events first, at most MaxListed
	Unlisted   int                `json:"unlisted_providers"` // further providers
	PDBs       []PDB              `json:"provider_pdbs"`      // of the session, if a TMF file would help; at most MaxListed
}

// ProviderDecoding counts the events of a provider that are not decoded.
type ProviderDecoding struct {
	ID         *string `json:"provider_id"`
	Name       *string `json:"provider_name"`
	Events     int64   `json:"events"`
	NotDecoded int64   `json:"events_not_decoded"`
	Damaged    int64   `json:"payloads_damaged"`
	Help       []Help  `json:"help"` // files for events that are not decoded; for the other such events there is none
}

// Help is a kind of file that would describe events.
type Help struct {
	Flag   string   `json:"flag"`   // the flag that takes the file
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

// helpFiles are the kinds of file with their flags, in the order in which help is
// listed.
var helpFiles = [...]Help{{Flag: "--manifest", Kind: Manifest}, {Flag: "--manifest", Kind: MOF}, {Flag: "--tmf", Kind: TMF}}

// Bounds on the lists of a Decoding and the names in them, because commit records
// contain them and traces can be hostile. The tables providers and traces are complete.
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

// helpFor returns the kind of file that can describe a kind of event, or "": its
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

// KindCount counts the events of a kind.
type KindCount struct {
	Events, NotDecoded, Damaged int64
}

// Tally counts events by the number of their kind. The last element counts the events of
// unlisted kinds.
type Tally []KindCount

// add adds to the counts of a kind.
func (t Tally) add(kind int, c KindCount) {
	t[kind].Events += c.Events
	t[kind].NotDecoded += c.NotDecoded
	t[kind].Damaged += c.Damaged
}

// Merge adds the counts of others.
func (t Tally) Merge(other Tally) {
	for i := range other {
		t.add(i, other[i])
	}
}

// notDecoded returns the number of events of Types[i] that are not described.
func (x *Index) notDecoded(i int) int64 {
	if x.Catalog.Kinds[i].Literal.Event != nil {
		return 0
	}
	return x.Types[i].Events - x.Types[i].Empty
}

// Tally counts all events of the trace.
func (x *Index) Tally() Tally {
	t := make(Tally, len(x.Types)+1)
	for i := range x.Types {
		t[i] = KindCount{Events: x.Types[i].Events, NotDecoded: x.notDecoded(i)}
	}
	t[len(x.Types)] = KindCount{Events: x.UnlistedEvents, NotDecoded: x.types.Unlisted.NotDecoded}
	return t
}

// Decoding sums up counts by provider.
func (x *Index) Decoding(t Tally) *Decoding {
	d := &Decoding{Providers: []ProviderDecoding{}, PDBs: []PDB{}}
	for _, p := range x.providerDecodings(t) {
		d.Events += p.Events
		d.NotDecoded += p.NotDecoded
		d.Damaged += p.Damaged
		if p.NotDecoded+p.Damaged == 0 {
			continue
		}
		p.Help = slices.DeleteFunc(p.Help, func(h Help) bool { return h.Events == 0 })
		d.Providers = append(d.Providers, p)
		if len(d.PDBs) == 0 && slices.ContainsFunc(p.Help, func(h Help) bool { return h.Kind == TMF }) {
			d.PDBs = x.pdbs()[:min(len(x.Session.PDBs), MaxListed)]
		}
	}
	for i := range d.PDBs {
		d.PDBs[i].Name = listedName(d.PDBs[i].Name)
	}
	slices.SortStableFunc(d.Providers, func(a, b ProviderDecoding) int {
		return cmp.Compare(b.NotDecoded+b.Damaged, a.NotDecoded+a.Damaged)
	})
	if d.Unlisted = max(0, len(d.Providers)-MaxListed); d.Unlisted > 0 {
		d.Providers = slices.Clone(d.Providers[:MaxListed])
	}
	for i := range d.Providers {
		if name := d.Providers[i].Name; name != nil {
			d.Providers[i].Name = unless(listedName(*name), false)
		}
	}
	return d
}

// providerDecodings sums up counts by provider, each with help of every kind. The one
// without an id has the events without a provider, and those of unlisted kinds.
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
		list = append(list, ProviderDecoding{ID: id, Name: name, Help: slices.Clone(helpFiles[:])})
	}
	if without < 0 {
		without = len(list)
		list = append(list, ProviderDecoding{Help: slices.Clone(helpFiles[:])})
	}
	for i, count := range t {
		p := &list[without]
		if i < len(x.Types) {
			k := &x.Types[i].Key
			if id, ok := k.Provider(); ok {
				p = &list[at[id]]
			}
			file := helpFor(k)
			if j := slices.IndexFunc(p.Help, func(h Help) bool { return h.Kind == file }); j >= 0 {
				p.Help[j].Events += count.NotDecoded
			}
		}
		p.Events += count.Events
		p.NotDecoded += count.NotDecoded
		p.Damaged += count.Damaged
	}
	return list
}

// pdbs returns the debug information that the session names.
func (x *Index) pdbs() []PDB {
	list := []PDB{}
	for _, pdb := range x.Session.PDBs {
		list = append(list, PDB{pdb.Name, pdb.GUID.String(), pdb.Age})
	}
	return list
}
