package decode

import "github.com/etl2parquet/etl2parquet/schema"

// MessageHeader is an event with a MESSAGE_TRACE_HEADER (8 bytes) and the optional
// fields that its flags announce. WPP and TraceMessage write it.
type MessageHeader []byte

// Message returns the header of an event of [FamilyMessage].
func (ev *Event) Message() MessageHeader { return MessageHeader(ev.Raw) }

// MessageFlags is Packet.OptionFlags of a MESSAGE_TRACE_HEADER.
type MessageFlags uint16

// Message flags (evntrace.h TRACE_MESSAGE_*).
const (
	MessageSequence             MessageFlags = 0x01 // u32
	MessageGUID                 MessageFlags = 0x02 // GUID
	MessageComponentID          MessageFlags = 0x04 // u32, unless MessageGUID is set
	MessageTimestamp            MessageFlags = 0x08 // i64 of the session's clock
	MessagePerformanceTimestamp MessageFlags = 0x10 // i64 QPC, instead of MessageTimestamp
	MessageSystemInfo           MessageFlags = 0x20 // u32 ThreadId, u32 ProcessId
	MessagePointer32            MessageFlags = 0x40 // no bytes
	MessagePointer64            MessageFlags = 0x80 // no bytes
	messageFieldFlags                        = 0x3f // the flags that decide the layout
)

const messageHeaderSize = 8

// messageLayout holds the positions of the optional fields, 0 for none.
type messageLayout struct {
	sequence, guid, component, time, systemInfo, size uint8
}

// messageLayouts is indexed by the flags that decide the layout.
var messageLayouts = func() (table [messageFieldFlags + 1]messageLayout) {
	for i := range table {
		flags := MessageFlags(i)
		l := messageLayout{size: messageHeaderSize}
		place := func(at *uint8, when bool, size uint8) {
			if when {
				*at = l.size
				l.size += size
			}
		}
		place(&l.sequence, flags&MessageSequence != 0, 4)
		place(&l.guid, flags&MessageGUID != 0, 16)
		place(&l.component, flags&(MessageComponentID|MessageGUID) == MessageComponentID, 4)
		place(&l.time, flags&(MessageTimestamp|MessagePerformanceTimestamp) != 0, 8)
		place(&l.systemInfo, flags&MessageSystemInfo != 0, 8)
		table[i] = l
	}
	return table
}()

func (h MessageHeader) layout() *messageLayout {
	return &messageLayouts[h.Flags()&messageFieldFlags]
}

// Number is the message number: 0x04.
func (h MessageHeader) Number() uint16 { return le.Uint16(h[0x04:]) }

// Flags is at 0x06.
func (h MessageHeader) Flags() MessageFlags { return MessageFlags(le.Uint16(h[0x06:])) }

// Sequence returns the sequence number.
func (h MessageHeader) Sequence() (n uint32, ok bool) { return h.u32(h.layout().sequence) }

// GUID returns the GUID of the message's source file and provider.
func (h MessageHeader) GUID() (id schema.GUID, ok bool) {
	at := h.layout().guid
	if at == 0 {
		return id, false
	}
	return guidAt(h[at:]), true
}

// ComponentID returns the component, which replaces the GUID.
func (h MessageHeader) ComponentID() (id uint32, ok bool) { return h.u32(h.layout().component) }

// ThreadID returns the thread.
func (h MessageHeader) ThreadID() (id uint32, ok bool) { return h.u32(h.layout().systemInfo) }

// ProcessID returns the process.
func (h MessageHeader) ProcessID() (id uint32, ok bool) {
	at := h.layout().systemInfo
	if at == 0 {
		return 0, false
	}
	return h.u32(at + 4)
}

// Time returns the time stamp. If qpc is true, it counts QPC ticks whatever the session's clock is.
func (h MessageHeader) Time() (t Ticks, qpc, ok bool) {
	at := h.layout().time
	if at == 0 {
		return 0, false, false
	}
	return Ticks(le.Uint64(h[at:])), h.Flags()&MessageTimestamp == 0, true
}

// PointerSize returns the size of pointers among the arguments, or 0.
func (h MessageHeader) PointerSize() int {
	switch flags := h.Flags(); {
	case flags&MessagePointer64 != 0:
		return 8
	case flags&MessagePointer32 != 0:
		return 4
	}
	return 0
}

func (h MessageHeader) u32(at uint8) (v uint32, ok bool) {
	if at == 0 {
		return 0, false
	}
	return le.Uint32(h[at:]), true
}

// messageTime checks that a message holds the fields that its flags announce, and
// sets its time if the time stamp is on the session's clock.
func (b *Buffer) messageTime(ev *Event) error {
	h := ev.Message()
	if need := int(h.layout().size); need > len(h) {
		return b.fail("MESSAGE_TRACE_HEADER.OptionFlags", ErrCorrupt, "flags %#04x need %d bytes, the event has %d", uint16(h.Flags()), need, len(h))
	}
	t, qpc, ok := h.Time()
	if ev.Timed = ok && (!qpc || b.qpcClock); ev.Timed {
		b.setTime(ev, t)
	}
	return nil
}
