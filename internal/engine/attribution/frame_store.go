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

// frameStore stores packed frames in memory up to a limit, and in an Overflow beyond it.
type frameStore struct {
	limit    int64
	blocks   [][]byte // in memory; a full one is followed by a new one, so that nothing is copied
	size     int64    // of the frames in memory
	create   func() (Overflow, error)
	overflow Overflow
	writer   *bufio.Writer
	written  int64
	err      error // the first error; nothing is stored after it
}

// newFrameStore returns an empty store. create is nil if nothing can be stored beyond the limit.
func newFrameStore(limit int64, create func() (Overflow, error)) frameStore {
	return frameStore{limit: limit, create: create}
}

// framePosition is the position of packed frames.
type framePosition struct {
	at   int64 // block<<32 | offset or, in the Overflow, -1 - offset
	size uint32
}

const (
	firstFrameBlock   = 4 << 10
	largestFrameBlock = 1 << 20
	overflowBuffer    = 64 << 10
)

// fits reports whether there is room for size bytes.
func (f *frameStore) fits(size int) bool { return f.create != nil || f.size+int64(size) <= f.limit }

// keep stores packed frames and returns their place.
func (f *frameStore) keep(packed string) framePosition {
	if f.overflow == nil && f.size+int64(len(packed)) <= f.limit {
		return f.remember(packed)
	}
	if f.overflow == nil && f.err == nil {
		if f.overflow, f.err = f.create(); f.err == nil {
			f.writer = bufio.NewWriterSize(f.overflow, overflowBuffer)
		}
	}
	if f.err == nil {
		_, f.err = f.writer.WriteString(packed)
	}
	p := framePosition{-1 - f.written, uint32(len(packed))}
	f.written += int64(len(packed))
	return p
}

// remember stores packed frames in memory.
func (f *frameStore) remember(packed string) framePosition {
	last := len(f.blocks) - 1
	if last < 0 || cap(f.blocks[last])-len(f.blocks[last]) < len(packed) {
		size := min(max(f.size, firstFrameBlock), largestFrameBlock)
		f.blocks = append(f.blocks, make([]byte, 0, max(size, int64(len(packed)))))
		last++
	}
	block := &f.blocks[last]
	p := framePosition{int64(last)<<32 | int64(len(*block)), uint32(len(packed))}
	*block = append(*block, packed...)
	f.size += int64(len(packed))
	return p
}

// flush makes all stored frames readable.
func (f *frameStore) flush() error {
	if f.err == nil && f.writer != nil {
		f.err = f.writer.Flush()
	}
	if f.err != nil {
		return fmt.Errorf("stacks that have no room in memory: %w", f.err)
	}
	return nil
}

// memory returns the approximate number of bytes that the store holds in memory.
func (f *frameStore) memory() (n int64) {
	for _, block := range f.blocks {
		n += int64(cap(block))
	}
	return n
}

// read appends the frames at a place. It is safe for use from many goroutines.
func (f *frameStore) read(p framePosition, dst []uint64) ([]uint64, error) {
	packed, err := f.packed(p)
	if err != nil {
		return dst, fmt.Errorf("stacks that have no room in memory: %w", err)
	}
	return appendUnpackedFrames(dst, packed), nil
}

// text returns packed frames as they were stored.
func (f *frameStore) text(p framePosition) (string, error) {
	packed, err := f.packed(p)
	return string(packed), err
}

func (f *frameStore) packed(p framePosition) ([]byte, error) {
	if p.at >= 0 {
		return f.blocks[p.at>>32][uint32(p.at):][:p.size], nil
	}
	packed := make([]byte, p.size)
	_, err := f.overflow.ReadAt(packed, -1-p.at)
	return packed, err
}

// appendPackedFrames appends frames in packed form: their number, and differences.
func appendPackedFrames(dst, frames []byte, pointerSize int) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(frames)/pointerSize))
	last := uint64(0)
	for ; len(frames) >= pointerSize; frames = frames[pointerSize:] {
		address := uint64(binary.LittleEndian.Uint32(frames))
		if pointerSize == 8 {
			address = binary.LittleEndian.Uint64(frames)
		}
		dst = binary.AppendVarint(dst, int64(address-last))
		last = address
	}
	return dst
}

// validFrames reports whether packed is a possible result of appendPackedFrames.
func validFrames(packed string) bool {
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

// appendUnpackedFrames appends the frames that appendPackedFrames made into bytes.
func appendUnpackedFrames(dst []uint64, packed []byte) []uint64 {
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
