package catalog

import (
	"cmp"
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// DefaultMaxTypes bounds the kinds of event that are distinguished: in a hostile trace
// every event can be of a new kind.
const DefaultMaxTypes = 1 << 16

// Key identifies a kind of event.
type Key struct {
	GUID    schema.GUID // of provider, class or message; zero if the header has none
	ID      uint32      // event id, class type, hook id, message number or header type
	Version uint16
	Family  decode.Family
	HasGUID bool
	Meta    uint32 // number of its TraceLogging metadata; 0 if it has none
}

// EventType is a kind of event in a trace.
type EventType struct {
	Key
	Events      int64
	First, Last decode.Ticks

	Empty      int64                  // number of events without a payload
	Bytes      int64                  // of all payloads; of events without a known header, the whole events
	Sizes      []SizeCount            // of non-empty payloads, by size; nil if there are too many
	Descriptor decode.EventDescriptor // of the first event; only level, type and version for classic events
	Header     decode.HeaderType      // of the first event
	Traits     []byte                 // the first traits seen of its provider, or nil
	Bits       Bits                   // of the kind
}

// Of makes k the key of an event, except for its metadata. It fills k in place because
// copying a key per event is measurable.
func (k *Key) Of(ev *decode.Event) {
	*k = Key{Family: ev.Family}
	switch ev.Family {
	case decode.FamilySystem:
		h := ev.System()
		k.ID, k.Version = uint32(h.HookID()), uint16(h.Version())
	case decode.FamilyPerfInfo:
		h := ev.PerfInfo()
		k.ID, k.Version = uint32(h.HookID()), uint16(h.Version())
	case decode.FamilyEventTrace, decode.FamilyInstance:
		h := ev.EventTrace()
		classType, _, version := h.Class()
		k.GUID, k.HasGUID = h.GUID()
		k.ID, k.Version = uint32(classType), version
	case decode.FamilyEvent:
		h := ev.Header()
		d := h.Descriptor()
		k.GUID, k.HasGUID = h.ProviderID(), true
		k.ID, k.Version = uint32(d.ID), uint16(d.Version)
	case decode.FamilyMessage:
		h := ev.Message()
		k.GUID, k.HasGUID = h.GUID()
		k.ID = uint32(h.Number())
	default:
		k.ID = uint32(ev.Type)
	}
}

// Provider returns the GUID under which the events are listed: the header's or, for
// kernel events, the event class's.
func (k *Key) Provider() (id schema.GUID, ok bool) {
	if k.Family != decode.FamilySystem && k.Family != decode.FamilyPerfInfo {
		return k.GUID, k.HasGUID
	}
	class, ok := schema.KernelClassOf(uint16(k.ID))
	if !ok {
		return id, false
	}
	return class.GUID, true
}

// LayoutVersion returns the version in 8 bits, as in layouts. Versions of classic events have 16.
func (k *Key) LayoutVersion() uint8 { return uint8(min(k.Version, 0xff)) }

// KernelLiteral returns the layout of the payloads in the kernel's tables, if there is one.
func (k *Key) KernelLiteral() (schema.Literal, bool) {
	switch k.Family {
	case decode.FamilySystem, decode.FamilyPerfInfo:
		return schema.KernelCatalog().Hook(uint16(k.ID), uint8(k.Version))
	case decode.FamilyEventTrace, decode.FamilyInstance:
		if k.HasGUID {
			return schema.KernelCatalog().Type(k.GUID, uint8(k.ID), k.LayoutVersion())
		}
	}
	return schema.Literal{}, false
}

// DescriptorOf returns the descriptor in the header of an event.
func DescriptorOf(ev *decode.Event) decode.EventDescriptor {
	switch ev.Family {
	case decode.FamilyEvent:
		return ev.Header().Descriptor()
	case decode.FamilyEventTrace, decode.FamilyInstance:
		classType, level, version := ev.EventTrace().Class()
		return decode.EventDescriptor{Opcode: classType, Level: level, Version: uint8(min(version, 0xff))}
	}
	return decode.EventDescriptor{}
}

func (k *Key) hash() uint64 {
	h := binary.LittleEndian.Uint64(k.GUID[:]) ^ binary.LittleEndian.Uint64(k.GUID[8:])*0x9e3779b97f4a7c15
	h ^= uint64(k.ID)<<24 ^ uint64(k.Version)<<8 ^ uint64(k.Family) ^ uint64(k.Meta)*0x9e3779b97f4a7c15
	h *= 0xff51afd7ed558ccd
	return h ^ h>>32
}

// Bits is an approximate set of kinds of event: different kinds can have the same bits.
type Bits struct {
	Providers uint64 // a bit per provider, or group of kernel events
	Kinds     uint64 // a bit per kind; TraceLogging kinds differ only by id and version
}

// AnyKind has the bits of all kinds.
var AnyKind = Bits{^uint64(0), ^uint64(0)}

// Bits returns the bits of a kind of event.
func (k *Key) Bits() Bits {
	kind, provider := *k, Key{GUID: k.GUID}
	kind.Meta = 0 // its number differs from one chunk of the trace to the next
	b := Bits{1 << (provider.hash() % 64), 1 << (kind.hash() % 64)}
	if k.Family == decode.FamilySystem || k.Family == decode.FamilyPerfInfo {
		b.Providers = 1 << (k.ID >> 8 % 64)
	}
	return b
}

// Add adds the kinds of other events.
func (b *Bits) Add(other Bits) {
	b.Providers |= other.Providers
	b.Kinds |= other.Kinds
}

// MayHave reports whether b and others may have a kind in common.
func (b Bits) MayHave(others Bits) bool {
	return b.Providers&others.Providers != 0 && b.Kinds&others.Kinds != 0
}

// TypeCounter counts the events of a chunk by kind. It is a hash table of indices into a
// list, which is in the order of first appearance.
type TypeCounter struct {
	List  []EventType
	Most  int     // kinds that are distinguished
	slots []int32 // index into list plus 1; 0 is free
	last  int     // index of the kind found last: the next event mostly has the same kind
}

const firstSlots = 256

// Init makes an empty counter of at most that many kinds; 0 is DefaultMaxTypes.
func (c *TypeCounter) Init(most int) {
	c.Most, c.slots = cmp.Or(most, DefaultMaxTypes), make([]int32, firstSlots)
}

// Place returns the index of a key in the list, and adds the key if it is new. It returns -1 if
// there are too many kinds.
func (c *TypeCounter) Place(k *Key) int {
	if c.last < len(c.List) && c.List[c.last].Key == *k {
		return c.last
	}
	place, slot := c.search(k)
	switch {
	case place >= 0:
		c.last = place
	case len(c.List) == c.Most:
		return -1
	default:
		c.insert(k, slot)
	}
	return c.last
}

// Count adds an event.
func (e *EventType) Count(t decode.Ticks) {
	e.Events++
	e.First, e.Last = min(e.First, t), max(e.Last, t)
}

// lookup returns the index of a key in the list, or -1.
func (c *TypeCounter) lookup(k *Key) int {
	if len(c.slots) == 0 {
		return -1
	}
	place, _ := c.search(k)
	return place
}

// search returns the index of a key in the list, or -1, and its slot.
func (c *TypeCounter) search(k *Key) (place int, slot uint64) {
	mask := uint64(len(c.slots) - 1)
	for slot = k.hash() & mask; c.slots[slot] != 0; slot = (slot + 1) & mask {
		if place = int(c.slots[slot]) - 1; c.List[place].Key == *k {
			return place, slot
		}
	}
	return -1, slot
}

// insert adds a key, in a free slot.
func (c *TypeCounter) insert(k *Key, slot uint64) {
	c.last = len(c.List)
	c.List = append(c.List, EventType{Key: *k, First: decode.MaxTicks, Last: decode.MinTicks, Bits: k.Bits()})
	c.slots[slot] = int32(len(c.List))
	if 2*len(c.List) > len(c.slots) {
		c.grow()
	}
}

func (c *TypeCounter) grow() {
	c.slots = make([]int32, 2*len(c.slots))
	mask := uint64(len(c.slots) - 1)
	for n := range c.List {
		i := c.List[n].hash() & mask
		for c.slots[i] != 0 {
			i = (i + 1) & mask
		}
		c.slots[i] = int32(n + 1)
	}
}

// TypeMerger adds up the counts of chunks, given in file order.
type TypeMerger struct {
	TypeCounter
	Unlisted Unlisted
}

// Unlisted counts events of kinds beyond the limit.
type Unlisted struct {
	Events int64
}

// Add adds the events of a kind.
func (u *Unlisted) Add(t *EventType) {
	u.Events += t.Events
}

// Merge adds the counts of a later part of the file.
func (u *Unlisted) Merge(later Unlisted) {
	u.Events += later.Events
}

// Add adds the counts of a chunk. metadata maps the chunk's numbers of metadata to those
// of the whole trace.
func (m *TypeMerger) Add(c *TypeCounter, metadata []uint32) {
	if m.slots == nil {
		m.Init(c.Most)
	}
	for i := range c.List {
		from := &c.List[i]
		from.Meta = metadata[from.Meta]
		place := m.Place(&from.Key)
		if place < 0 {
			m.Unlisted.Add(from)
			continue
		}
		to := &m.List[place]
		if to.Events == 0 {
			to.Descriptor, to.Header = from.Descriptor, from.Header
		}
		to.Sizes = mergeSizes(to, from)
		to.Events += from.Events
		to.Empty += from.Empty
		to.Bytes += from.Bytes
		to.First, to.Last = min(to.First, from.First), max(to.Last, from.Last)
		if to.Traits == nil {
			to.Traits = from.Traits
		}
	}
}

// providerNames returns the names in the traits of providers.
func (c *TypeCounter) providerNames() map[schema.GUID]string {
	names := make(map[schema.GUID]string)
	for i := range c.List {
		t := &c.List[i]
		if t.Traits == nil || names[t.GUID] != "" {
			continue
		}
		if traits, err := decode.ParseProviderTraits(t.Traits); err == nil && traits.Name != "" {
			names[t.GUID] = traits.Name
		}
	}
	return names
}
