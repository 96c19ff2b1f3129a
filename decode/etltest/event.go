package etltest

import (
	"encoding/binary"
	"fmt"
)

// Event is one event. Only the fields that the header of its Kind has are written; all may be left
// zero.
type Event struct {
	Kind Kind
	Time int64 // ticks of the trace's clock; see Trace.Ticks

	PID, TID             uint32
	KernelTime, UserTime uint32 // together a u64 ProcessorTime, low half first, in private sessions

	Hook    uint16 // system, compact and perfinfo: group<<8 | type
	Version uint16 // a byte in all but full and instance headers

	GUID       GUID // class, provider or message
	ID         uint16
	Opcode     uint8 // class type in full and instance headers
	Level      uint8
	Channel    uint8
	Task       uint16
	Keyword    uint64
	Flags      uint16 // Event32/64: beyond EXTENDED_INFO; Message: the option flags
	Property   uint16
	Activity   GUID
	ParentGUID GUID // Instance32/64

	Instance, ParentInstance   uint32
	RegHandle, ParentRegHandle uint64 // OldInstance32/64

	Sequence  uint32 // Message, with MessageSequence
	Component uint32 // Message, with MessageComponent
	PerfTime  int64  // Message, with MessagePerfTime

	PEBS  *uint64  // system, compact and perfinfo: the PEBS index, if any
	PMC   []uint64 // system, compact and perfinfo: up to seven counters
	Items []Item   // Event32/64: extended data items

	Payload []byte

	Set   Fields  // header fields to spoil
	Patch []Patch // bytes to spoil, from the event's start
	Pad   []byte  // if not nil, follows the event instead of zeros up to the next multiple of 8
}

// The option flags of a Message: which parts its header has.
const (
	MessageSequence   = 0x01
	MessageGUID       = 0x02
	MessageComponent  = 0x04
	MessageTime       = 0x08
	MessagePerfTime   = 0x10
	MessageSystemInfo = 0x20
	MessagePointer32  = 0x40
	MessagePointer64  = 0x80
)

// ExtendedInfo is the flag of an Event32 or Event64 that extended items follow.
const ExtendedInfo = 0x0001

// Append appends the event's bytes and zeros up to the next multiple of 8,
// counted from the event's start.
func (e *Event) Append(dst []byte) ([]byte, error) {
	if e.Kind == 0 || int(e.Kind) >= len(headerSpecs) {
		return dst, fmt.Errorf("event of kind %d", e.Kind)
	}
	spec := &headerSpecs[e.Kind]
	start := len(dst)
	dst = zeros(dst, spec.size)
	header := dst[start:]
	if spec.size > 0 {
		header[2], header[3] = spec.typ, spec.marker
	}
	for _, f := range spec.fields {
		if f.get != nil {
			put(header[f.off:], f.size, f.get(e))
		}
	}
	for _, g := range spec.guids {
		guid := g.get(e)
		copy(header[g.off:], guid[:])
	}

	switch e.Kind {
	case System32, System64, Compact32, Compact64, PerfInfo32, PerfInfo64:
		if e.Version > 0xFF {
			return dst[:start], fmt.Errorf("version %#x does not fit in a byte", e.Version)
		}
		if len(e.PMC) > 7 {
			return dst[:start], fmt.Errorf("%d counters, a header counts at most 7", len(e.PMC))
		}
		if e.PEBS != nil {
			dst = binary.LittleEndian.AppendUint64(dst, *e.PEBS)
		}
		for _, v := range e.PMC {
			dst = binary.LittleEndian.AppendUint64(dst, v)
		}
	case Event32, Event64:
		if e.Version > 0xFF {
			return dst[:start], fmt.Errorf("version %#x does not fit in a byte", e.Version)
		}
		dst = appendItems(dst, e.Items)
	case Message:
		dst = e.appendMessageParts(dst)
	}
	dst = append(dst, e.Payload...)

	event := dst[start:]
	if spec.size > 0 {
		_, lied := e.Set["size"]
		if len(event) > 0xFFFF && !lied {
			return dst[:start], fmt.Errorf("event of %#x bytes, the size field holds at most 0xffff", len(event))
		}
		put(event[spec.sizeAt:], 2, uint64(len(event)&0xFFFF))
	} else if len(e.Set) > 0 && len(event) < 4 {
		dst = zeros(dst, 4-len(event)) // room for the marker
		event = dst[start:]
	}
	if err := e.Set.set(event, spec.find); err != nil {
		return dst[:start], err
	}
	if err := patch(event, e.Patch); err != nil {
		return dst[:start], err
	}
	if e.Pad != nil {
		return append(dst, e.Pad...), nil
	}
	return zeros(dst, align8(len(event))-len(event)), nil
}

// appendMessageParts appends the optional parts of a message header, in the
// order of their flags.
func (e *Event) appendMessageParts(dst []byte) []byte {
	le := binary.LittleEndian
	if e.Flags&MessageSequence != 0 {
		dst = le.AppendUint32(dst, e.Sequence)
	}
	if e.Flags&MessageGUID != 0 {
		dst = append(dst, e.GUID[:]...)
	} else if e.Flags&MessageComponent != 0 {
		dst = le.AppendUint32(dst, e.Component)
	}
	if e.Flags&MessageTime != 0 {
		dst = le.AppendUint64(dst, uint64(e.Time))
	}
	if e.Flags&MessagePerfTime != 0 {
		dst = le.AppendUint64(dst, uint64(e.PerfTime))
	}
	if e.Flags&MessageSystemInfo != 0 {
		dst = le.AppendUint32(dst, e.TID)
		dst = le.AppendUint32(dst, e.PID)
	}
	return dst
}

// pointerSize is the width of the payload's pointers.
func (e *Event) pointerSize() int {
	if p := headerSpecs[e.Kind].ptr; p != 0 {
		return p
	}
	if e.Flags&MessagePointer32 != 0 {
		return 4
	}
	return 8
}
