package catalog

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// maxLearned bounds the bytes of metadata that are kept of a trace: a hostile
// one may have new metadata in every event.
const maxLearned = 64 << 20

// Learned is what a part of the trace says about the payloads of events.
type Learned struct {
	metadata  interner // of TraceLogging
	records   interner // EventInfo and MapInfo records, by their bytes
	manifests manifest.Pieces
	bytes     int   // kept of the others
	beyond    int64 // pieces of metadata that were not
}

// interner numbers byte strings from 1 on, in the order they first come.
type interner struct {
	numbers map[string]uint32
	list    []string
}

// find returns the number of b, or 0 if it has none.
func (n *interner) find(b []byte) uint32 { return n.numbers[string(b)] }

func (n *interner) add(s string) uint32 {
	if n.numbers == nil {
		n.numbers = make(map[string]uint32)
	}
	n.list = append(n.list, s)
	n.numbers[s] = uint32(len(n.list))
	return uint32(len(n.list))
}

// keep returns the number of b in n, which it adds if there is room; 0 if not.
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

// TraceLogging returns the number of an event's TraceLogging metadata, 0 if it
// has none.
func (l *Learned) TraceLogging(metadata []byte) uint32 {
	if number := l.metadata.find(metadata); number > 0 || metadata == nil {
		return number
	}
	return l.keep(&l.metadata, string(metadata))
}

// Note keeps an event that describes others.
func (l *Learned) Note(ev *decode.Event, key *Key) {
	switch {
	case key.Family == decode.FamilyEvent && key.ID == manifest.EventID:
		h := ev.Header()
		l.manifests.Add(key.GUID, h.ProcessID(), h.ThreadID(), ev.Payload())
	case key.Family == decode.FamilyEventTrace && key.GUID == schema.EventMetadataClass && (key.ID == schema.EventInfoType || key.ID == schema.MapInfoType):
		l.keep(&l.records, string(append([]byte{byte(key.ID)}, ev.Payload()...)))
	}
}

// Merge adds what a later part of the file says, and returns its numbers of
// TraceLogging metadata in l.
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
