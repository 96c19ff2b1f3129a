package decode

import (
	"errors"
)

// scanner finds the buffers of a file. Each buffer says how long it is, so
// one step follows another. What a buffer says is believed at once if its size
// is the usual one and something that can follow a buffer follows. Otherwise
// the scanner looks for the next place that has everything a buffer begins
// with, and believes what does not contradict it.
type scanner struct {
	f         *File
	usual     uint32 // size of the plain buffers in this file, 0 if not yet known
	lastPlain uint32 // size of the last of them
	packed    bool   // buffers of this file are compressed
	wary      bool   // nothing is believed at once
	old       *Error // the trace header says that the file is from before Windows Vista
	// What load has in memory.
	window   []byte
	windowAt int64
	peeked   [BufferHeaderSize]byte // what peek has read outside the window
	// What next has found: no buffer begins in [nextFrom, nextTo), and one
	// begins at nextTo if nextFound.
	nextFrom, nextTo int64
	nextFound        bool
}

// run lists the buffers. A compressed buffer has any size, so that a wrong one
// can lead past other buffers unnoticed, but for their number.
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
	return s.checkVersion()
}

func (s *scanner) pass() error {
	for pos := int64(0); pos < s.f.size; {
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
	switch {
	case h == nil:
		s.faultAt(FaultMissing, pos, "WMI_BUFFER_HEADER", ErrTruncated, "the file ends after %d bytes of a header of %d", left, BufferHeaderSize)
		return s.f.size, nil
	case *h == (BufferHeader{}) || *h == onesHeader:
		return s.slack(pos, h)
	}
	return s.buffer(pos, h)
}

// buffer handles a header in which there is something.
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

// withoutFlag returns the header without the flag for compressed data if that
// is an error: in a trace that is not compressed, events follow.
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

// expected reports whether a buffer has the size that it should have: a plain
// one that of the others, a compressed one not more than compression that
// does not succeed makes of the data.
func (s *scanner) expected(h *BufferHeader) bool {
	if h.Compressed() {
		return h.BufferSize <= h.SavedOffset+h.SavedOffset/8+0x200
	}
	return h.BufferSize == s.usual
}

// onesHeader is what a region filled with 0xFF looks like.
var onesHeader = func() BufferHeader {
	var ones [BufferHeaderSize]byte
	for i := range ones {
		ones[i] = 0xff
	}
	return parseBufferHeader(&ones)
}()

// doubtful handles a good header whose size may be wrong: it is not the one
// to expect, or no buffer follows because the next is damaged or the file cut.
// The size is right if no other buffer begins before its end.
func (s *scanner) doubtful(pos int64, h *BufferHeader) (next int64, err error) {
	size, left, usual := int64(h.BufferSize), s.f.size-pos, int64(s.usual)
	events := s.f.size
	if !h.Compressed() {
		events = pos + int64(h.Offset)
	}
	if next, err = s.next(pos, BufferHeaderSize, events, pos+min(size, left)); err != nil {
		return 0, err
	}
	switch claim := size; {
	case next < pos+min(size, left):
		size = next - pos
		if !h.Compressed() && usual >= int64(h.Offset) && usual < size {
			size = usual // what follows is a buffer without a good header
		}
		s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER.BufferSize", ErrCorrupt, "%#x, but the next buffer begins after %#x bytes", claim, next-pos)
	case size > left:
		size = left
		s.faultAt(FaultMissing, pos, "WMI_BUFFER_HEADER.BufferSize", ErrTruncated, "%#x, but the file ends after %#x bytes", claim, left)
	case !h.Compressed() && size < usual && s.neighbour(pos+usual):
		// A buffer that ends in what looks like its own fill ends where that does.
		if end, err := s.fillEnd(pos+size, pos+usual); err != nil || end < pos+usual {
			return s.add(pos, size, h, false), err
		}
		size = usual
		s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER.BufferSize", ErrCorrupt, "%#x, but the next buffer begins after %#x bytes", claim, size)
	default:
		return s.add(pos, size, h, false), nil
	}
	return s.add(pos, size, h, true), nil
}

// lost handles bytes that have no good header.
func (s *scanner) lost(pos int64, h *BufferHeader) (next int64, err error) {
	if next, err = s.next(pos, 1, 0, s.f.size); err != nil {
		return 0, err
	}
	size := next - pos
	if usual := int64(s.usual); usual >= BufferHeaderSize && usual < size && (size%usual == 0 || s.credible(pos+usual)) {
		size = usual
	}
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
	s.faultAt(FaultDamage, pos, "WMI_BUFFER_HEADER", ErrCorrupt, "%#x bytes are not a buffer; skipped", size)
	return pos + size, nil
}

// holdsEvents reports whether, whatever is wrong with the header, events or a
// compressed stream follow it.
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

// add lists a buffer and returns where it ends.
func (s *scanner) add(pos, size int64, h *BufferHeader, damaged bool) int64 {
	switch {
	case damaged || h.BufferType == bufferTypeHeader:
	case h.Compressed():
		s.packed = true
	default:
		// One buffer of another size may be damaged; two have that size.
		if s.usual == 0 || s.lastPlain == h.BufferSize {
			s.usual = h.BufferSize
		}
		s.lastPlain = h.BufferSize
	}
	s.f.buffers = append(s.f.buffers, BufferInfo{Offset: pos, Size: uint32(size), Damaged: damaged, Header: *h})
	return pos + size
}

// slack skips space that was set aside for a trace and never written: it has
// one value all through. Else it is a buffer whose header was overwritten.
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

// checkFormat makes sure that the compressed buffers are in the format that
// the header buffer names, and looks for the right one if they are not. The
// first buffer that any format fits decides.
func (s *scanner) checkFormat() error {
	f := s.f
	named := f.format
	const most = 8 // a damaged buffer fits none, damage all over is beyond help
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

// headerAt reads the buffer header at pos, or returns nil where the file ends
// before it does.
func (s *scanner) headerAt(pos int64) (*BufferHeader, error) {
	b, err := s.peek(pos, BufferHeaderSize)
	if b == nil || err != nil {
		return nil, err
	}
	h := parseBufferHeader((*[BufferHeaderSize]byte)(b))
	return &h, nil
}

// neighbour reports whether the file ends at pos or another buffer begins.
func (s *scanner) neighbour(pos int64) bool {
	if pos >= s.f.size {
		return pos == s.f.size
	}
	h, err := s.headerAt(pos)
	return err == nil && h != nil && h.sane() // an error comes again when pos is read for itself
}

// credible reports whether a buffer may end at pos: before a neighbour or
// unused space.
func (s *scanner) credible(pos int64) bool {
	if s.neighbour(pos) {
		return true
	}
	h, err := s.headerAt(pos)
	return err == nil && h != nil && (*h == (BufferHeader{}) || *h == onesHeader)
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
