package catalog

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// sharedNames are the names that a description gives to several events of a provider.
type sharedNames map[eventName]sharedName

// eventName is a name in the descriptions of one source.
type eventName struct {
	source   schema.Source
	provider schema.GUID
	classic  bool
	folder   string // the name as a folder, in lower case
}

// sharedName says whether several events have a name.
type sharedName struct {
	id       uint16 // of the first event
	isShared bool
}

func nameOf(s *schema.Schema) eventName {
	return eventName{s.Source, s.GUID, s.Classic, strings.ToLower(schema.FolderName(s.DisplayName()))}
}

// sharedNames returns the names that several events of a provider share. It looks at all events
// that the descriptions have for the providers: whether a table needs a suffix should depend as
// little as possible on the other events of the trace.
func (s *Sources) sharedNames(providers map[schema.GUID]bool) sharedNames {
	names := make(sharedNames)
	add := func(all iter.Seq[*schema.Schema]) {
		for known := range all {
			if providers[known.GUID] {
				names.add(known)
			}
		}
	}
	for _, d := range append(slices.Collect(maps.Values(s.ofInput)), s.own, s.siblings) {
		add(d.schemas)
	}
	add(maps.Values(s.fromFiles))
	add(maps.Values(s.anyVersion))
	for key, events := range s.catalogs.forms {
		if providers[key.provider] && s.catalogs.from[key] != s.catalogs.windows { // in the catalogue of Windows names are distinct
			names.add(events[0].Schema)
		}
	}
	return names
}

func (n sharedNames) add(s *schema.Schema) {
	key := nameOf(s)
	if before, ok := n[key]; ok {
		n[key] = sharedName{before.id, before.isShared || before.id != s.ID}
		return
	}
	n[key] = sharedName{id: s.ID}
}

// has reports whether the description gives the event's name to another event as well.
func (n sharedNames) has(s *schema.Schema) bool { return n[nameOf(s)].isShared }
