package attribution

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// Overflow stores frames beyond the memory limit: a temporary file, which the caller closes.
type Overflow interface {
	io.Writer
	io.ReaderAt
}

// frames stores packed frames in memory up to a limit, and beyond it in an Overflow.
type frames struct {
	limit    int64
	memory   []byte
	create   func() (Overflow, error) // nil if nothing can be stored beyond the limit
	overflow Overflow
	writer   *bufio.Writer
	written  int64
	err      error // the first error; nothing is stored after it
}

// place is the position of packed frames: in memory, or beyond the limit in the Overflow.
type place struct {
	at   int64
	size uint32
}

const overflowBuffer = 64 << 10

// fits reports whether there is room for so many bytes.
func (f *frames) fits(size int) bool {
	return f.create != nil || int64(len(f.memory)+size) <= f.limit
}

// keep stores packed frames.
func (f *frames) keep(packed string) place {
	p := place{int64(len(f.memory)), uint32(len(packed))}
	if f.overflow == nil && p.at+int64(len(packed)) <= f.limit {
		f.memory = append(f.memory, packed...)
		return p
	}
	if f.overflow == nil && f.err == nil {
		if f.overflow, f.err = f.create(); f.err == nil {
			f.writer = bufio.NewWriterSize(f.overflow, overflowBuffer)
		}
	}
	if f.err == nil {
		_, f.err = f.writer.WriteString(packed)
	}
	p.at += f.written
	f.written += int64(len(packed))
	return p
}

// flush makes all stored frames readable.
func (f *frames) flush() error {
	if f.err == nil && f.writer != nil {
		f.err = f.writer.Flush()
	}
	if f.err != nil {
		return fmt.Errorf("stacks that have no room in memory: %w", f.err)
	}
	return nil
}

// read appends the frames at a place. It is safe for use from many goroutines.
func (f *frames) read(p place, dst []uint64) ([]uint64, error) {
	if p.at < int64(len(f.memory)) {
		return appendUnpacked(dst, f.memory[p.at:]), nil
	}
	packed := make([]byte, p.size)
	if _, err := f.overflow.ReadAt(packed, p.at-int64(len(f.memory))); err != nil {
		return dst, fmt.Errorf("stacks that have no room in memory: %w", err)
	}
	return appendUnpacked(dst, packed), nil
}

// appendPacked appends frames in packed form: their number, and differences.
func appendPacked(dst, frames []byte, pointerSize int) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(frames)/pointerSize))
	last := uint64(0)
	for ; len(frames) >= pointerSize; frames = frames[pointerSize:] {
		address := number(frames[:pointerSize])
		dst = binary.AppendVarint(dst, int64(address-last))
		last = address
	}
	return dst
}

// validPacked reports whether appendPacked can have made a text.
func validPacked(packed string) bool {
	b := []byte(packed)
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)) {
		return false
	}
	b = b[size:]
	for range n {
		_, size := binary.Varint(b)
		if size <= 0 {
			return false
		}
		b = b[size:]
	}
	return len(b) == 0
}

// appendUnpacked appends the frames that appendPacked made into bytes.
func appendUnpacked(dst []uint64, packed []byte) []uint64 {
	n, size := binary.Uvarint(packed)
	packed = packed[size:]
	last := uint64(0)
	for range n {
		difference, size := binary.Varint(packed)
		packed = packed[size:]
		last += uint64(difference)
		dst = append(dst, last)
	}
	return dst
}
