package decode

import "bytes"

// KernelKind returns the part of the header that all kernel events of a kind share: the type of the
// header, its version and the hook. ok is false for other families, and if there are counters.
func (ev *Event) KernelKind() (kind uint64, ok bool) {
	if ev.Family != FamilySystem && ev.Family != FamilyPerfInfo {
		return 0, false
	}
	return le.Uint64(ev.Raw) &^ sizeBitsFour, !ev.HasCounters()
}

// KindID identifies the kind of any other event: equal ids have the same type, provider or class,
// and event. Two events of one kind can still have different ids.
type KindID struct {
	start                uint64 // the first 8 bytes without the size
	provider1, provider2 uint64
	descriptor           uint64
	items                uint64 // a hash of some of the extended items; 0 without items
}

// Equal reports whether two ids are equal. It is much faster than comparing structures.
func (id *KindID) Equal(other *KindID) bool {
	return id.start == other.start && id.provider1 == other.provider1 && id.provider2 == other.provider2 &&
		id.descriptor == other.descriptor && id.items == other.items
}

// The bits of the size in the first 8 bytes of an event.
const (
	sizeBits     = 0xffff
	sizeBitsFour = 0xffff << 32 // at sizeAtFour
)

// KindID sets id to the id of the event's kind. It returns false if the event has none: it is a
// kernel event or of a rare family, or its extended items are damaged or too short to be hashed.
func (ev *Event) KindID(id *KindID) bool {
	raw := ev.Raw
	switch ev.Family {
	case FamilyEventTrace:
		*id = KindID{start: le.Uint64(raw) &^ sizeBits, provider1: le.Uint64(raw[0x18:]), provider2: le.Uint64(raw[0x20:])}
		return true
	case FamilyEvent:
		*id = KindID{
			start: le.Uint64(raw) &^ sizeBits, provider1: le.Uint64(raw[0x18:]), provider2: le.Uint64(raw[0x20:]), descriptor: le.Uint64(raw[0x28:]),
		}
		if id.start>>32&EventFlagExtended == 0 {
			return true
		}
		return id.hashItems(raw[EventHeaderSize:])
	}
	return false
}

// hashItems adds some bytes of the last extended item, which is the TraceLogging metadata if there
// is any. Metadata differ in their length, in the middle and at the end.
func (id *KindID) hashItems(items []byte) bool {
	for {
		if len(items) < itemHeaderSize {
			return false
		}
		n := itemHeaderSize + int(le.Uint16(items[6:]))
		size := int(le.Uint16(items))
		if n < 2*itemHeaderSize || size < n || size > len(items) {
			return false
		}
		if items[4]&1 == 0 { // it is the last one
			id.items = (le.Uint64(items[n-8:])*mixer^le.Uint64(items[n/2:][:8]))*mixer ^ le.Uint64(items) | 1
			return true
		}
		items = items[size:]
	}
}

const mixer = 0x9e3779b97f4a7c15

// Hash returns a hash with this number of bits.
func (id *KindID) Hash(bits int) uint64 {
	h := id.start ^ (id.provider1^id.descriptor)*mixer ^ id.items
	h ^= h >> 32
	return h * 0xff51afd7ed558ccd >> (64 - bits)
}

// BeginsWith reports whether the extended items of an event begin with these bytes.
func (h EventHeader) BeginsWith(items []byte) bool {
	return bytes.HasPrefix(h[EventHeaderSize:], items)
}
