package catalog

import (
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Finder finds the keys of events for one worker. It remembers metadata of TraceLogging: most
// events have what one of the last events had.
type Finder struct {
	Catalog *Catalog
	recent  recentNumbers
}

// KeyOf finds the key of an event.
func (f *Finder) KeyOf(ev *decode.Event, key *Key) {
	var metadata []byte
	if ev.Family == decode.FamilyEvent && ev.Header().Flags()&decode.EventFlagExtended != 0 {
		metadata = ev.Header().TraceLogging()
	}
	f.KeyWith(ev, metadata, key)
}

// KeyWith finds the key of an event whose TraceLogging metadata are at hand; nil is none.
func (f *Finder) KeyWith(ev *decode.Event, metadata []byte, key *Key) {
	key.Of(ev)
	if metadata != nil {
		key.Meta = f.recent.find(f.Catalog.metadata, metadata)
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
