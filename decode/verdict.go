package decode

// verdict is a decision on the bytes at a position where a buffer should begin.
type verdict struct {
	size   int64 // bytes up to the next position
	reason reason
}

// reason is the reason for a verdict.
type reason int

// The reasons, in the order in which they are tried for a good header, and then for a bad one.
const (
	nextBegins  reason = iota // another buffer begins before the end that the header claims
	fileEnds                  // the file ends before
	fillFollows               // only the buffer's own fill lies between the claimed end and the usual one
	nothingElse               // nothing contradicts the header

	holdsEvents // the header is damaged, but events or a compressed stream follow it
	noBuffer    // these bytes are not a buffer
)

// doubt is what the scanner knows of a buffer with a good header whose size may be wrong: it is
// unexpected, or no buffer follows because the next one is damaged or the file is cut off. Sizes
// count from its beginning.
type doubt struct {
	claimed  int64 // its size, by the header
	events   int64 // the end of its events; 0 if it is compressed
	left     int64 // size of the rest of the file
	next     int64 // where the next buffer certainly begins; at least the end of the claimed bytes if none begins before
	usual    int64 // size of other buffers; 0 if it is unknown or the buffer is compressed
	isFilled bool  // a buffer begins after the usual size, and all bytes from the claimed end to there are equal
}

// stands reports whether no other buffer and no end of the file contradicts the claimed size.
func (d *doubt) stands() bool { return d.next >= d.claimed && d.claimed <= d.left }

// judge decides on the size. The claimed one is right if no other buffer begins before its end.
func (d *doubt) judge() verdict {
	switch {
	case d.next < min(d.claimed, d.left):
		if d.usual >= d.events && d.usual > 0 && d.usual < d.next { // a buffer without a good header follows
			return verdict{d.usual, nextBegins}
		}
		return verdict{d.next, nextBegins}
	case d.claimed > d.left:
		return verdict{d.left, fileEnds}
	case d.isFilled:
		return verdict{d.usual, fillFollows}
	}
	return verdict{d.claimed, nothingElse}
}

// gap is what the scanner knows of bytes without a good header. Sizes count from their beginning.
type gap struct {
	next        int64 // where the next buffer certainly begins, or the file ends
	usual       int64 // size of other buffers; 0 if it is unknown
	usualEnds   bool  // a buffer of the usual size may end where one of that size would
	holdsEvents bool  // events or a compressed stream follow the header
}

// size returns the number of bytes to decide on.
func (g *gap) size() int64 {
	if g.usual >= BufferHeaderSize && g.usual < g.next && g.usualEnds {
		return g.usual
	}
	return g.next
}

// couldBeBuffer reports whether a buffer can have the size.
func (g *gap) couldBeBuffer() bool {
	return g.size() >= BufferHeaderSize+minEventSize && g.size() <= MaxBufferSize
}

// judge decides whether the bytes are a buffer.
func (g *gap) judge() verdict {
	if g.couldBeBuffer() && g.holdsEvents {
		return verdict{g.size(), holdsEvents}
	}
	return verdict{g.size(), noBuffer}
}
