package decode

// StartSize is the size of the start that all events have: the marker, and then, by type, the size,
// the hook or the class.
const StartSize = 8

// Start is the result of reading the first bytes of an event.
type Start struct {
	Type       HeaderType
	Size       int // of the event
	HeaderSize int // with the optional fields of messages, without counters and extended items; 0 if unknown
	// The counters that follow the header of an event of [FamilySystem] or [FamilyPerfInfo].
	Counters Counters
}

// ParseStart reads the first [StartSize] bytes of an event. For a type whose header is unknown,
// only the size is valid.
func ParseStart(b []byte) (Start, error) {
	if len(b) < StartSize {
		return Start{}, BlobError(0, "event header", ErrTruncated, "%d bytes, at least %d are needed", len(b), StartSize)
	}
	marker := le.Uint32(b)
	spec, t, ok := markerSpec(marker)
	switch {
	case marker == markerEnd:
		return Start{}, BlobError(0, "event header", ErrCorrupt, "%#08x is not an event: it ends the events of a buffer", marker)
	case !ok:
		return Start{}, BlobError(0, "event header", ErrCorrupt, "no event begins with %#08x: the highest bit is not set", marker)
	}
	s := Start{Type: t, Size: int(le.Uint16(b[spec.sizeAt:])), HeaderSize: t.Size()}
	switch spec.family {
	case FamilySystem, FamilyPerfInfo:
		version := le.Uint16(b)
		s.Counters = Counters{HasPEBS: version&versionPEBS != 0, PMC: int(version & versionPMCMask >> versionPMCShift)}
	case FamilyMessage:
		s.HeaderSize = int(MessageHeader(b).layout().size)
	}
	least := max(minEventSize, s.HeaderSize)
	if spec.family == FamilyInstance {
		least = oldInstanceSize
	}
	if s.Size < least {
		return s, BlobError(int(spec.sizeAt), spec.name+" Size", ErrCorrupt, "%#x bytes, but the header has %#x", s.Size, least)
	}
	return s, nil
}

// PointerSize returns the size of pointers in the payload of events with a header of this type, or
// 0 if the type does not state it.
func (t HeaderType) PointerSize() int { return int(t.spec().pointerSize) }

// Ref returns the source of the layout.
func (t HeaderType) Ref() string { return t.spec().ref }

// Size returns the size of headers of this type, before counters, optional fields and extended
// items; 0 if unknown. INSTANCE headers were smaller up to version 1.0 of the log file.
func (t HeaderType) Size() int {
	if t.Family() == FamilyOther {
		return 0
	}
	return int(t.spec().size)
}
