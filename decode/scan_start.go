package decode

import (
	"errors"
	"io"
	"math"
)

// start reads the first buffer, and the trace header in it.
func (s *scanner) start() error {
	f := s.f
	if ok, err := s.backup(); ok || err != nil {
		return err
	}
	h, err := s.headerAt(0)
	if err != nil {
		return err
	}
	if h == nil {
		return &Error{Buffer: -1, Offset: 0, Pos: -1, Err: causef(ErrNotETL, "it has only %d bytes", f.size)}
	}
	// Until the trace header is known, trust its buffer.
	f.buffers = []BufferInfo{{Size: s.firstSize(h), Header: *h}}
	var b Buffer
	var damage *Error
	if err := f.ReadBuffer(0, &b); err != nil && !errors.As(err, &damage) {
		return err
	}
	headerErr := s.traceHeader(&b)
	f.buffers = nil
	f.format = h.State & 0xffff
	if headerErr == nil {
		s.usual = f.header.BufferSize
		s.packed = f.header.LogFileMode&modeCompressed != 0
		return nil
	}
	holds, err := s.holdsEvents(0, h)
	if err != nil {
		return err
	}
	if h.sane() && (holds || h.BufferType == bufferTypeHeader || s.credible(int64(h.BufferSize))) {
		s.fault(FaultDamage, headerErr)
		return nil
	}
	next, err := s.search(1, min(f.size, 2*MaxBufferSize), true)
	if err != nil {
		return err
	}
	if next == f.size && *h == (BufferHeader{}) {
		return &Error{Buffer: -1, Offset: 0, Pos: -1, Err: causef(ErrNotETL, "it begins with zeros: its contents were never written, or are lost: record or copy it again")}
	}
	if next == f.size {
		return &Error{Buffer: -1, Offset: 0, Pos: -1, Err: causef(ErrNotETL, "it does not begin with a trace buffer")}
	}
	if h, err = s.headerAt(next); err != nil {
		return err
	}
	s.packed = h.Compressed() // then a size that no neighbour confirms is not doubtful
	s.fault(FaultDamage, headerErr)
	return nil
}

// firstSize returns the size of the first buffer or, if that is damaged, as many
// bytes as a trace header may need.
func (s *scanner) firstSize(h *BufferHeader) uint32 {
	const enough = 64 << 10
	size := int64(h.BufferSize)
	if !h.sane() {
		size = enough
	}
	return uint32(min(size, s.f.size))
}

// traceHeader reads the trace header from the first buffer.
func (s *scanner) traceHeader(b *Buffer) error {
	b.Header.Offset, b.Header.SavedOffset = 0, 0 // the event's own size is enough
	b.end = len(b.Data)
	var ev Event
	if err := b.Next(&ev); err != nil {
		if errors.Is(err, io.EOF) {
			return b.errorAt(BufferHeaderSize, "trace header event", ErrTruncated, "the buffer ends before it")
		}
		return err
	}
	if (ev.Type != TypeSystem32 && ev.Type != TypeSystem64) || ev.System().HookID() != hookTraceHeader {
		return b.errorAt(ev.Offset, "trace header event", ErrCorrupt, "the first event has the type %s", ev.Type)
	}
	header, err := parseTraceHeader(&ev)
	if s.isOld(b, &ev, &header) {
		header.Kind = FileOldLog
	} else if header.MajorVersion != 0 && header.MajorVersion < majorVersionVista {
		const where = "TRACE_LOGFILE_HEADER.VersionDetail"
		wrong := "Windows NT %d.%d had no build %d"
		if header.ProviderVersion < buildVista {
			wrong = "Windows NT %d.%d build %d, but the buffers are those of Windows Vista (6.0) or later"
			s.old = b.errorAt(ev.Offset, where, ErrUnsupported,
				"written by Windows NT %d.%d; only traces of Windows Vista (6.0) and later can be read", header.MajorVersion, header.MinorVersion)
		}
		s.fault(FaultDamage, b.errorAt(ev.Offset, where, ErrCorrupt, wrong, header.MajorVersion, header.MinorVersion, header.ProviderVersion))
	}
	s.f.header = header
	if err != nil {
		s.fault(FaultDamage, b.errorAt(ev.Offset, "TRACE_LOGFILE_HEADER", err, "the other fields are read as 0"))
	}
	return nil
}

// checkVersion rejects a file from before Windows Vista. The trace header does not
// decide alone, because its version can be damaged: it is if a buffer after the
// first can be read in the format of Vista and later.
func (s *scanner) checkVersion() error {
	if s.old == nil {
		return nil
	}
	var b Buffer
	for i := range s.f.buffers {
		if info := &s.f.buffers[i]; info.Offset == 0 || info.Damaged {
			continue
		}
		if whole, err := s.f.readsWhole(i, &b); whole || err != nil {
			return err
		}
	}
	return s.old
}

// findTicks takes the clock's first ticks from the first event that has some, if the trace header is
// damaged or missing: they show whether the clock counts in FILETIMEs.
func (s *scanner) findTicks() error {
	h := &s.f.header
	if h.ClockType != 0 || h.EventTicks != 0 || h.StartTime != 0 || h.PerfFreq != 0 {
		return nil
	}
	var b Buffer
	for i := range s.f.buffers {
		if s.f.buffers[i].Damaged {
			continue
		}
		whole, err := s.f.readsWhole(i, &b)
		if err != nil {
			return err
		}
		if !whole {
			continue
		}
		if err := s.f.ReadBuffer(i, &b); err != nil {
			return err
		}
		for {
			var ev Event
			if err := b.Next(&ev); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
			if ev.Time > 0 {
				h.EventTicks = ev.Time
				return nil
			}
		}
	}
	return nil
}

// mendTicks replaces the time of the trace header event if it cannot be on the clock of the events
// after it, from which all times are counted, by that of the next event.
func (s *scanner) mendTicks() error {
	f := s.f
	if len(f.buffers) == 0 {
		return nil
	}
	flushed := f.buffers[0].Header.TimeStamp
	if ticks := f.header.EventTicks; f.isTime(ticks) && flushed != 0 && f.isTime(flushed) {
		return nil
	}
	var b Buffer
	var damage *Error
	if err := f.ReadBuffer(0, &b); err != nil && !errors.As(err, &damage) {
		return err
	}
	b.first, b.spread = MinTicks, math.MaxUint64
	var times []Ticks
	for ev := (Event{}); len(times) < 3 && b.Next(&ev) == nil; {
		if ev.Timed {
			times = append(times, ev.Time)
		}
	}
	if len(times) < 3 || times[0] != f.header.EventTicks || f.isTime(times[0]) && f.isTime(times[1]) {
		return nil
	}
	header := f.header
	header.EventTicks = times[1]
	clock := header.Clock()
	if first, last := clock.Range(); times[1] >= first && times[2] >= first && times[1] <= last && times[2] <= last {
		f.header = header
		f.limitTimes()
	}
	return nil
}

// readsWhole reports whether buffer i consists of events of known types up to its end.
func (f *File) readsWhole(i int, b *Buffer) (bool, error) {
	var damage *Error
	if err := f.ReadBuffer(i, b); err != nil && !errors.As(err, &damage) {
		return false, err
	}
	for events := 0; damage == nil; events++ {
		var ev Event
		if err := b.Next(&ev); err != nil {
			return events > 0 && errors.Is(err, io.EOF), nil
		}
		if ev.Type.spec() == &unknownSpec {
			break
		}
	}
	return false, nil
}
