package packed

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrDamaged means that a catalogue's bytes contradict its format.
var ErrDamaged = errors.New("damaged catalogue")

// cursor reads the numbers and texts of an index or block. After the first error it reads zeros,
// and err holds the error with its position.
type cursor struct {
	data []byte
	at   int
	err  error
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: at byte %d: %s", ErrDamaged, c.at, fmt.Sprintf(format, args...))
	}
}

// number reads a number of at most max.
func (c *cursor) number(max uint64) uint64 {
	if c.err != nil {
		return 0
	}
	n, size := binary.Uvarint(c.data[c.at:])
	if size <= 0 {
		c.fail("a number is cut off")
		return 0
	}
	if n > max {
		c.fail("%d is more than %d", n, max)
		return 0
	}
	c.at += size
	return n
}

// small is number for values that must fit an int.
func (c *cursor) small(max int) int { return int(c.number(uint64(max))) }

// many reads the number of elements that follow. Each takes at least size bytes.
func (c *cursor) many(size int) int { return c.small((len(c.data) - c.at) / size) }

// bytes reads n bytes.
func (c *cursor) bytes(n int) []byte {
	if c.err == nil && n > len(c.data)-c.at {
		c.fail("%d bytes are cut off", n)
	}
	if c.err != nil {
		return nil
	}
	c.at += n
	return c.data[c.at-n : c.at]
}

func (c *cursor) text() string { return string(c.bytes(c.many(1))) }
