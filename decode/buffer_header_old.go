package decode

// minorVersion2003 is the minor version of Windows Server 2003 and XP x64: 5.2.
const minorVersion2003 = 2

// parseOldBufferHeader reads the WMI_BUFFER_HEADER of Windows 2000, XP and Server 2003, by public
// type information; no file has been seen. The header does not state the size of the buffer, which
// is TRACE_LOGFILE_HEADER.BufferSize, and has no sequence number. The function does not read
// ReferenceCount (0x00), CurrentOffset (0x08), UsePerfClock (0x0C), Guid (0x18) and InstanceGuid or
// pointers (0x38). The word at 0x34 is EventsLost until XP, BufferFlag and BufferType in 2003.
func parseOldBufferHeader(b *[BufferHeaderSize]byte, size uint32, minorVersion uint8) BufferHeader {
	h := BufferHeader{
		BufferSize:  size,
		SavedOffset: le.Uint32(b[0x04:]),
		TimeStamp:   int64(le.Uint64(b[0x10:])),
		Processor:   uint16(b[0x28]),
		LoggerID:    le.Uint16(b[0x2a:]),
		State:       le.Uint32(b[0x2c:]),
		Offset:      le.Uint32(b[0x30:]),
	}
	if minorVersion >= minorVersion2003 {
		h.BufferFlag, h.BufferType = BufferFlag(le.Uint16(b[0x34:])), le.Uint16(b[0x36:])
	} else if le.Uint32(b[0x34:]) != 0 {
		h.BufferFlag = BufferEventsLost
	}
	return h
}

// isOld reports whether the first buffer is one of Windows 2000, XP or Server 2003: the version in
// the trace header and the marker of the event are from that time, and the buffer header has the
// old form, not that of a later Windows.
func (s *scanner) isOld(b *Buffer, ev *Event, header *TraceHeader) bool {
	const oldMarkerVersion = 1
	if header.MajorVersion != 5 || ev.System().Version() != oldMarkerVersion {
		return false
	}
	raw := (*[BufferHeaderSize]byte)(b.Data)
	if later := parseBufferHeader(raw); later.sane() {
		return false
	}
	old := parseOldBufferHeader(raw, header.BufferSize, header.MinorVersion)
	return old.sane() && old.Offset > BufferHeaderSize
}
