package decode

// HeaderType is the third byte of an event's marker, which selects the layout of
// its header. The marker of a WPP message has no type; its type is TypeMessage.
// Any other event is TypeUnknown.
type HeaderType uint8

// The header types of ETW (phnt TRACE_HEADER_TYPE_*).
const (
	TypeUnknown             HeaderType = 0x00
	TypeSystem32            HeaderType = 0x01
	TypeSystem64            HeaderType = 0x02
	TypeCompact32           HeaderType = 0x03
	TypeCompact64           HeaderType = 0x04
	TypeFull32              HeaderType = 0x0a
	TypeInstance32          HeaderType = 0x0b
	TypeTimed               HeaderType = 0x0c
	TypeError               HeaderType = 0x0d
	TypeWnode               HeaderType = 0x0e
	TypePerfInfo32          HeaderType = 0x10
	TypePerfInfo64          HeaderType = 0x11
	TypeEvent32             HeaderType = 0x12
	TypeEvent64             HeaderType = 0x13
	TypeFull64              HeaderType = 0x14
	TypeInstance64          HeaderType = 0x15
	TypeMessage             HeaderType = 0x90
	markerEnd                          = 0xffffffff // in place of a marker: no more events
	markerTyped                        = 0xc0       // marker byte 3: TRACE_HEADER_FLAG | TRACE_HEADER_EVENT_TRACE
	markerMessage                      = 0x90       // marker byte 3: TRACE_HEADER_FLAG | TRACE_MESSAGE
	markerFlag                         = 0x80       // TRACE_HEADER_FLAG: set in every event
	minEventSize                       = 8
	eventAlignment                     = 8
	noPointerSize                      = 0
	sizeAtStart, sizeAtFour            = 0, 4
	noTime                             = 0
)

// Family is a group of header types with the same fields. Each family has a table.
type Family uint8

// The families, in the order of their tables.
const (
	FamilySystem     Family = iota // SYSTEM_TRACE_HEADER, and COMPACT without its last field
	FamilyPerfInfo                 // PERFINFO_TRACE_HEADER
	FamilyEventTrace               // EVENT_TRACE_HEADER
	FamilyInstance                 // EVENT_INSTANCE_GUID_HEADER
	FamilyEvent                    // EVENT_HEADER
	FamilyMessage                  // MESSAGE_TRACE_HEADER
	FamilyOther                    // only the size is known
	Families         = int(FamilyOther) + 1
)

// headerSpec describes a header type. To add a type, add a row to headerSpecs.
type headerSpec struct {
	name        string
	family      Family
	size        uint8 // bytes before extras and payload
	pointerSize uint8 // of the payload; noPointerSize if the header does not state it
	sizeAt      uint8 // position of the u16 Size
	timeAt      uint8 // position of the i64 time stamp, or noTime
	ref         string
}

// The sources of the layouts. "seen" means verified on real traces, field by field.
const (
	refSystem   = "phnt SYSTEM_TRACE_HEADER; seen"
	refCompact  = "phnt SYSTEM_TRACE_HEADER without the times; documented"
	refPerfInfo = "phnt PERFINFO_TRACE_HEADER; 64 bit seen"
	refFull     = "evntrace.h EVENT_TRACE_HEADER; seen"
	refInstance = "evntrace.h EVENT_INSTANCE_GUID_HEADER, before 1.1 EVENT_INSTANCE_HEADER; documented"
	refEvent    = "evntcons.h EVENT_HEADER; seen"
	refMessage  = "evntrace.h MESSAGE_TRACE_HEADER, TraceMessage; seen"
	refOther    = "phnt TRACE_HEADER_TYPE_*; the name only"
	refWnode    = "wmistr.h WNODE_HEADER; documented"
)

// headerSpecs is indexed by header type. For a type without a row, only the size is read.
var headerSpecs = [256]headerSpec{
	TypeSystem32:   {"SYSTEM32", FamilySystem, 0x20, 4, sizeAtFour, 0x10, refSystem},
	TypeSystem64:   {"SYSTEM64", FamilySystem, 0x20, 8, sizeAtFour, 0x10, refSystem},
	TypeCompact32:  {"COMPACT32", FamilySystem, 0x18, 4, sizeAtFour, 0x10, refCompact},
	TypeCompact64:  {"COMPACT64", FamilySystem, 0x18, 8, sizeAtFour, 0x10, refCompact},
	TypeFull32:     {"FULL_HEADER32", FamilyEventTrace, 0x30, 4, sizeAtStart, 0x10, refFull},
	TypeInstance32: {"INSTANCE32", FamilyInstance, 0x48, 4, sizeAtStart, 0x10, refInstance},
	TypeTimed:      {"TIMED", FamilyOther, minEventSize, noPointerSize, sizeAtStart, noTime, refOther},
	TypeError:      {"ERROR", FamilyOther, minEventSize, noPointerSize, sizeAtStart, noTime, refOther},
	TypeWnode:      {"WNODE_HEADER", FamilyOther, 0x30, noPointerSize, sizeAtStart, 0x10, refWnode},
	TypePerfInfo32: {"PERFINFO32", FamilyPerfInfo, 0x10, 4, sizeAtFour, 0x08, refPerfInfo},
	TypePerfInfo64: {"PERFINFO64", FamilyPerfInfo, 0x10, 8, sizeAtFour, 0x08, refPerfInfo},
	TypeEvent32:    {"EVENT_HEADER32", FamilyEvent, 0x50, 4, sizeAtStart, 0x10, refEvent},
	TypeEvent64:    {"EVENT_HEADER64", FamilyEvent, 0x50, 8, sizeAtStart, 0x10, refEvent},
	TypeFull64:     {"FULL_HEADER64", FamilyEventTrace, 0x30, 8, sizeAtStart, 0x10, refFull},
	TypeInstance64: {"INSTANCE64", FamilyInstance, 0x48, 8, sizeAtStart, 0x10, refInstance},
	TypeMessage:    {"MESSAGE", FamilyMessage, 8, noPointerSize, sizeAtStart, noTime, refMessage},
}

// unknownSpec is for events for which only the marker and the size are known.
var unknownSpec = headerSpec{"UNKNOWN", FamilyOther, minEventSize, noPointerSize, sizeAtStart, noTime, refOther}

// String returns the name of the header type in the documentation of ETW, without its prefix.
func (t HeaderType) String() string { return t.spec().name }

// Family returns the family of the header type.
func (t HeaderType) Family() Family { return t.spec().family }

func (t HeaderType) spec() *headerSpec {
	if s := &headerSpecs[t]; s.name != "" {
		return s
	}
	return &unknownSpec
}

// markerSpec returns the spec for an event that begins with marker; ok is false if
// no event can begin with it.
func markerSpec(marker uint32) (s *headerSpec, t HeaderType, ok bool) {
	switch flags := marker >> 24; {
	case flags == markerTyped:
		t = HeaderType(marker >> 16)
		if s = &headerSpecs[t]; s.name != "" && t != TypeMessage {
			return s, t, true
		}
		return &unknownSpec, t, true
	case flags == markerMessage:
		return &headerSpecs[TypeMessage], TypeMessage, true
	case flags&markerFlag != 0 && marker != markerEnd:
		return &unknownSpec, TypeUnknown, true
	}
	return nil, TypeUnknown, false
}

// Marker returns the first four bytes of an event.
func Marker(raw []byte) uint32 { return le.Uint32(raw) }
