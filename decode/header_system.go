package decode

// SystemHeader is a SYSTEM_TRACE_HEADER (0x20 bytes), or a COMPACT one (0x18),
// which lacks the two times. Kernel loggers write it.
type SystemHeader []byte

// System returns the header of an event of [FamilySystem].
func (ev *Event) System() SystemHeader { return SystemHeader(ev.Raw[:ev.header]) }

// Version is the event's version: 0x00, low byte.
func (h SystemHeader) Version() uint8 { return h[0x00] }

// HookID is Group<<8 | Type: 0x06.
func (h SystemHeader) HookID() uint16 { return le.Uint16(h[0x06:]) }

// ThreadID is at 0x08; 0xFFFFFFFF means none.
func (h SystemHeader) ThreadID() uint32 { return le.Uint32(h[0x08:]) }

// ProcessID is at 0x0C; 0xFFFFFFFF means none.
func (h SystemHeader) ProcessID() uint32 { return le.Uint32(h[0x0c:]) }

// Times returns the thread's time in kernel and in user mode so far, in units
// of the trace's timer resolution: 0x18 and 0x1C. COMPACT headers have none.
func (h SystemHeader) Times() (kernel, user uint32, ok bool) {
	if len(h) < 0x20 {
		return 0, 0, false
	}
	return le.Uint32(h[0x18:]), le.Uint32(h[0x1c:]), true
}
