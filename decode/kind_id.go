package decode

import "bytes"

// KindID is the part of a header that all events of a kind have in common: equal ids have the
// same type, provider or class, and event. Of two events of one kind, the ids can still differ.
type KindID struct {
	start      uint64 // the first 8 bytes without the size
	provider   [2]uint64
	descriptor uint64
	items      uint64 // a hash of some of the extended items; 0 if there are none
}

// The bits of the size in the first 8 bytes of an event.
const (
	sizeBits     = 0xffff
	sizeBitsFour = 0xffff << 32 // at sizeAtFour
)

// KindID returns the id of the event's kind. It returns false if the event has none: it is of
// a rare family, or it has counters or damaged items.
func (ev *Event) KindID(id *KindID) bool {
	raw := ev.Raw
	switch ev.Family {
	case FamilySystem, FamilyPerfInfo:
		*id = KindID{start: le.Uint64(raw) &^ sizeBitsFour}
		return !ev.HasCounters()
	case FamilyEventTrace:
		*id = KindID{start: le.Uint64(raw) &^ sizeBits, provider: [2]uint64{le.Uint64(raw[0x18:]), le.Uint64(raw[0x20:])}}
		return true
	case FamilyEvent:
		*id = KindID{
			start: le.Uint64(raw) &^ sizeBits, provider: [2]uint64{le.Uint64(raw[0x18:]), le.Uint64(raw[0x20:])},
			descriptor: le.Uint64(raw[0x28:]),
		}
		if le.Uint16(raw[0x04:])&EventFlagExtended == 0 {
			return true
		}
		return id.hashItem(raw[EventHeaderSize:])
	}
	return false
}

// hashItem adds some bytes of the first extended item. Metadata of TraceLogging differ in their
// length, and in the middle and at the end.
func (id *KindID) hashItem(items []byte) bool {
	if len(items) < itemHeaderSize {
		return false
	}
	n := itemHeaderSize + int(le.Uint16(items[6:]))
	if n < 16 || n > len(items) {
		return false
	}
	id.items = le.Uint64(items[n-8:])*mixer ^ le.Uint64(items[n/2:][:8]) ^ le.Uint64(items)<<1 | 1
	return true
}

const mixer = 0x9e3779b97f4a7c15

// Hash returns a hash with this number of bits.
func (id *KindID) Hash(bits int) uint64 {
	h := id.start ^ id.provider[0]*mixer ^ id.descriptor<<24 ^ id.items
	return h * 0xff51afd7ed558ccd >> (64 - bits)
}

// BeginsWith reports whether the extended items of an event begin with these bytes.
func (h EventHeader) BeginsWith(items []byte) bool {
	return bytes.HasPrefix(h[EventHeaderSize:], items)
}
