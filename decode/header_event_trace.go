package decode

import "github.com/etl2parquet/etl2parquet/schema"

// EventTraceHeader is an EVENT_TRACE_HEADER (0x30 bytes), the header of classic
// (MOF) events and the first part of the INSTANCE headers.
type EventTraceHeader []byte

// EventTrace returns the header of an event of [FamilyEventTrace] or
// [FamilyInstance].
func (ev *Event) EventTrace() EventTraceHeader { return EventTraceHeader(ev.Raw[:ev.header]) }

// Class returns the type (the opcode of MOF), level and version: 0x04 to 0x07.
func (h EventTraceHeader) Class() (classType, level uint8, version uint16) {
	return h[0x04], h[0x05], le.Uint16(h[0x06:])
}

// ThreadID is at 0x08.
func (h EventTraceHeader) ThreadID() uint32 { return le.Uint32(h[0x08:]) }

// ProcessID is at 0x0C.
func (h EventTraceHeader) ProcessID() uint32 { return le.Uint32(h[0x0c:]) }

// GUID returns the event class: 0x18. The old INSTANCE header has a
// registration handle there, which means nothing outside the session.
func (h EventTraceHeader) GUID() (id schema.GUID, ok bool) {
	if len(h) == oldInstanceSize {
		return schema.GUID{}, false
	}
	return guidAt(h[0x18:]), true
}

// Times returns the u64 ProcessorTime, which is also, low half first, the two
// u32 KernelTime and UserTime: 0x28.
func (h EventTraceHeader) Times() uint64 { return le.Uint64(h[0x28:]) }

// The sizes of the two INSTANCE headers. The old one was written up to
// sub-version 1.0 of the log file (see TraceHeader.SubVersion).
const (
	oldInstanceSize = 0x38
	newInstanceSize = 0x48
)

// Instance has the fields of INSTANCE headers that follow [EventTraceHeader].
type Instance struct {
	ID, ParentID uint32
	ParentGUID   schema.GUID // zero in the old header
	// Old is true for the old header, which has registration handles in place of the two GUIDs.
	Old                     bool
	RegHandle, ParentHandle uint64
}

// Instance returns the instance fields of an event of [FamilyInstance].
func (ev *Event) Instance() Instance {
	b := ev.Raw
	if ev.header == oldInstanceSize {
		return Instance{
			Old:          true,
			RegHandle:    le.Uint64(b[0x18:]),
			ID:           le.Uint32(b[0x20:]),
			ParentID:     le.Uint32(b[0x24:]),
			ParentHandle: le.Uint64(b[0x30:]),
		}
	}
	return Instance{ID: le.Uint32(b[0x30:]), ParentID: le.Uint32(b[0x34:]), ParentGUID: guidAt(b[0x38:])}
}
