package decode

import "github.com/etl2parquet/etl2parquet/schema"

// PointerSize returns the size of pointers in the payload, or 0 where the
// header does not tell.
func (ev *Event) PointerSize() int {
	if ev.Family == FamilyMessage {
		return ev.Message().PointerSize()
	}
	return int(ev.Type.spec().pointerSize)
}

// PayloadOffset returns where in Raw the payload begins: after the header and
// its extras. If the extras are damaged, the payload begins with them.
func (ev *Event) PayloadOffset() int {
	offset, _, _ := ev.extras()
	return offset
}

// Payload returns the payload, which aliases the buffer. An event of
// [FamilyOther] has none: no more is known of it than that it is there.
func (ev *Event) Payload() []byte { return ev.Raw[ev.PayloadOffset():] }

// extras returns where the payload begins, and what is wrong with the
// variable part of the header: the field and the cause.
func (ev *Event) extras() (payload int, where string, cause error) {
	switch ev.Family {
	case FamilySystem, FamilyPerfInfo:
		if !ev.HasCounters() { // as good as always
			return int(ev.header), "", nil
		}
		end := int(ev.header) + ev.Counters().size()
		if end > len(ev.Raw) {
			return int(ev.header), "header Version", causef(ErrTruncated, "counters need %d bytes, the event has %d", end, len(ev.Raw))
		}
		return end, "", nil
	case FamilyEvent:
		if ev.Header().Flags()&EventFlagExtended == 0 {
			return eventHeaderSize, "", nil
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

// Check returns where in Raw the payload begins, as [Event.PayloadOffset] does,
// and what is wrong with the parts of the event's header that vary in length, or
// nil. It takes time only for events that have such parts.
func (b *Buffer) Check(ev *Event) (payload int, err error) {
	payload, where, cause := ev.extras()
	if cause != nil {
		return payload, &Error{Buffer: b.Index, Offset: b.offset, Pos: ev.Offset, Where: where, Err: cause}
	}
	return payload, nil
}

// guidAt reads the GUID at the start of b.
func guidAt(b []byte) schema.GUID { return schema.GUID(b[:16]) }

// Event makes ev an event once more from a copy of its bytes, as Raw had them,
// and its type. Offset and times are not in the bytes and stay as they are.
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
