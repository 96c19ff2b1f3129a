package catalog

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// maxLearned bounds the metadata kept from a trace, in bytes: in a hostile trace every
// event can have new metadata.
const maxLearned = 64 << 20

// Learned holds the descriptions of payloads that a part of the trace contains.
type Learned struct {
	metadata  interner // of TraceLogging
	records   interner // EventInfo and MapInfo records, by their bytes
	manifests manifest.Pieces
	recent    recentNumbers `snapshot:"-"` // of metadata
	bytes     int           // kept in metadata and records
	beyond    int64         // pieces of metadata beyond the limit
}

// interner numbers byte strings from 1, in the order of first appearance.
type interner struct {
	numbers map[string]uint32 `snapshot:"-"`
	list    []string
}

// find returns the number of b, or 0 if it has none or is nil.
func (n *interner) find(b []byte) uint32 {
	if b == nil { // nil means no metadata, which differs from empty metadata
		return 0
	}
	return n.numbers[string(b)]
}

func (n *interner) add(s string) uint32 {
	if n.numbers == nil {
		n.numbers = make(map[string]uint32)
	}
	n.list = append(n.list, s)
	n.numbers[s] = uint32(len(n.list))
	return uint32(len(n.list))
}

// keep returns the number of b in n. It adds b if there is room, else it returns 0.
func (l *Learned) keep(n *interner, b string) uint32 {
	if number, ok := n.numbers[b]; ok {
		return number
	}
	if !l.room(len(b)) {
		return 0
	}
	return n.add(b)
}

func (l *Learned) room(size int) bool {
	if l.bytes+size > maxLearned {
		l.beyond++
		return false
	}
	l.bytes += size
	return true
}

// TraceLogging returns the number of an event's TraceLogging metadata, or 0 if it has none.
func (l *Learned) TraceLogging(metadata []byte) uint32 {
	if number := l.recent.find(&l.metadata, metadata); number > 0 || metadata == nil {
		return number
	}
	return l.keep(&l.metadata, string(metadata))
}

// IsDescription reports whether events of a kind describe other events.
func IsDescription(key *Key) bool {
	switch key.Family {
	case decode.FamilyEvent:
		return key.ID == manifest.EventID
	case decode.FamilyEventTrace:
		return key.GUID == schema.EventMetadataClass && (key.ID == schema.EventInfoType || key.ID == schema.MapInfoType)
	}
	return false
}

// Note records an event if it describes other events.
func (l *Learned) Note(ev *decode.Event, key *Key) {
	switch {
	case !IsDescription(key):
	case key.Family == decode.FamilyEvent:
		h := ev.Header()
		l.manifests.Add(key.GUID, h.ProcessID(), h.ThreadID(), ev.Payload())
	default:
		l.keep(&l.records, string(append([]byte{byte(key.ID)}, ev.Payload()...)))
	}
}

// Describe is Note for an event of a provider, without its key.
func (l *Learned) Describe(ev *decode.Event) {
	if h := ev.Header(); h.Descriptor().ID == manifest.EventID {
		l.manifests.Add(h.ProviderID(), h.ProcessID(), h.ThreadID(), ev.Payload())
	}
}

// Merge adds the descriptions of a later part of the file. It returns the new numbers in l of that
// part's TraceLogging metadata.
func (l *Learned) Merge(later *Learned) (numbers []uint32) {
	numbers = make([]uint32, len(later.metadata.list)+1)
	for i, s := range later.metadata.list {
		numbers[i+1] = l.keep(&l.metadata, s)
	}
	for _, s := range later.records.list {
		l.keep(&l.records, s)
	}
	l.manifests.Merge(&later.manifests)
	l.beyond += later.beyond
	return numbers
}
