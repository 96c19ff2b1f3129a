package decode

import (
	"errors"
	"io"
)

// scanner finds the buffers of a file. Each buffer says how long it is, so
// one step follows another; where that breaks, the scanner looks for the next
// place that has everything a buffer begins with.
type scanner struct {
	f     *File
	usual uint32 // size of the plain buffers in this file, 0 if not yet known
	// What seek has in memory.
	window   []byte
	windowAt int64
	// The last result of seek: no buffer begins in [seekFrom, seekTo).
	seekFrom, seekTo int64
}

// start reads the first buffer, and the trace header in it.
func (s *scanner) start() error {
	f := s.f
	h, err := s.headerAt(0)
	if err != nil {
		return err
	}
	if h == nil {
		return &Error{Buffer: -1, Offset: 0, Pos: -1, Err: causef(ErrNotETL, "%d bytes", f.size)}
	}
	// For as long as the trace header is not known, take its buffer on trust.
	f.buffers = []BufferInfo{{Size: s.firstSize(h), Header: *h}}
	var b Buffer
	if err := f.ReadBuffer(0, &b); err != nil {
		return err
	}
	headerErr := s.traceHeader(&b)
	f.buffers = nil
	if errors.Is(headerErr, ErrUnsupported) {
		return headerErr
	}
	if headerErr == nil {
		s.usual = f.header.BufferSize
		f.format = h.State & 0xffff
		return nil
	}
	if h.sane() && (h.BufferType == bufferTypeHeader || s.credible(int64(h.BufferSize))) {
		s.fault(FaultDamage, headerErr)
		return nil
	}
	next, err := s.seek(1, true)
	if err != nil {
		return err
	}
	if next == f.size {
		return &Error{Buffer: -1, Offset: 0, Pos: -1, Err: causef(ErrNotETL, "it does not begin with a trace buffer")}
	}
	s.fault(FaultDamage, headerErr)
	return nil
}

// firstSize returns how much of the file to take for the first buffer: its
// size, or if that is damaged as much as a trace header may need.
func (s *scanner) firstSize(h *BufferHeader) uint32 {
	const enough = 64 << 10
	size := int64(h.BufferSize)
	if !h.saneSize() {
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
		return b.errorAt(ev.Offset, "trace header event", ErrCorrupt, "the first event is another, of type %s", ev.Type)
	}
	header, err := parseTraceHeader(&ev)
	if header.MajorVersion != 0 && header.MajorVersion < majorVersionVista {
		return b.errorAt(ev.Offset, "TRACE_LOGFILE_HEADER.VersionDetail", ErrUnsupported,
			"written by Windows NT %d.%d; buffers are read as Windows Vista (6.0) and later write them", header.MajorVersion, header.MinorVersion)
	}
	s.f.header = header
	if err != nil {
		s.fault(FaultDamage, b.errorAt(ev.Offset, "TRACE_LOGFILE_HEADER", err, "fields beyond read as 0"))
	}
	return nil
}

// run lists the buffers.
func (s *scanner) run() error {
	f := s.f
	for pos := int64(0); pos < f.size; {
		next, err := s.step(pos)
		if err != nil {
			return err
		}
		pos = next
	}
	return nil
}

// step adds the buffer at pos, if there is one, and returns where it ends.
func (s *scanner) step(pos int64) (next int64, err error) {
	h, err := s.headerAt(pos)
	if err != nil {
		return 0, err
	}
	left := s.f.size - pos
	if h == nil {
		s.faultAt(FaultMissing, pos, "WMI_BUFFER_HEADER", ErrTruncated, "%d bytes, a header has %d", left, BufferHeaderSize)
		return s.f.size, nil
	}
	if *h == (BufferHeader{}) || *h == onesHeader {
		return s.slack(pos)
	}
	size := int64(h.BufferSize)
	if h.sane() {
		if size <= left && s.credible(pos+size) {
			return s.add(pos, size, h, false), nil
		}
		return s.doubtful(pos, h)
	}
	switch usual := int64(s.usual); {
	case h.saneSize() && size < left && s.credible(pos+size):
	case usual >= BufferHeaderSize && usual <= left && s.credible(pos+usual):
		size = usual
	default:
		return s.lost(pos, h)
	}
	s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER", ErrCorrupt, "its fields contradict each other")
	return s.add(pos, size, h, true), nil
}

// onesHeader is what a region filled with 0xFF looks like.
var onesHeader = func() BufferHeader {
	var ones [BufferHeaderSize]byte
	for i := range ones {
		ones[i] = 0xff
	}
	return parseBufferHeader(&ones)
}()

// doubtful handles a good header that is not followed by another: its size may
// be wrong, what follows may be damaged, or the file may be cut.
func (s *scanner) doubtful(pos int64, h *BufferHeader) (next int64, err error) {
	size, left := int64(h.BufferSize), s.f.size-pos
	if usual := int64(s.usual); !h.Compressed() && size != usual && usual >= BufferHeaderSize && usual <= left && s.credible(pos+usual) {
		s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER.BufferSize", ErrCorrupt, "%#x, but the next buffer is %#x on", size, usual)
		return s.add(pos, usual, h, true), nil
	}
	next, err = s.seek(pos+BufferHeaderSize, false)
	if err != nil {
		return 0, err
	}
	switch {
	case next-pos >= size:
		return s.add(pos, size, h, false), nil
	case next == s.f.size:
		s.faultAt(FaultMissing, pos, "WMI_BUFFER_HEADER.BufferSize", ErrTruncated, "%#x, but the file ends after %#x", size, left)
		return s.add(pos, left, h, true), nil
	}
	s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER.BufferSize", ErrCorrupt, "%#x, but a buffer begins %#x on", size, next-pos)
	return s.add(pos, next-pos, h, true), nil
}

// lost handles bytes that have neither a good header nor a known length.
func (s *scanner) lost(pos int64, h *BufferHeader) (next int64, err error) {
	if next, err = s.seek(pos+1, false); err != nil {
		return 0, err
	}
	size := next - pos
	if size >= BufferHeaderSize+minEventSize && size <= MaxBufferSize {
		holds, err := s.holdsEvents(pos, h)
		if err != nil {
			return 0, err
		}
		if holds {
			s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER", ErrCorrupt, "its fields contradict each other")
			return s.add(pos, size, h, true), nil
		}
	}
	s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER", ErrCorrupt, "%#x bytes are no buffer", size)
	return next, nil
}

// holdsEvents reports whether, whatever is wrong with the header, events or a
// compressed stream follow it.
func (s *scanner) holdsEvents(pos int64, h *BufferHeader) (bool, error) {
	if h.Compressed() {
		return h.SavedOffset == h.Offset && h.SavedOffset >= BufferHeaderSize && h.SavedOffset <= MaxBufferSize, nil
	}
	var marker [4]byte
	if err := s.f.read(marker[:], pos+BufferHeaderSize); err != nil {
		return false, err
	}
	_, _, ok := markerSpec(le.Uint32(marker[:]))
	return ok, nil
}

// add lists a buffer and returns where it ends.
func (s *scanner) add(pos, size int64, h *BufferHeader, damaged bool) int64 {
	if !damaged && !h.Compressed() && h.BufferType != bufferTypeHeader {
		s.usual = h.BufferSize
	}
	s.f.buffers = append(s.f.buffers, BufferInfo{Offset: pos, Size: uint32(size), Damaged: damaged, Header: *h})
	return pos + size
}

// slack skips space that was set aside for a trace and never written.
func (s *scanner) slack(pos int64) (next int64, err error) {
	next, err = s.seek(pos+1, false)
	if err != nil {
		return 0, err
	}
	s.faultAt(FaultSlack, pos, "", ErrTruncated, "%#x bytes hold no buffer", next-pos)
	return next, nil
}

// headerAt reads the buffer header at pos, or returns nil where the file ends
// before it does.
func (s *scanner) headerAt(pos int64) (*BufferHeader, error) {
	if s.f.size-pos < BufferHeaderSize {
		return nil, nil
	}
	var b [BufferHeaderSize]byte
	if err := s.f.read(b[:], pos); err != nil {
		return nil, err
	}
	h := parseBufferHeader(&b)
	return &h, nil
}

// credible reports whether a buffer may end at pos: at the end of the file,
// or before another buffer or unused space.
func (s *scanner) credible(pos int64) bool {
	if pos > s.f.size {
		return false
	}
	h, err := s.headerAt(pos)
	if err != nil || h == nil { // an error comes again when pos is read for itself
		return true
	}
	return h.sane() || *h == (BufferHeader{}) || *h == onesHeader
}

func (s *scanner) fault(kind FaultKind, err error) {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Buffer: -1, Offset: -1, Pos: -1, Err: err}
	}
	if len(s.f.faults) == maxFaults {
		s.f.dropped++
		return
	}
	s.f.faults = append(s.f.faults, Fault{kind, e})
}

func (s *scanner) faultAt(kind FaultKind, pos int64, where string, cause error, format string, args ...any) {
	s.fault(kind, &Error{Buffer: len(s.f.buffers), Offset: pos, Pos: -1, Where: where, Err: causef(cause, format, args...)})
}
