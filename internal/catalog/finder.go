package catalog

import (
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Finder finds the kinds and keys of events for one worker. It remembers kinds, and metadata of
// TraceLogging: most events have what one of the last events had.
type Finder struct {
	Catalog *Catalog
	recent  recentNumbers
	kinds   RecentKinds
}

// Place returns the index of the event's kind, or -1 if it is not listed.
func (f *Finder) Place(ev *decode.Event) int {
	if k := f.kinds.Find(ev); k != nil {
		return int(k.Place)
	}
	var key Key
	f.KeyOf(ev, &key)
	place := f.Catalog.Place(&key)
	if items, ok := steadyItems(ev); ok && place >= 0 {
		f.kinds.Keep(place, 0, false, items)
	}
	return place
}

// steadyItems returns the extended items of an event, if they say only of what kind it is.
func steadyItems(ev *decode.Event) (items []byte, ok bool) {
	if ev.Family != decode.FamilyEvent || ev.Header().Flags()&decode.EventFlagExtended == 0 {
		return nil, true
	}
	list := ev.Header().Items()
	for list.Next() {
		if list.Type != decode.ItemSchemaTL && list.Type != decode.ItemProviderTraits {
			return nil, false
		}
	}
	return ev.Raw[decode.EventHeaderSize:list.End()], list.Err() == nil
}

// KeyOf finds the key of an event.
func (f *Finder) KeyOf(ev *decode.Event, key *Key) {
	key.Of(ev)
	if ev.Family == decode.FamilyEvent && ev.Header().Flags()&decode.EventFlagExtended != 0 {
		key.Meta = f.recent.find(f.Catalog.metadata, ev.Header().TraceLogging())
	}
}

// recentNumbers are numbers that an interner gave to byte strings. To compare a string with
// one of them takes less time than its hash.
type recentNumbers [64]recentNumber

type recentNumber struct {
	of     string
	number uint32
}

// find returns the number of b, or 0 if it has none or is nil.
func (r *recentNumbers) find(n *interner, b []byte) uint32 {
	e := &r[recentPlace(b)]
	if e.number > 0 && e.of == string(b) && b != nil {
		return e.number
	}
	number := n.find(b)
	if number > 0 {
		*e = recentNumber{n.list[number-1], number}
	}
	return number
}

// recentPlace returns the place of b, by its length and some of its bytes.
func recentPlace(b []byte) uint64 {
	n := len(b)
	if n < 16 {
		return 0
	}
	h := binary.LittleEndian.Uint64(b[n-8:]) ^ binary.LittleEndian.Uint64(b[n/2:])*0x9e3779b97f4a7c15 ^ binary.LittleEndian.Uint64(b[n/4:])<<1
	h = (h ^ uint64(n)) * 0xff51afd7ed558ccd
	return h >> 58
}
