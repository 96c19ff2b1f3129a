package decode

import "bytes"

// seekWindow is the number of bytes that a search reads at a time.
const seekWindow = 128 << 10

// stretch is a part of the file that was searched: no buffer begins in it.
type stretch struct {
	from, to int64
	isBegin  bool // a buffer begins at to
}

// has reports whether the stretch has, or ends at, a position.
func (t *stretch) has(pos int64) bool { return t.to > 0 && t.from <= pos && pos <= t.to }

// next returns the position of the first buffer after pos, or limit. The search skips least bytes. If
// a buffer with events is at pos, it also skips the events, up to end if that is known, because
// payloads can look like buffers.
//
// A search never begins before the end of an earlier one, so all searches together read the file
// once.
func (s *scanner) next(pos, least, end, limit int64) (int64, error) {
	from := pos + least
	last := &s.searched
	isKnown := last.has(from)
	if isKnown && (last.isBegin || limit <= last.to) {
		return min(last.to, limit), nil
	}
	begin := last.to
	if !isKnown {
		events, err := s.afterEvents(pos, end)
		if err != nil {
			return 0, err
		}
		last.from, begin = from, max(from, events)
	}
	found, err := s.search(begin, limit, false)
	if err != nil {
		return 0, err
	}
	last.to, last.isBegin = min(found, limit), found < limit
	return last.to, nil
}

// afterEvents walks the events of a buffer at pos and returns the end of the
// intact ones:
//
//   - the end of the last event, if the events of the buffer end there or the file
//     ends before,
//   - the end marker, or
//   - the beginning of the last event that another follows, because its own end may
//     be missing.
//
// It returns 0 if there is no event.
func (s *scanner) afterEvents(pos, end int64) (int64, error) {
	var last int64
	for at := pos + BufferHeaderSize; ; {
		if end <= at && at < end+eventAlignment || at < end && s.f.size-at < minEventSize {
			return min(at, s.f.size), nil
		}
		b, err := s.peek(at, minEventSize)
		if b == nil || err != nil {
			return last, err
		}
		marker := le.Uint32(b)
		if marker == markerEnd && last != 0 {
			return at, nil
		}
		spec, _, ok := markerSpec(marker)
		if !ok || spec == &unknownSpec {
			return last, nil
		}
		size := le.Uint16(b[spec.sizeAt:])
		if size < minEventSize {
			return last, nil
		}
		if last = at; last-s.windowAt >= int64(len(s.window)) {
			if _, err := s.load(last); err != nil {
				return 0, err
			}
		}
		at += int64(nextEvent(int(size)))
	}
}

// fillEnd returns the end of the run of equal bytes at pos, at most limit.
func (s *scanner) fillEnd(pos, limit int64) (int64, error) {
	var fill []byte
	for pos < limit {
		w, err := s.load(pos)
		if err != nil {
			return 0, err
		}
		if fill == nil {
			fill = bytes.Repeat(w[:1], seekWindow)
		}
		w = w[:min(int64(len(w)), limit-pos)]
		if !bytes.Equal(w, fill[:len(w)]) {
			return pos, nil
		}
		pos += int64(len(w))
	}
	return limit, nil
}

// search returns the first position in [from, limit) at which a buffer begins, or the size of the
// file. If strict, the buffer must also have a neighbour or consist of events: in a file that is
// not a trace, bytes can look like a buffer by chance.
func (s *scanner) search(from, limit int64, strict bool) (int64, error) {
	for pos := from; pos < limit && s.f.size-pos >= BufferHeaderSize; {
		w, err := s.load(pos)
		if err != nil {
			return 0, err
		}
		w = w[:min(int64(len(w)), limit-pos+BufferHeaderSize-1)]
		for i := 0; i+BufferHeaderSize <= len(w); i++ {
			if s.couldBeHeader(w[i:]) && s.begins(pos+int64(i), w[i:], strict) {
				return pos + int64(i), nil
			}
		}
		pos += int64(len(w) - BufferHeaderSize + 1)
	}
	return s.f.size, nil
}

// load returns the bytes of the file from pos on: at least the size of a buffer header, or all
// bytes up to the end. It reads the file only when the window is nearly used up, so that many short
// searches do not read the same bytes again.
func (s *scanner) load(pos int64) ([]byte, error) {
	end := s.windowAt + int64(len(s.window))
	if pos >= s.windowAt && (end-pos >= seekWindow/16 || end == s.f.size && pos < end) {
		return s.window[pos-s.windowAt:], nil
	}
	s.windowAt = pos
	s.window = sized(s.window, int(min(seekWindow, s.f.size-pos)))
	return s.window, s.f.read(s.window, pos)
}

// peek returns n bytes of the file at pos, valid until the next call, or nil if the
// file ends before.
func (s *scanner) peek(pos int64, n int) ([]byte, error) {
	if s.f.size-pos < int64(n) {
		return nil, nil
	}
	if i := pos - s.windowAt; i >= 0 && i+int64(n) <= int64(len(s.window)) {
		return s.window[i:][:n], nil
	}
	if pos == s.peekedAt && n <= s.peekedN { // the header of a buffer is first read as the neighbour of the buffer before
		return s.peeked[:n], nil
	}
	s.peekedN = 0
	b := s.peeked[:n]
	if err := s.f.read(b, pos); err != nil {
		return b, err
	}
	s.peekedAt, s.peekedN = pos, n
	return b, nil
}

// couldBeHeader is the cheap part of [scanner.begins]: it checks size, flags and type.
func (s *scanner) couldBeHeader(b []byte) bool {
	if s.f.header.Kind == FileOldLog {
		return le.Uint32(b[0x30:])-BufferHeaderSize <= s.f.header.BufferSize-BufferHeaderSize && le.Uint32(b[0x04:]) == le.Uint32(b[0x30:])
	}
	return le.Uint32(b)-BufferHeaderSize <= MaxBufferSize-BufferHeaderSize &&
		BufferFlag(le.Uint16(b[0x34:]))&^bufferFlagsKnown == 0 && le.Uint16(b[0x36:]) <= bufferTypeMax
}

// begins reports whether a buffer begins at pos, where the file has the bytes b. No other buffer
// led to pos, so the fields and the contents must both fit. A buffer unlike the others in the file,
// or any buffer if strict, must also end where a buffer may end. If strict, its events are
// sufficient proof, because the adjacent buffers can be damaged.
func (s *scanner) begins(pos int64, b []byte, strict bool) bool {
	h := s.parse((*[BufferHeaderSize]byte)(b))
	if !h.sane() || h.Offset != h.SavedOffset && h.BufferType != bufferTypeHeader {
		return false
	}
	if !h.Compressed() && h.Offset > BufferHeaderSize && h.BufferType != bufferTypeContextSwap {
		if holds, err := s.holdsEvents(pos, &h); err != nil || !holds {
			return false
		}
	}
	known := s.packed || s.cut
	if !h.Compressed() && !s.cut {
		known = s.usual == 0 || s.expected(&h)
	}
	if strict || !known {
		return s.credible(pos+int64(h.BufferSize)) || strict && s.proven(pos, &h)
	}
	return true
}

// The limits on the work of proving buffers, against files with many false headers.
const (
	maxProofReads = 4         // times the size of the file
	maxProofBytes = 512 << 20 // decompressed
)

// proven reports whether a buffer of the file consists of events of known types that end where its
// header says. A read error occurs again when the scan reaches pos.
func (s *scanner) proven(pos int64, h *BufferHeader) bool {
	size, formats := int64(h.Offset), formatsOf(h)
	if h.Compressed() {
		size = int64(h.BufferSize)
	}
	if size > s.f.size-pos {
		return false
	}
	s.proofReads += size * int64(len(formats))
	s.proofBytes += int64(h.Offset) * int64(len(formats))
	if s.proofReads > maxProofReads*s.f.size || s.proofBytes > maxProofBytes {
		return false
	}
	f := File{r: s.f.r, size: s.f.size, buffers: []BufferInfo{{Offset: pos, Size: uint32(size), Header: *h}}}
	var b Buffer
	for _, f.format = range formats {
		if whole, err := f.readsWhole(0, &b); whole && err == nil {
			return true
		}
	}
	return false
}

// formatsOf returns the compression formats that a buffer can have.
func formatsOf(h *BufferHeader) []uint32 {
	if !h.Compressed() {
		return []uint32{0}
	}
	return []uint32{compressionFormatXpress, compressionFormatHuffman, compressionFormatLZNT1}
}
