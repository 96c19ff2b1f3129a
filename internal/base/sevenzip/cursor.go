package sevenzip

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// cursor reads a header. After the first error everything reads as zero, so that callers check
// the error once.
type cursor struct {
	b   []byte
	at  int
	err error
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: header, position %#x: %s", ErrCorrupt, c.at, fmt.Sprintf(format, args...))
	}
}

// bytes returns the next n bytes.
func (c *cursor) bytes(n int) []byte {
	if c.err == nil && (n < 0 || n > len(c.b)-c.at) {
		c.fail("%d bytes where %d are left", n, len(c.b)-c.at)
	}
	if c.err != nil {
		return nil
	}
	b := c.b[c.at : c.at+n]
	c.at += n
	return b
}

func (c *cursor) byte() byte {
	if b := c.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) uint32() uint32 {
	if b := c.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) uint64() uint64 {
	if b := c.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// number reads a number of one to nine bytes. The number of leading ones in the first byte is the
// number of bytes that follow; its other bits are the highest bits of the number.
func (c *cursor) number() uint64 {
	first := c.byte()
	more := bits.LeadingZeros8(^first)
	var v uint64
	for i, b := range c.bytes(more) {
		v |= uint64(b) << (8 * i)
	}
	if more < 7 {
		v |= uint64(first&(1<<(7-more)-1)) << (8 * more)
	}
	return v
}

// size reads a number of bytes.
func (c *cursor) size() int64 {
	v := c.number()
	if v > math.MaxInt64 {
		c.fail("a size of %#x", v)
		return 0
	}
	return int64(v)
}

// count reads a number of items and checks that it is at most most.
func (c *cursor) count(most int, what string) int {
	v := c.number()
	if v > uint64(most) {
		c.fail("%d %s, where %d can be", v, what, most)
		return 0
	}
	return int(v)
}

// files reads a number of files.
func (c *cursor) files(limits Limits) int {
	n := c.number()
	if c.err == nil && n > uint64(limits.Files) {
		c.err = &FilesError{Files: n, Limit: limits.Files}
	}
	if c.err != nil {
		return 0
	}
	return int(n)
}

// left returns the number of remaining bytes.
func (c *cursor) left() int { return len(c.b) - c.at }

// bitField reads one bit for each of n items.
func (c *cursor) bitField(n int) []bool {
	packed := c.bytes((n + 7) / 8)
	if c.err != nil {
		return nil
	}
	out := make([]bool, n)
	for i := range out {
		out[i] = packed[i/8]&(0x80>>(i%8)) != 0
	}
	return out
}

// defined reads which of n items have a value.
func (c *cursor) defined(n int) []bool {
	if c.byte() == 0 {
		return c.bitField(n)
	}
	out := make([]bool, n)
	for i := range out {
		out[i] = true
	}
	return out
}

// end expects the mark at the end of a structure.
func (c *cursor) end(id byte, what string) {
	if id != idEnd {
		c.fail("property %#x in %s", id, what)
	}
}
