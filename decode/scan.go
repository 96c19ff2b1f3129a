package decode

import (
	"errors"
)

// scanner finds the buffers of a file. It steps from buffer to buffer by the size
// in each header:
//
//  1. A size is trusted at once if it is the usual one and a buffer, unused space
//     or the end of the file follows.
//  2. Otherwise the scanner searches for the next position at which a buffer
//     certainly begins, and trusts the size unless it contradicts that position.
type scanner struct {
	f         *File
	usual     uint32 // size of the plain buffers in this file, 0 if not yet known
	lastPlain uint32 // size of the last plain buffer
	packed    bool   // buffers of this file are compressed
	wary      bool   // no size is trusted at once
	cut       bool   // buffers of this file end with their data
	from      int64  // where the buffers begin
	old       *Error // the trace header says that the file is from before Windows Vista
	// The part of the file that load has read.
	window   []byte
	windowAt int64
	peeked   [BufferHeaderSize]byte // what peek read last outside the window
	peekedAt int64                  // its position
	peekedN  int                    // its size; 0 if nothing was read
	searched stretch                // the result of the last call of next
	// The bytes that proven has read and decompressed.
	proofReads, proofBytes int64
}

// run lists the buffers. A compressed buffer can have any size, so a wrong size can
// silently skip other buffers. If fewer buffers are found than were written, run
// starts over and trusts no size at once.
func (s *scanner) run() error {
	f := s.f
	faults := len(f.faults)
	if err := s.pass(); err != nil {
		return err
	}
	if s.packed && int64(len(f.buffers)) < int64(f.header.BuffersWritten) {
		f.buffers, f.faults, f.dropped = f.buffers[:0], f.faults[:faults], 0
		s.wary = true
		if err := s.pass(); err != nil {
			return err
		}
	}
	if err := s.checkFormat(); err != nil {
		return err
	}
	if err := s.checkVersion(); err != nil {
		return err
	}
	return s.findTicks()
}

func (s *scanner) pass() error {
	for pos := s.from; pos < s.f.size; {
		next, err := s.step(pos)
		if err != nil {
			return err
		}
		pos = next
	}
	return nil
}

// step adds the buffer at pos, if there is one, and returns the position after it.
func (s *scanner) step(pos int64) (next int64, err error) {
	h, err := s.headerAt(pos)
	if err != nil {
		return 0, err
	}
	left := s.f.size - pos
	switch {
	case h == nil:
		s.faultAt(FaultMissing, pos, "WMI_BUFFER_HEADER", ErrTruncated, "the file ends after %d bytes of a header of %d", left, BufferHeaderSize)
		return s.f.size, nil
	case s.isFill(h):
		return s.slack(pos, h)
	}
	return s.buffer(pos, h)
}

// buffer handles a header that is neither all 0x00 nor all 0xFF.
func (s *scanner) buffer(pos int64, h *BufferHeader) (next int64, err error) {
	if h.Compressed() && !s.packed {
		if h, err = s.withoutFlag(pos, h); err != nil {
			return 0, err
		}
	}
	if !h.sane() {
		return s.lost(pos, h)
	}
	if size := int64(h.BufferSize); !s.wary && s.expected(h) && s.neighbour(pos+size) {
		return s.add(pos, size, h, false), nil
	}
	return s.doubtful(pos, h)
}

// withoutFlag returns the header without the flag for compressed data if the flag
// is damage: events follow the header, and the trace is not compressed.
func (s *scanner) withoutFlag(pos int64, h *BufferHeader) (*BufferHeader, error) {
	events, err := s.afterEvents(pos, 0)
	if events == 0 || err != nil {
		return h, err
	}
	plain := *h
	plain.BufferFlag &^= BufferCompressed
	if plain.sane() {
		s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER.BufferFlag", ErrCorrupt, "%#x says that the events are compressed, but they are not", uint16(h.BufferFlag))
	}
	return &plain, nil
}

// expected reports whether a buffer has an expected size: for a plain buffer, the size of the
// others; for a compressed one, at most the size that incompressible data would have; for a buffer
// that ends with its data, any size.
func (s *scanner) expected(h *BufferHeader) bool {
	if s.cut {
		return true
	}
	if h.Compressed() {
		return h.BufferSize <= h.SavedOffset+h.SavedOffset/8+0x200
	}
	return h.BufferSize == s.usual
}

// onesHeader is the header read from a region filled with 0xFF.
var onesHeader = func() BufferHeader {
	var ones [BufferHeaderSize]byte
	for i := range ones {
		ones[i] = 0xff
	}
	return parseBufferHeader(&ones)
}()

// doubtful decides on a buffer whose size may be wrong, and adds it.
func (s *scanner) doubtful(pos int64, h *BufferHeader) (next int64, err error) {
	d, err := s.doubtOf(pos, h)
	if err != nil {
		return 0, err
	}
	const where = "WMI_BUFFER_HEADER.BufferSize"
	v := d.judge()
	switch v.reason {
	case nextBegins:
		s.faultAt(FaultDamage, pos, where, ErrCorrupt, "%#x, but the next buffer begins after %#x bytes", d.claimed, d.next)
	case fileEnds:
		s.faultAt(FaultMissing, pos, where, ErrTruncated, "%#x, but the file ends after %#x bytes", d.claimed, d.left)
	case fillFollows:
		s.faultAt(FaultDamage, pos, where, ErrCorrupt, "%#x, but the next buffer begins after %#x bytes", d.claimed, d.usual)
	}
	return s.add(pos, v.size, h, v.reason != nothingElse), nil
}

// doubtOf finds out what there is to know of the size of a buffer.
func (s *scanner) doubtOf(pos int64, h *BufferHeader) (d doubt, err error) {
	d = doubt{claimed: int64(h.BufferSize), left: s.f.size - pos}
	events := s.f.size // where they end at most
	if !h.Compressed() {
		d.usual, d.events = int64(s.usual), int64(h.Offset)
		events = pos + d.events
	}
	next, err := s.next(pos, BufferHeaderSize, events, pos+min(d.claimed, d.left))
	if d.next = next - pos; err != nil {
		return d, err
	}
	if end := pos + d.usual; d.stands() && d.claimed < d.usual && s.neighbour(end) {
		filled, err := s.fillEnd(pos+d.claimed, end)
		d.isFilled = filled == end
		return d, err
	}
	return d, nil
}

// lost decides on bytes without a good header: it adds a buffer or skips them.
func (s *scanner) lost(pos int64, h *BufferHeader) (next int64, err error) {
	g, err := s.gapOf(pos, h)
	if err != nil {
		return 0, err
	}
	v := g.judge()
	if v.reason == holdsEvents {
		s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER", ErrCorrupt, "its fields contradict each other")
		return s.add(pos, v.size, h, true), nil
	}
	s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER", ErrCorrupt, "%#x bytes are not a buffer; skipped", v.size)
	return pos + v.size, nil
}

// gapOf finds out what there is to know of bytes without a good header.
func (s *scanner) gapOf(pos int64, h *BufferHeader) (g gap, err error) {
	next, err := s.next(pos, 1, 0, s.f.size)
	if err != nil {
		return g, err
	}
	g.next, g.usual = next-pos, int64(s.usual)
	g.usualEnds = g.usual > 0 && g.usual < g.next && (g.next%g.usual == 0 || s.credible(pos+g.usual))
	if g.couldBeBuffer() {
		g.holdsEvents, err = s.holdsEvents(pos, h)
	}
	return g, err
}

// holdsEvents reports whether events or a compressed stream follow a damaged header.
func (s *scanner) holdsEvents(pos int64, h *BufferHeader) (bool, error) {
	if h.Compressed() {
		return h.SavedOffset == h.Offset && h.SavedOffset >= BufferHeaderSize && h.SavedOffset <= MaxBufferSize, nil
	}
	marker, err := s.peek(pos+BufferHeaderSize, 4)
	if err != nil || marker == nil {
		return false, err
	}
	_, _, ok := markerSpec(le.Uint32(marker))
	return ok, nil
}

// add adds a buffer to the list and returns the position after it.
func (s *scanner) add(pos, size int64, h *BufferHeader, damaged bool) int64 {
	switch {
	case damaged || s.cut || h.BufferType == bufferTypeHeader:
	case h.Compressed():
		s.packed = true
	default:
		// One buffer of another size may be damaged; after two, it is the usual size.
		if s.usual == 0 || s.lastPlain == h.BufferSize {
			s.usual = h.BufferSize
		}
		s.lastPlain = h.BufferSize
	}
	s.f.buffers = append(s.f.buffers, BufferInfo{Offset: pos, Size: uint32(size), Damaged: damaged, Header: *h})
	return pos + size
}

// slack skips preallocated space that was never written: all its bytes are equal.
// If they are not, it is a buffer whose header was overwritten.
func (s *scanner) slack(pos int64, h *BufferHeader) (next int64, err error) {
	next, err = s.next(pos, 1, 0, s.f.size)
	if err != nil {
		return 0, err
	}
	end, err := s.fillEnd(pos, next)
	if err != nil {
		return 0, err
	}
	if end < next {
		return s.buffer(pos, h)
	}
	s.faultAt(FaultSlack, pos, "", ErrTruncated, "%#x bytes between buffers are unused", next-pos)
	return next, nil
}

// checkFormat checks that the compressed buffers have the format that the header
// buffer names, and finds the right format if they do not. The first buffer that
// can be decompressed decides.
func (s *scanner) checkFormat() error {
	f := s.f
	named := f.format
	const most = 8 // a few buffers may be damaged; if all are, no format can be found
	tried := 0
	var b Buffer
	for i := range f.buffers {
		if !f.buffers[i].Header.Compressed() || f.buffers[i].Header.SavedOffset <= BufferHeaderSize {
			continue
		}
		if tried++; tried > most {
			break
		}
		for _, f.format = range [...]uint32{named, compressionFormatXpress, compressionFormatHuffman, compressionFormatLZNT1} {
			err := f.ReadBuffer(i, &b)
			var damage *Error
			if err != nil && !errors.As(err, &damage) {
				return err
			}
			var ev Event
			if err != nil || b.Next(&ev) != nil {
				continue
			}
			if f.format != named && f.header.BufferSize != 0 {
				s.fault(FaultDamage, &Error{Buffer: 0, Offset: 0, Pos: -1, Where: "WMI_BUFFER_HEADER.State",
					Err: causef(ErrCorrupt, "it names compression format %d, but the buffers have format %d", named, f.format)})
			}
			return nil
		}
	}
	f.format = named
	return nil
}

// headerAt reads the buffer header at pos. It returns nil if the file ends inside the header.
func (s *scanner) headerAt(pos int64) (*BufferHeader, error) {
	b, err := s.peek(pos, BufferHeaderSize)
	if b == nil || err != nil {
		return nil, err
	}
	h := s.parse((*[BufferHeaderSize]byte)(b))
	return &h, nil
}

// neighbour reports whether the file ends at pos or another buffer begins.
func (s *scanner) neighbour(pos int64) bool {
	if pos >= s.f.size {
		return pos == s.f.size
	}
	h, err := s.headerAt(pos)
	return err == nil && h != nil && h.sane() // a read error occurs again when the scan reaches pos
}

// credible reports whether a buffer may end at pos: a neighbour or unused space follows.
func (s *scanner) credible(pos int64) bool {
	if s.neighbour(pos) {
		return true
	}
	h, err := s.headerAt(pos)
	return err == nil && h != nil && s.isFill(h)
}

// isFill reports whether a header is read from bytes that are all 0x00 or all 0xFF.
func (s *scanner) isFill(h *BufferHeader) bool {
	fill := *h
	if s.f.header.Kind == FileOldLog { // the size is not in the bytes
		if fill.BufferSize = 0; fill.SavedOffset == ^uint32(0) {
			return fill.Offset == ^uint32(0) && fill.TimeStamp == -1
		}
	}
	return fill == (BufferHeader{}) || fill == onesHeader
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
