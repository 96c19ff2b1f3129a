package decode

import "bytes"

// seekWindow is how much of the file is searched at a time.
const seekWindow = 128 << 10

// next returns where the next buffer after pos begins, or limit. It does not
// begin less than least bytes on, nor in the events that stand at pos as in a
// buffer, up to end if that is known: what they carry may look like buffers.
//
// A search never begins before one already made ended, so that all searches
// together read the file once.
func (s *scanner) next(pos, least, end, limit int64) (int64, error) {
	from := pos + least
	known := s.nextFrom <= from && from <= s.nextTo && s.nextTo > 0
	if known && (s.nextFound || limit <= s.nextTo) {
		return min(s.nextTo, limit), nil
	}
	begin := s.nextTo
	if !known {
		events, err := s.afterEvents(pos, end)
		if err != nil {
			return 0, err
		}
		s.nextFrom, begin = from, max(from, events)
	}
	found, err := s.search(begin, limit, false)
	if err != nil {
		return 0, err
	}
	s.nextTo, s.nextFound = min(found, limit), found < limit
	return s.nextTo, nil
}

// afterEvents walks the events of a buffer at pos. It returns the end of those
// that are in order: the end of the last if the buffer's events end there or
// the file does before, the end marker, or else the beginning of the last that
// is followed by another, since its own end may be missing. It returns 0 if
// there are none.
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

// fillEnd returns where the run of equal bytes at pos ends, at most limit.
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

// search returns the first position from which, and before limit, a buffer
// begins, or the size of the file. Strict, it must have a neighbour, too: a
// file that is something else may have it by chance.
func (s *scanner) search(from, limit int64, strict bool) (int64, error) {
	for pos := from; pos < limit && s.f.size-pos >= BufferHeaderSize; {
		w, err := s.load(pos)
		if err != nil {
			return 0, err
		}
		w = w[:min(int64(len(w)), limit-pos+BufferHeaderSize-1)]
		for i := 0; i+BufferHeaderSize <= len(w); i++ {
			if couldBeHeader(w[i:]) && s.begins(pos+int64(i), w[i:], strict) {
				return pos + int64(i), nil
			}
		}
		pos += int64(len(w) - BufferHeaderSize + 1)
	}
	return s.f.size, nil
}

// load returns bytes of the file from pos on, at least a buffer header of them
// or up to the end. It reads anew only when what it has is nearly used up, so
// that searches which each go a short way do not read the same over and over.
func (s *scanner) load(pos int64) ([]byte, error) {
	end := s.windowAt + int64(len(s.window))
	if pos >= s.windowAt && (end-pos >= seekWindow/16 || end == s.f.size && pos < end) {
		return s.window[pos-s.windowAt:], nil
	}
	s.windowAt = pos
	s.window = sized(s.window, int(min(seekWindow, s.f.size-pos)))
	return s.window, s.f.read(s.window, pos)
}

// peek returns n bytes of the file, valid until the next call, or nil if
// there are fewer.
func (s *scanner) peek(pos int64, n int) ([]byte, error) {
	if s.f.size-pos < int64(n) {
		return nil, nil
	}
	if i := pos - s.windowAt; i >= 0 && i+int64(n) <= int64(len(s.window)) {
		return s.window[i:][:n], nil
	}
	b := s.peeked[:n]
	return b, s.f.read(b, pos)
}

// couldBeHeader is the cheap part of [scanner.begins]: size, flags and type.
func couldBeHeader(b []byte) bool {
	return le.Uint32(b)-BufferHeaderSize <= MaxBufferSize-BufferHeaderSize &&
		BufferFlag(le.Uint16(b[0x34:]))&^bufferFlagsKnown == 0 && le.Uint16(b[0x36:]) <= bufferTypeMax
}

// begins reports whether a buffer begins at pos, whose bytes are b: asked where
// nothing led here, so its fields and contents must fit. One that is unlike the
// others in the file, or any if strict, must end where a buffer may end.
func (s *scanner) begins(pos int64, b []byte, strict bool) bool {
	h := parseBufferHeader((*[BufferHeaderSize]byte)(b))
	if !h.sane() || h.Offset != h.SavedOffset && h.BufferType != bufferTypeHeader {
		return false
	}
	if !h.Compressed() && h.Offset > BufferHeaderSize && h.BufferType != bufferTypeContextSwap {
		if holds, err := s.holdsEvents(pos, &h); err != nil || !holds {
			return false
		}
	}
	known := s.packed
	if !h.Compressed() {
		known = s.usual == 0 || s.expected(&h)
	}
	if strict || !known {
		return s.credible(pos + int64(h.BufferSize))
	}
	return true
}
