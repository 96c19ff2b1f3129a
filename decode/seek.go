package decode

// seekWindow is how much of the file is searched at a time.
const seekWindow = 1 << 20

// seek returns where, at or after from, the next buffer begins, or the size of
// the file. With first, it gives up where the first two buffers of a trace
// would have had to begin: a file that is something else may be large.
//
// A search never begins before one already made ended, so that all searches
// together read the file once.
func (s *scanner) seek(from int64, first bool) (int64, error) {
	if s.seekFrom <= from && from <= s.seekTo && s.seekTo > 0 {
		return s.seekTo, nil
	}
	limit := s.f.size
	if first {
		limit = min(limit, 2*MaxBufferSize)
	}
	found := s.f.size
search:
	for pos := from; limit-pos >= BufferHeaderSize; {
		w, err := s.load(pos)
		if err != nil {
			return 0, err
		}
		for i := 0; i+BufferHeaderSize <= len(w); i++ {
			if couldBeHeader(w[i:]) && s.begins(pos+int64(i), w[i:]) {
				found = pos + int64(i)
				break search
			}
		}
		pos += int64(len(w) - BufferHeaderSize + 1)
	}
	s.seekFrom, s.seekTo = from, found
	return found, nil
}

// load returns bytes of the file from pos on, at least a buffer header of them
// or up to the end. It reads anew only when what it has is nearly used up, so
// that searches which each go a short way do not read the same over and over.
func (s *scanner) load(pos int64) ([]byte, error) {
	if skip := pos - s.windowAt; skip >= 0 && skip <= int64(len(s.window))-seekWindow/16 {
		return s.window[skip:], nil
	}
	s.windowAt = pos
	s.window = sized(s.window, int(min(seekWindow, s.f.size-pos)))
	return s.window, s.f.read(s.window, pos)
}

// couldBeHeader is the cheap part of [scanner.begins]: flags and type.
func couldBeHeader(b []byte) bool {
	return BufferFlag(le.Uint16(b[0x34:]))&^bufferFlagsKnown == 0 && le.Uint16(b[0x36:]) <= bufferTypeMax
}

// begins reports whether a buffer begins at pos, whose bytes are b: asked where
// nothing led here, so everything must fit, its contents and neighbour too.
func (s *scanner) begins(pos int64, b []byte) bool {
	h := parseBufferHeader((*[BufferHeaderSize]byte)(b))
	if !h.sane() || h.Offset != h.SavedOffset && h.BufferType != bufferTypeHeader {
		return false
	}
	if !h.Compressed() {
		if s.usual != 0 && h.BufferType != bufferTypeHeader && h.BufferSize != s.usual {
			return false
		}
		if holds, err := s.holdsEvents(pos, &h); h.Offset > BufferHeaderSize && (err != nil || !holds) {
			return false
		}
	}
	end := pos + int64(h.BufferSize)
	return end > s.f.size || s.credible(end)
}
