package decode

import "github.com/etl2parquet/etl2parquet/schema"

// EventHeader is an event with an EVENT_HEADER (0x50 bytes), the header of
// manifest-based and TraceLogging events.
type EventHeader []byte

// Header returns the header of an event of [FamilyEvent]. Unlike the other views
// it extends to the end of the event, for the extended items.
func (ev *Event) Header() EventHeader { return EventHeader(ev.Raw) }

// EventHeaderSize is the size of an EVENT_HEADER, before its extended items.
const EventHeaderSize = 0x50

// EventFlagExtended is the bit of EVENT_HEADER.Flags that means that extended items
// follow the header. Windows writes no other bit to a file; consumers set the
// others.
const EventFlagExtended = 0x0001

// Flags is at 0x04.
func (h EventHeader) Flags() uint16 { return le.Uint16(h[0x04:]) }

// Property is EventProperty: 0x06.
func (h EventHeader) Property() uint16 { return le.Uint16(h[0x06:]) }

// ThreadID is at 0x08.
func (h EventHeader) ThreadID() uint32 { return le.Uint32(h[0x08:]) }

// ProcessID is at 0x0C.
func (h EventHeader) ProcessID() uint32 { return le.Uint32(h[0x0c:]) }

// ProviderID is at 0x18.
func (h EventHeader) ProviderID() schema.GUID { return guidAt(h[0x18:]) }

// Descriptor returns EVENT_DESCRIPTOR: 0x28.
func (h EventHeader) Descriptor() EventDescriptor {
	return EventDescriptor{
		ID:      le.Uint16(h[0x28:]),
		Version: h[0x2a],
		Channel: h[0x2b],
		Level:   h[0x2c],
		Opcode:  h[0x2d],
		Task:    le.Uint16(h[0x2e:]),
		Keyword: le.Uint64(h[0x30:]),
	}
}

// EventDescriptor is EVENT_DESCRIPTOR (evntprov.h).
type EventDescriptor struct {
	ID                              uint16
	Version, Channel, Level, Opcode uint8
	Task                            uint16
	Keyword                         uint64
}

// Times returns ProcessorTime, or KernelTime and UserTime, as
// [EventTraceHeader.Times] does: 0x38.
func (h EventHeader) Times() uint64 { return le.Uint64(h[0x38:]) }

// ActivityID is at 0x40.
func (h EventHeader) ActivityID() schema.GUID { return guidAt(h[0x40:]) }
