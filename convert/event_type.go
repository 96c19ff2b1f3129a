package convert

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// maxEventTypes bounds how many kinds of event are told apart: a hostile trace
// may have a new one in every event.
const maxEventTypes = 1 << 16

// typeKey tells kinds of event apart.
type typeKey struct {
	guid    schema.GUID // of provider, class or message; zero if the header has none
	id      uint32      // event id, class type, hook id, message number or header type
	version uint16
	family  decode.Family
	hasGUID bool
	meta    uint32 // number of its TraceLogging metadata; 0 is none
}

// EventType is a kind of event in a trace.
type EventType struct {
	typeKey
	Events      int64
	First, Last decode.Ticks

	empty  int64                  // of the events, those without a payload
	first  decode.EventDescriptor // of the first of them; classic events have but level, type and version
	traits []byte                 // of its provider, as first seen; nil if it never was
	bit    uint64                 // see providerBit
}

// of makes k the key of an event, but for its metadata. It fills k in place: a
// key is large to be handed around for every event.
func (k *typeKey) of(ev *decode.Event) {
	*k = typeKey{family: ev.Family}
	switch ev.Family {
	case decode.FamilySystem:
		h := ev.System()
		k.id, k.version = uint32(h.HookID()), uint16(h.Version())
	case decode.FamilyPerfInfo:
		h := ev.PerfInfo()
		k.id, k.version = uint32(h.HookID()), uint16(h.Version())
	case decode.FamilyEventTrace, decode.FamilyInstance:
		h := ev.EventTrace()
		classType, _, version := h.Class()
		k.guid, k.hasGUID = h.GUID()
		k.id, k.version = uint32(classType), version
	case decode.FamilyEvent:
		h := ev.Header()
		d := h.Descriptor()
		k.guid, k.hasGUID = h.ProviderID(), true
		k.id, k.version = uint32(d.ID), uint16(d.Version)
	case decode.FamilyMessage:
		h := ev.Message()
		k.guid, k.hasGUID = h.GUID()
		k.id = uint32(h.Number())
	default:
		k.id = uint32(ev.Type)
	}
}

// provider returns the GUID under which the events are listed: that of the
// header or, for kernel events, of the class.
func (k *typeKey) provider() (id schema.GUID, ok bool) {
	if k.family != decode.FamilySystem && k.family != decode.FamilyPerfInfo {
		return k.guid, k.hasGUID
	}
	class, ok := schema.KernelClassOf(uint16(k.id))
	if !ok {
		return id, false
	}
	return class.GUID, true
}

// layoutVersion is the version for layouts: those of classic events go further.
func (k *typeKey) layoutVersion() uint8 { return uint8(min(k.version, 0xff)) }

// kernelLiteral returns the layout that the kernel's tables have of the
// payloads, if there is one.
func (k *typeKey) kernelLiteral() (schema.Literal, bool) {
	switch k.family {
	case decode.FamilySystem, decode.FamilyPerfInfo:
		return schema.KernelCatalog().Hook(uint16(k.id), uint8(k.version))
	case decode.FamilyEventTrace, decode.FamilyInstance:
		if k.hasGUID {
			return schema.KernelCatalog().Type(k.guid, uint8(k.id), k.layoutVersion())
		}
	}
	return schema.Literal{}, false
}

// descriptorOf returns what the header says of a kind of event beside its key.
func descriptorOf(ev *decode.Event) decode.EventDescriptor {
	switch ev.Family {
	case decode.FamilyEvent:
		return ev.Header().Descriptor()
	case decode.FamilyEventTrace, decode.FamilyInstance:
		classType, level, version := ev.EventTrace().Class()
		return decode.EventDescriptor{Opcode: classType, Level: level, Version: uint8(min(version, 0xff))}
	}
	return decode.EventDescriptor{}
}

func (k *typeKey) hash() uint64 {
	h := binary.LittleEndian.Uint64(k.guid[:]) ^ binary.LittleEndian.Uint64(k.guid[8:])*0x9e3779b97f4a7c15
	h ^= uint64(k.id)<<24 ^ uint64(k.version)<<8 ^ uint64(k.family) ^ uint64(k.meta)*0x9e3779b97f4a7c15
	h *= 0xff51afd7ed558ccd
	return h ^ h>>32
}

// providerBit maps an event's provider, or kernel group, to one of 64 bits.
func providerBit(k *typeKey) uint64 {
	if k.family == decode.FamilySystem || k.family == decode.FamilyPerfInfo {
		return 1 << (k.id >> 8 % 64)
	}
	p := typeKey{guid: k.guid}
	return 1 << (p.hash() % 64)
}

// typeCounter counts the events of a chunk by kind: a hash table of indices
// into a list that keeps the order of first appearance.
type typeCounter struct {
	list  []EventType
	slots []int32 // index into list plus 1; 0 is free
	last  int     // index of the kind found last, which the next event mostly is of, too
}

const firstSlots = 256

func (c *typeCounter) init() { c.slots = make([]int32, firstSlots) }

// count adds one event and returns its kind, or nil if there are too many kinds.
func (c *typeCounter) count(k *typeKey, t decode.Ticks) *EventType {
	e := c.find(k)
	if e != nil {
		e.Events++
		e.First, e.Last = min(e.First, t), max(e.Last, t)
	}
	return e
}

// lookup returns the place in the list of a key, or -1.
func (c *typeCounter) lookup(k *typeKey) int {
	if len(c.slots) == 0 {
		return -1
	}
	mask := uint64(len(c.slots) - 1)
	for i := k.hash() & mask; ; i = (i + 1) & mask {
		slot := c.slots[i]
		if slot == 0 {
			return -1
		}
		if c.list[slot-1].typeKey == *k {
			return int(slot) - 1
		}
	}
}

// find returns the entry of a key, which it adds if there is none.
func (c *typeCounter) find(k *typeKey) *EventType {
	if c.last < len(c.list) && c.list[c.last].typeKey == *k {
		return &c.list[c.last]
	}
	mask := uint64(len(c.slots) - 1)
	for i := k.hash() & mask; ; i = (i + 1) & mask {
		slot := c.slots[i]
		if slot == 0 {
			return c.insert(k, i)
		}
		if e := &c.list[slot-1]; e.typeKey == *k {
			c.last = int(slot - 1)
			return e
		}
	}
}

func (c *typeCounter) insert(k *typeKey, at uint64) *EventType {
	if len(c.list) == maxEventTypes {
		return nil
	}
	c.list = append(c.list, EventType{typeKey: *k, First: decode.MaxTicks, Last: decode.MinTicks, bit: providerBit(k)})
	c.slots[at] = int32(len(c.list))
	if 2*len(c.list) > len(c.slots) {
		c.grow()
	}
	return &c.list[len(c.list)-1]
}

func (c *typeCounter) grow() {
	c.slots = make([]int32, 2*len(c.slots))
	mask := uint64(len(c.slots) - 1)
	for n := range c.list {
		i := c.list[n].hash() & mask
		for c.slots[i] != 0 {
			i = (i + 1) & mask
		}
		c.slots[i] = int32(n + 1)
	}
}

// typeMerger adds up the counts of chunks, which come in file order.
type typeMerger struct {
	typeCounter
	unlisted unlisted
}

// unlisted counts events of kinds beyond the limit.
type unlisted struct {
	events     int64
	notDecoded int64 // those of which nothing describes the payload: the kernel's tables alone may
}

func (u *unlisted) add(t *EventType) {
	u.events += t.Events
	if _, ok := t.kernelLiteral(); !ok {
		u.notDecoded += t.Events - t.empty
	}
}

func (u *unlisted) merge(later unlisted) {
	u.events += later.events
	u.notDecoded += later.notDecoded
}

// add adds the counts of a chunk; metadata are its numbers of metadata in the
// whole trace.
func (m *typeMerger) add(c *typeCounter, metadata []uint32) {
	if m.slots == nil {
		m.init()
	}
	for i := range c.list {
		from := &c.list[i]
		from.meta = metadata[from.meta]
		to := m.find(&from.typeKey)
		if to == nil {
			m.unlisted.add(from)
			continue
		}
		if to.Events == 0 {
			to.first = from.first
		}
		to.Events += from.Events
		to.empty += from.empty
		to.First, to.Last = min(to.First, from.First), max(to.Last, from.Last)
		if to.traits == nil {
			to.traits = from.traits
		}
	}
}

// sortedTypes returns the kinds of event by table, provider, id and version.
func (x *Index) sortedTypes() []EventType {
	list := slices.Clone(x.Types)
	slices.SortStableFunc(list, func(a, b EventType) int {
		idA, hasA := a.provider()
		idB, hasB := b.provider()
		return cmp.Or(
			cmp.Compare(schema.HeaderTables()[a.family].Name, schema.HeaderTables()[b.family].Name),
			boolCompare(hasA, hasB),
			idA.Compare(idB),
			cmp.Compare(a.id, b.id),
			cmp.Compare(a.version, b.version),
			cmp.Compare(x.catalog.of(&a.typeKey).name(), x.catalog.of(&b.typeKey).name()))
	})
	return list
}
