package decode

import "github.com/etl2parquet/etl2parquet/schema"

// PointerSize returns the size of pointers in the payload, or 0 if the header does not contain it.
func (ev *Event) PointerSize() int {
	if ev.Family == FamilyMessage {
		return ev.Message().PointerSize()
	}
	return int(ev.Type.spec().pointerSize)
}

// PayloadOffset returns the offset of the payload in Raw: after the header and its
// extras. If the extras are damaged, the payload includes them.
func (ev *Event) PayloadOffset() int {
	offset, _, _ := ev.extras()
	return offset
}

// Payload returns the payload, which aliases the buffer. An event of [FamilyOther]
// has none, because the end of its header is unknown.
func (ev *Event) Payload() []byte { return ev.Raw[ev.PayloadOffset():] }

// extras returns the offset of the payload and, if the variable part of the header
// is damaged, the field and the cause.
func (ev *Event) extras() (payload int, where string, cause error) {
	switch ev.Family {
	case FamilySystem, FamilyPerfInfo:
		if !ev.HasCounters() { // almost always
			return int(ev.header), "", nil
		}
		end := int(ev.header) + ev.Counters().size()
		if end > len(ev.Raw) {
			return int(ev.header), "header Version", causef(ErrTruncated, "counters need %d bytes, the event has %d", end, len(ev.Raw))
		}
		return end, "", nil
	case FamilyEvent:
		if ev.Header().Flags()&EventFlagExtended == 0 {
			return EventHeaderSize, "", nil
		}
		items := ev.Header().Items()
		for items.Next() {
		}
		return items.End(), "EVENT_HEADER extended items", items.Err()
	case FamilyMessage:
		return int(ev.Message().layout().size), "", nil // Next has checked the size
	case FamilyOther:
		return len(ev.Raw), "", nil
	}
	return int(ev.header), "", nil
}

// Check returns [Event.PayloadOffset], and an error if a part of the header with
// variable length is damaged. It takes time only for events with such parts.
func (b *Buffer) Check(ev *Event) (payload int, err error) {
	payload, where, cause := ev.extras()
	if cause != nil {
		return payload, &Error{Buffer: b.Index, Offset: b.offset, Pos: ev.Offset, Where: where, Err: cause}
	}
	return payload, nil
}

// guidAt reads the GUID at the start of b.
func guidAt(b []byte) schema.GUID { return schema.GUID(b[:16]) }

// Event restores ev from its type and a copy of its bytes, as they were in Raw.
// Offset and times are not in the bytes and are not changed.
func (f *File) Event(ev *Event, raw []byte, t HeaderType) {
	spec := t.spec()
	ev.Raw, ev.Type, ev.Family, ev.header = raw, t, spec.family, spec.size
	if spec.family == FamilyInstance {
		ev.header = f.instanceSize()
	}
}

// instanceSize returns the size of INSTANCE headers in this trace.
func (f *File) instanceSize() uint8 {
	if f.header.oldInstances() {
		return oldInstanceSize
	}
	return newInstanceSize
}

// HookID returns the hook of a kernel event, or 0 for other events.
func (ev *Event) HookID() uint16 {
	switch ev.Family {
	case FamilyPerfInfo:
		return ev.PerfInfo().HookID()
	case FamilySystem:
		return ev.System().HookID()
	}
	return 0
}
