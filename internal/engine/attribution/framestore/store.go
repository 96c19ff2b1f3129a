// Package framestore stores the frames of stacks in packed form.
package framestore

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

// Store stores packed frames in memory up to a limit, and beyond it in an Overflow.
type Store struct {
	limit    int64
	memory   [][]byte // blocks, which grow without being copied
	size     int64    // of the frames in memory
	create   func() (Overflow, error)
	overflow Overflow
	writer   *bufio.Writer
	written  int64
	err      error // the first error; nothing is stored after it
}

// New returns an empty store. create is nil if nothing can be stored beyond the limit.
func New(limit int64, create func() (Overflow, error)) Store {
	return Store{limit: limit, create: create}
}

// Place is the position of packed frames.
type Place struct {
	at   int64 // block<<32 | offset or, in the Overflow, -1 - offset
	size uint32
}

const (
	firstBlock     = 4 << 10
	largestBlock   = 1 << 20
	overflowBuffer = 64 << 10
)

// Fits reports whether there is room for so many bytes.
func (f *Store) Fits(size int) bool { return f.create != nil || f.size+int64(size) <= f.limit }

// Keep stores packed frames.
func (f *Store) Keep(packed string) Place {
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
	p := Place{-1 - f.written, uint32(len(packed))}
	f.written += int64(len(packed))
	return p
}

// remember stores packed frames in memory.
func (f *Store) remember(packed string) Place {
	last := len(f.memory) - 1
	if last < 0 || cap(f.memory[last])-len(f.memory[last]) < len(packed) {
		size := min(max(f.size, firstBlock), largestBlock)
		f.memory = append(f.memory, make([]byte, 0, max(size, int64(len(packed)))))
		last++
	}
	block := &f.memory[last]
	p := Place{int64(last)<<32 | int64(len(*block)), uint32(len(packed))}
	*block = append(*block, packed...)
	f.size += int64(len(packed))
	return p
}

// Flush makes all stored frames readable.
func (f *Store) Flush() error {
	if f.err == nil && f.writer != nil {
		f.err = f.writer.Flush()
	}
	if f.err != nil {
		return fmt.Errorf("stacks that have no room in memory: %w", f.err)
	}
	return nil
}

// Memory returns about how many bytes the store holds in memory.
func (f *Store) Memory() (n int64) {
	for _, block := range f.memory {
		n += int64(cap(block))
	}
	return n
}

// Read appends the frames at a place. It is safe for use from many goroutines.
func (f *Store) Read(p Place, dst []uint64) ([]uint64, error) {
	packed, err := f.packed(p)
	if err != nil {
		return dst, fmt.Errorf("stacks that have no room in memory: %w", err)
	}
	return appendUnpacked(dst, packed), nil
}

// Packed returns packed frames as they were stored.
func (f *Store) Packed(p Place) (string, error) {
	packed, err := f.packed(p)
	return string(packed), err
}

func (f *Store) packed(p Place) ([]byte, error) {
	if p.at >= 0 {
		return f.memory[p.at>>32][uint32(p.at):][:p.size], nil
	}
	packed := make([]byte, p.size)
	_, err := f.overflow.ReadAt(packed, -1-p.at)
	return packed, err
}

// AppendPacked appends frames in packed form: their number, and differences.
func AppendPacked(dst, frames []byte, pointerSize int) []byte {
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

// Valid reports whether AppendPacked can have made a text.
func Valid(packed string) bool {
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

// appendUnpacked appends the frames that AppendPacked made into bytes.
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
