package decode

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode/xca"
)

// File is a trace whose buffers have been found. It is immutable, so any
// number of goroutines may use it, each with its own [Buffer].
type File struct {
	r       io.ReaderAt
	size    int64
	header  TraceHeader
	buffers []BufferInfo
	faults  []Fault
	dropped int
	format  uint32 // compression of the compressed buffers

	first, last Ticks // times that can be; see Clock.Range
}

// BufferInfo locates a buffer in the file.
type BufferInfo struct {
	Offset  int64        // in the file
	Size    uint32       // in the file, bytes
	Damaged bool         // the header contradicts itself or adjacent buffers
	Header  BufferHeader //
}

// FaultKind is the consequence of a fault.
type FaultKind uint8

// The kinds of fault.
const (
	FaultDamage  FaultKind = iota // bytes or fields cannot be interpreted
	FaultSlack                    // preallocated space is unused
	FaultMissing                  // the file ends inside a buffer
)

// Fault is damage or unused space between or around buffers.
type Fault struct {
	Kind FaultKind
	Err  *Error
}

// maxFaults bounds the list of faults: a file can have one every few bytes.
const maxFaults = 4096

// NewFile finds the buffers of a trace of the given size and reads its trace
// header. It reads only the headers of buffers, except near damage. A trace whose
// trace header is lost is opened with a fault; a file that is not a trace gives
// [ErrNotETL].
func NewFile(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size, first: MinTicks, last: MaxTicks}
	s := scanner{f: f}
	if err := s.start(); err != nil {
		return nil, err
	}
	if err := s.run(); err != nil {
		return nil, err
	}
	f.limitTimes()
	if err := s.mendTicks(); err != nil {
		return nil, err
	}
	return f, nil
}

// Container is what NewFile finds in a file, without the faults.
type Container struct {
	Header  TraceHeader
	Buffers []BufferInfo
	Format  uint32 // compression of the compressed buffers
}

// Container returns the container of the file. It shares memory with the file.
func (f *File) Container() Container { return Container{f.header, f.buffers, f.format} }

// FileOf opens a trace whose container is known, without reading anything. It returns an error for
// a container that a file of this size cannot have.
func FileOf(r io.ReaderAt, size int64, c *Container) (*File, error) {
	end := int64(0)
	for i := range c.Buffers {
		b := &c.Buffers[i]
		if b.Offset < end || b.Size < BufferHeaderSize || b.Size > MaxBufferSize || b.Offset > size-int64(b.Size) {
			return nil, &Error{Buffer: i, Offset: b.Offset, Pos: -1, Err: causef(ErrCorrupt, "no buffer of a file of %d bytes can be there", size)}
		}
		end = b.Offset + int64(b.Size)
	}
	f := &File{r: r, size: size, header: c.Header, buffers: c.Buffers, format: c.Format}
	f.limitTimes()
	return f, nil
}

// limitTimes sets the times that can be by the trace's clock.
func (f *File) limitTimes() {
	clock := f.header.Clock()
	f.first, f.last = clock.Range()
}

// isTime reports whether a time can be.
func (f *File) isTime(t Ticks) bool { return f.first <= t && t <= f.last }

// Header returns the trace header.
func (f *File) Header() *TraceHeader { return &f.header }

// Size returns the size of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Buffers returns the number of buffers.
func (f *File) Buffers() int { return len(f.buffers) }

// BufferInfo returns the position and the header of buffer i.
func (f *File) BufferInfo(i int) *BufferInfo { return &f.buffers[i] }

// Faults returns the first faults of the container, in file order, and the number of further ones.
func (f *File) Faults() (faults []Fault, more int) { return f.faults, f.dropped }

// ReadAt implements [io.ReaderAt] over the bytes of the file.
func (f *File) ReadAt(p []byte, offset int64) (int, error) { return f.r.ReadAt(p, offset) }

// UncompressedSize returns the size of the buffer in memory that its header
// claims: up to the end of its data, including the header.
func (b *BufferInfo) UncompressedSize() int64 {
	if b.Header.Compressed() {
		return int64(min(b.Header.SavedOffset, MaxBufferSize))
	}
	return int64(b.Header.dataEnd(int(b.Size)))
}

// ReadBuffer reads buffer i into dst and decompresses it. An *Error means damage:
// dst then holds the events before it, possibly none. Any other error is from the
// reader.
func (f *File) ReadBuffer(i int, dst *Buffer) error {
	info := &f.buffers[i]
	dst.Index = i
	dst.Header = info.Header
	dst.offset = info.Offset
	dst.qpcClock = f.header.usesQPC()
	dst.instanceSize = f.instanceSize()
	dst.start = f.startTicks(info)
	dst.first, dst.spread = f.first, uint64(f.last)-uint64(f.first)
	dst.end = BufferHeaderSize
	dst.Rewind()
	err := f.fill(dst, info)
	dst.opaque = dst.end > BufferHeaderSize && dst.isOpaque()
	return err
}

// fill reads the data of a buffer.
func (f *File) fill(dst *Buffer, info *BufferInfo) error {
	if !info.Header.Compressed() {
		dst.Data = sized(dst.Data, int(info.Size))
		if err := f.read(dst.Data, info.Offset); err != nil {
			return err
		}
		dst.end = info.Header.dataEnd(len(dst.Data))
		return nil
	}
	dst.compressed = sized(dst.compressed, int(info.Size))
	if err := f.read(dst.compressed, info.Offset); err != nil {
		return err
	}
	return f.decompress(dst)
}

// read fills p. It is an error if the file is shorter than the size given to NewFile.
func (f *File) read(p []byte, offset int64) error {
	n, err := f.r.ReadAt(p, offset)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read %d bytes at %#x: %w", len(p), offset, err)
}

// sized returns a slice of n bytes, in the memory of b if it suffices.
func sized(b []byte, n int) []byte {
	return slices.Grow(b[:0], n)[:n]
}

// firstGuess bounds the memory allocated for a compressed buffer because its
// header claims a size. More is allocated only when the data fill that memory.
const firstGuess = 16

// decompress fills dst.Data from dst.compressed.
func (f *File) decompress(dst *Buffer) error {
	stream := dst.compressed[BufferHeaderSize:]
	claim := int(min(dst.Header.SavedOffset, MaxBufferSize))
	if claim < BufferHeaderSize {
		dst.Data = append(dst.Data[:0], dst.compressed[:BufferHeaderSize]...)
		return dst.errorAt(-1, "WMI_BUFFER_HEADER.SavedOffset", ErrCorrupt, "%#x is less than the size of a buffer header", claim)
	}
	for guess := min(claim, BufferHeaderSize+firstGuess*(len(stream)+64)); ; guess = min(claim, firstGuess*guess) {
		dst.Data = sized(dst.Data, guess)
		copy(dst.Data, dst.compressed[:BufferHeaderSize])
		n, err := f.expand(dst.Data[BufferHeaderSize:], stream)
		if errors.Is(err, xca.ErrFull) || err == nil && BufferHeaderSize+n == guess {
			if guess < claim {
				continue
			}
		}
		dst.end = BufferHeaderSize + n
		dst.Data = dst.Data[:dst.end]
		switch {
		case err != nil:
			return dst.errorAt(dst.end, "compressed data", ErrCorrupt, "%v", err)
		case dst.end < claim:
			return dst.errorAt(dst.end, "compressed data", ErrTruncated, "only %#x of %#x bytes were decompressed", dst.end, claim)
		}
		return nil
	}
}

func (f *File) expand(dst, stream []byte) (int, error) {
	switch f.format {
	case compressionFormatLZNT1:
		return xca.DecodeLZNT1(dst, stream)
	case compressionFormatHuffman:
		return xca.DecodeHuffman(dst, stream)
	}
	return xca.DecodePlain(dst, stream)
}

// filetimeLikely is a FILETIME in 1983. Tick counts never reach it, and FILETIMEs
// in traces are never below it.
const filetimeLikely = 0x01b0000000000000

// startTicks returns the time for events without a time stamp at the start of a
// buffer: the buffer's flush time if it is on the trace's clock, else the start of
// the trace.
func (f *File) startTicks(info *BufferInfo) Ticks {
	t := info.Header.TimeStamp
	isFiletime := t >= filetimeLikely
	if t != 0 && isFiletime == (f.header.ClockType == ClockSystemTime) && f.isTime(t) {
		return t
	}
	return min(max(f.header.EventTicks, f.first), f.last)
}
