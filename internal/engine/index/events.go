package index

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// indexEvent counts an event, and reads it if events of its kind contain facts about others.
func (x *Index) indexEvent(b *decode.Buffer, c *chunk, s *BufferSummary, ev *decode.Event) {
	s.Events++
	if ev.BadTime {
		c.problems.BadTime(x.File, b, ev)
	}
	s.RunsBack = s.RunsBack || runsBack(s.Last, ev.Time)
	s.First, s.Last = min(s.First, ev.Time), max(s.Last, ev.Time)
	s.Families |= 1 << ev.Family
	s.Processes |= processBits(ev)
	c.records.See(ev)
	c.byHeader[ev.Type]++
	k := c.recent.Find(ev)
	if k == nil {
		x.indexOther(b, c, s, ev)
		return
	}
	t := &c.types.List[k.Place]
	t.Count(ev.Time)
	s.Kinds.Add(t.Bits)
	size := len(ev.Raw) - int(k.Payload)
	if size == 0 {
		t.Empty++
	}
	t.Bytes += int64(size)
	if j := c.judged[k.Place]; j != nil {
		j.judge(c.fitter, x.pointerSize(int(k.PointerSize)), ev.Raw[k.Payload:])
	} else {
		c.sizes[k.Place].Add(size, k.PointerSize)
	}
	if c.keeper != nil {
		c.keeper.event(b, ev, &t.Key, size, k.PointerSize)
	}
	if k.Reads {
		c.read(b, s, ev, &t.Key)
	}
}

// indexOther does the rest for an event whose kind is not cached, and caches the kind if its events
// share everything that matters.
func (x *Index) indexOther(b *decode.Buffer, c *chunk, s *BufferSummary, ev *decode.Event) {
	var key catalog.Key
	key.Of(ev)
	var items eventItems
	payload, damage := c.readHeader(b, ev, &key, &items)
	size, pointerSize := len(ev.Raw)-max(payload, 0), uint8(ev.PointerSize())
	place := x.place(c, ev, &key)
	if place < 0 {
		s.Kinds.Add(key.Bits())
		c.unlisted.Add(&catalog.EventType{Key: key, Events: 1})
		c.read(b, s, ev, &key)
	} else {
		t := &c.types.List[place]
		t.Count(ev.Time)
		if size == 0 {
			t.Empty++
		}
		t.Bytes += int64(size)
		if j := c.judged[place]; j != nil {
			j.judge(c.fitter, x.pointerSize(int(pointerSize)), ev.Payload())
		} else {
			c.sizes[place].Add(size, pointerSize)
		}
		s.Kinds.Add(t.Bits)
		if c.keeper != nil {
			c.keeper.event(b, ev, &t.Key, size, pointerSize)
		}
		if t.Traits == nil && items.traits != nil {
			t.Traits = append([]byte{}, items.traits...)
		}
		if c.reads[place] {
			c.read(b, s, ev, &key)
		}
		if damage == nil && !items.vary {
			c.recent.Keep(catalog.Recent{Place: int32(place), Payload: int32(payload), PointerSize: pointerSize, Reads: c.reads[place]}, items.all)
		}
	}
	if damage != nil {
		s.Damaged = true
		c.problems.Decode("header_damaged", damage)
	}
}

// readHeader reads the part of a header with variable length, and completes the key. It returns
// the offset of the payload, or -1 if that is not known.
func (c *chunk) readHeader(b *decode.Buffer, ev *decode.Event, key *catalog.Key, items *eventItems) (payload int, damage error) {
	switch {
	case ev.Family == decode.FamilyOther:
		return -1, nil
	case ev.Family != decode.FamilyEvent || ev.Header().Flags()&decode.EventFlagExtended == 0:
		return b.Check(ev)
	}
	payload = items.read(ev, &c.records, int64(b.Index)<<32|int64(ev.Offset))
	key.Meta = c.learned.TraceLogging(items.metadata)
	if items.damaged {
		_, damage = b.Check(ev)
	}
	return payload, damage
}

// place returns the index of a kind, or -1 if there are too many kinds.
func (x *Index) place(c *chunk, ev *decode.Event, key *catalog.Key) int {
	place := c.types.Place(key)
	if place == len(c.reads) {
		c.reads = append(c.reads, c.readsKind(key))
		x.beginKind(c, key)
		t := &c.types.List[place]
		t.Descriptor, t.Header = catalog.DescriptorOf(ev), ev.Type
	}
	return place
}

// eventItems are the relevant extended items of an event.
type eventItems struct {
	metadata []byte // of TraceLogging; nil if there is none
	traits   []byte // the first ones of the provider; nil if there are none
	all      []byte
	vary     bool // they differ from event to event
	damaged  bool
}

// read reads the items, and returns the offset of the payload. ref is the event's reference.
func (i *eventItems) read(ev *decode.Event, records *attribution.Records, ref int64) (payload int) {
	items := ev.Header().Items()
	for items.Next() {
		switch items.Type {
		case decode.ItemSchemaTL:
			if i.metadata == nil {
				i.metadata = items.Data
			}
		case decode.ItemProviderTraits:
			if i.traits == nil {
				i.traits = items.Data
			}
		default:
			i.vary = true
			records.Item(ev, items.Type, items.Data, ref)
		}
	}
	i.damaged, i.all = items.Err() != nil, ev.Raw[decode.EventHeaderSize:items.End()]
	return items.End()
}

// readsKind reports whether events of a kind are read.
func (c *chunk) readsKind(k *catalog.Key) bool {
	switch k.Family {
	case decode.FamilyEvent, decode.FamilyEventTrace, decode.FamilyInstance:
		if catalog.IsDescription(k) || isSessionClass(k.GUID, k.ID) {
			return true
		}
	case decode.FamilySystem, decode.FamilyPerfInfo:
		if hook := uint16(k.ID); isSessionRecord(hook) || attribution.IsSwitch(hook) || attribution.IsSwitchBatch(hook) {
			return true
		}
	}
	return c.records.Reads(k.Family, k.GUID, k.ID)
}

// read reads an event that describes other events or the session. It ignores all other events.
func (c *chunk) read(b *decode.Buffer, s *BufferSummary, ev *decode.Event, k *catalog.Key) {
	if c.keeper != nil {
		c.keeper.fact(b, ev, k)
	}
	switch ev.Family {
	case decode.FamilyEvent:
		c.learned.Note(ev, k)
		c.records.Manifest(ev, ev.Header())
		c.records.Walk(ev, int64(b.Index)<<32|int64(ev.Offset))
	case decode.FamilyEventTrace, decode.FamilyInstance:
		c.learned.Note(ev, k)
		c.session.addClass(ev, k.GUID, k.ID)
		c.records.Class(ev, k.GUID, uint8(k.ID), k.LayoutVersion())
	case decode.FamilySystem, decode.FamilyPerfInfo:
		hook := uint16(k.ID)
		switch {
		case isSessionRecord(hook):
			c.problems.NoteIf(b, ev, c.session.add(ev, hook))
		case attribution.IsSwitch(hook):
			s.Switches.Add(ev)
		case attribution.IsSwitchBatch(hook):
			c.readBatch(b, s, ev.Offset+ev.PayloadOffset(), ev.Payload())
		default:
			c.records.Hook(ev, hook, uint8(k.Version))
		}
	}
}
