package catalog

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Finder finds the kinds and keys of events for one worker. It caches kinds and TraceLogging
// metadata, because most events repeat those of a recent event.
type Finder struct {
	Catalog *Catalog
	recent  recentNumbers
	kinds   RecentKinds
	lists   [][]byte          // of extended items
	numbers map[string]uint16 // of them
	size    int               // bytes of them
}

// Found is what a finder knows about an event.
type Found struct {
	Place int32  // the index of its kind, or -1 if the kind is not listed
	Items uint16 // the number of its extended items, or 0; see Finder.Items
}

// Find finds the kind of an event.
func (f *Finder) Find(ev *decode.Event) Found {
	if k := f.kinds.Find(ev); k != nil {
		return Found{k.Place, k.Items}
	}
	var key Key
	f.KeyOf(ev, &key)
	found := Found{Place: int32(f.Catalog.Place(&key))}
	if items, ok := steadyItems(ev); ok && found.Place >= 0 {
		found.Items = f.number(items)
		f.kinds.Keep(Recent{Place: found.Place, Items: found.Items}, items)
	}
	return found
}

// Items returns the extended items that have a number. They are only TraceLogging metadata and the
// provider's traits, each at most once: the items that many events share.
func (f *Finder) Items(number uint16) []byte { return f.lists[number-1] }

// maxItems bounds the bytes of the items that have a number. There are at most math.MaxUint16
// numbers.
const maxItems = 1 << 20

// number returns the number of extended items. If they are new, it assigns one, if there is room.
func (f *Finder) number(items []byte) uint16 {
	if len(items) == 0 {
		return 0
	}
	number := f.numbers[string(items)]
	if number == 0 && f.size+len(items) <= maxItems && len(f.lists) < math.MaxUint16 {
		if f.numbers == nil {
			f.numbers = make(map[string]uint16)
		}
		f.lists, f.size = append(f.lists, bytes.Clone(items)), f.size+len(items)
		number = uint16(len(f.lists))
		f.numbers[string(items)] = number
	}
	return number
}

// steadyItems returns the extended items of an event if they depend only on its kind and its
// provider.
func steadyItems(ev *decode.Event) (items []byte, ok bool) {
	if ev.Family != decode.FamilyEvent || ev.Header().Flags()&decode.EventFlagExtended == 0 {
		return nil, true
	}
	list := ev.Header().Items()
	var metadata, traits int
	for list.Next() {
		switch list.Type {
		case decode.ItemSchemaTL:
			metadata++
		case decode.ItemProviderTraits:
			traits++
		default:
			return nil, false
		}
	}
	return ev.Raw[decode.EventHeaderSize:list.End()], metadata <= 1 && traits <= 1 && list.Err() == nil
}

// KeyOf sets key to the key of an event.
func (f *Finder) KeyOf(ev *decode.Event, key *Key) {
	key.Of(ev)
	if ev.Family == decode.FamilyEvent && ev.Header().Flags()&decode.EventFlagExtended != 0 {
		key.Meta = f.recent.find(f.Catalog.metadata, ev.Header().TraceLogging())
	}
}

// recentNumbers caches numbers that an interner gave to byte strings. Comparing a string with a
// cached one is faster than hashing it.
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

// recentPlace returns the slot of b, from its length and some of its bytes.
func recentPlace(b []byte) uint64 {
	n := len(b)
	if n < 16 {
		return 0
	}
	h := binary.LittleEndian.Uint64(b[n-8:]) ^ binary.LittleEndian.Uint64(b[n/2:])*0x9e3779b97f4a7c15 ^ binary.LittleEndian.Uint64(b[n/4:])<<1
	h = (h ^ uint64(n)) * 0xff51afd7ed558ccd
	return h >> 58
}
