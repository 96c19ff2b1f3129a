package decode

import "io"

// Buffer is one trace buffer in memory, decompressed. Its memory belongs to the
// caller of [File.ReadBuffer] and is reused by the next call, so the events in
// it are valid only until then.
type Buffer struct {
	Index  int          // in file order
	Header BufferHeader //
	Data   []byte       // the header as in the file, then the events

	offset       int64  // of the buffer in the file
	end          int    // of the events in Data
	pos          int    // of the next event
	start        Ticks  // time of the events before the first one with a time stamp
	first        Ticks  // time that can be; see [Clock.Range]
	spread       uint64 // from it to the last one
	last         Ticks  // time of the last event, for events without a time stamp
	sought       bool   // last is from an event, if any event of the buffer has a time
	qpcClock     bool   // the session counts QPC ticks
	instanceSize uint8  // of INSTANCE headers in this trace
	opaque       bool   // the data are not events
	compressed   []byte // as read from the file
}

// Event is one event, located in its buffer. [Buffer.Next] fills it. A buffer of
// context switches (BufferType 2), which holds no events, is returned as a single
// event of [TypeUnknown] that spans all its data.
type Event struct {
	Raw    []byte     // from the marker to the end of the payload; aliases the buffer
	Offset int        // in the decompressed buffer
	Type   HeaderType //
	Family Family     //
	Time   Ticks      // its own time or, if Timed is false, the time of the previous event
	Timed  bool       //

	// BadTime is true if its own time cannot be: see [Clock.Time]. Its place in the order of events is
	// that in its buffer, so that Time is that of the previous event, or of the next one if it is the
	// first.
	BadTime bool

	header uint8 // bytes of Raw before extras and payload
}

// End returns the position at which the events of the buffer end.
func (b *Buffer) End() int { return b.end }

// Stored returns the bytes of the buffer as they are in the file, valid until the next call of
// [File.ReadBuffer].
func (b *Buffer) Stored() []byte {
	if b.Header.Compressed() {
		return b.compressed
	}
	return b.Data
}

// Pos returns the position up to which [Buffer.Next] has read.
func (b *Buffer) Pos() int { return b.pos }

// PacksSwitches reports whether the buffer is a batch of packed context switches, which package
// decode/ccswap reads.
func (b *Buffer) PacksSwitches() bool { return b.opaque }

// Rewind makes [Buffer.Next] start again at the first event.
func (b *Buffer) Rewind() {
	b.pos, b.last, b.sought = BufferHeaderSize, b.start, false
}

// Next fills ev with the next event, or returns io.EOF at the end. At bytes that
// are not an event it returns an *Error and ends the buffer, because the position
// of the next event is then unknown.
func (b *Buffer) Next(ev *Event) error {
	pos := b.pos
	if b.end-pos < minEventSize {
		return b.finish()
	}
	data := b.Data[pos:b.end]
	if b.opaque {
		*ev = Event{Raw: data[:len(data):len(data)], Offset: pos, Type: TypeUnknown, Family: FamilyOther, Time: b.last}
		b.pos = b.end
		return nil
	}
	marker := le.Uint32(data)
	spec, t, ok := markerSpec(marker)
	if !ok {
		if marker == markerEnd {
			b.pos = b.end
			return io.EOF
		}
		return b.fail("event marker", ErrCorrupt, "%#08x is not the start of an event", marker)
	}
	size := int(le.Uint16(data[spec.sizeAt:]))
	header := spec.size
	if spec.family == FamilyInstance {
		header = b.instanceSize
	}
	if size < int(header) {
		return b.fail("event Size", ErrCorrupt, "an event of %d bytes is shorter than its %s header of %d bytes", size, spec.name, header)
	}
	if size > len(data) {
		return b.fail("event Size", ErrTruncated, "an event of %d bytes, but %d bytes are left", size, len(data))
	}
	next := nextEvent(size)
	if spec == &unknownSpec && !eventFollows(data, next) {
		return b.fail("event marker", ErrUnsupported, "%#08x is unknown, and no event follows after its %d bytes", marker, size)
	}
	ev.Raw = data[:size:size]
	ev.Offset = pos
	ev.Type = t
	ev.Family = spec.family
	ev.header = header
	ev.Timed, ev.BadTime = spec.timeAt != noTime, false
	if ev.Timed {
		b.setTime(ev, Ticks(le.Uint64(data[spec.timeAt:])))
	} else if spec.family == FamilyMessage {
		if err := b.messageTime(ev); err != nil {
			return err
		}
	}
	ev.Time = b.last
	b.pos = min(pos+next, b.end)
	return nil
}

// setTime sets the time of an event that has one.
func (b *Buffer) setTime(ev *Event, t Ticks) {
	if uint64(t)-uint64(b.first) <= b.spread {
		b.last = t
		return
	}
	ev.Timed, ev.BadTime = false, true
	if !b.sought {
		b.seekTime()
	}
}

// seekTime makes the time of the first event that has one the time of those before it.
func (b *Buffer) seekTime() {
	b.sought = true
	ahead := *b
	ahead.pos = BufferHeaderSize
	for {
		var ev Event
		if ahead.Next(&ev) != nil {
			return
		}
		if !ev.Timed {
			continue
		}
		if ahead.pos > b.pos {
			b.last = ev.Time
		}
		return
	}
}

// nextEvent returns the distance from an event of this size to the next event.
func nextEvent(size int) int { return (size + eventAlignment - 1) &^ (eventAlignment - 1) }

// isOpaque reports whether the buffer holds packed context switches (phnt PERFINFO_CCSWAP_BUFFER;
// not seen in a trace). If it starts with an event of a known type, it holds events like any other
// buffer.
func (b *Buffer) isOpaque() bool {
	if b.Header.BufferType != bufferTypeContextSwap {
		return false
	}
	data := b.Data[BufferHeaderSize:b.end]
	if len(data) < minEventSize {
		return false
	}
	spec, _, ok := markerSpec(le.Uint32(data))
	if !ok || spec == &unknownSpec {
		return true
	}
	size := int(le.Uint16(data[spec.sizeAt:]))
	next := nextEvent(size)
	return size < int(spec.size) || size > len(data) || !eventFollows(data, next)
}

// eventFollows reports whether an event, the end marker or the end of the data is
// at next. The size of an unknown event is trusted only if this is true.
func eventFollows(data []byte, next int) bool {
	if len(data)-next < minEventSize {
		return true
	}
	marker := le.Uint32(data[next:])
	_, _, ok := markerSpec(marker)
	return ok || marker == markerEnd
}

// finish ends the walk. It reports bytes that are too few for an event, unless they are padding.
func (b *Buffer) finish() error {
	rest := b.Data[b.pos:b.end]
	for _, c := range rest {
		if c != 0 && c != 0xff {
			return b.fail("event marker", ErrTruncated, "%d bytes are left; an event has at least %d", len(rest), minEventSize)
		}
	}
	b.pos = b.end
	return io.EOF
}

// fail ends the walk with an error at the current position.
func (b *Buffer) fail(where string, cause error, format string, args ...any) error {
	err := b.errorAt(b.pos, where, cause, format, args...)
	b.pos = b.end
	return err
}

func (b *Buffer) errorAt(pos int, where string, cause error, format string, args ...any) *Error {
	return &Error{Buffer: b.Index, Offset: b.offset, Pos: pos, Where: where, Err: causef(cause, format, args...)}
}
