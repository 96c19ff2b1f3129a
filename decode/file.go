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
	format  uint32 // compression of the buffers that are compressed
}

// BufferInfo says where a buffer is.
type BufferInfo struct {
	Offset  int64        // in the file
	Size    uint32       // bytes it takes there
	Damaged bool         // its header contradicts itself or its neighbours
	Header  BufferHeader //
}

// FaultKind says what a fault costs.
type FaultKind uint8

// The kinds of fault.
const (
	FaultDamage  FaultKind = iota // bytes or fields that cannot be made sense of
	FaultSlack                    // space that was set aside and not used
	FaultMissing                  // the file ends inside a buffer
)

// Fault is something wrong with the container.
type Fault struct {
	Kind FaultKind
	Err  *Error
}

// maxFaults bounds the list of faults: a file can have one every few bytes.
const maxFaults = 4096

// NewFile finds the buffers of a trace of the given size and reads its trace
// header. It reads the headers of the buffers only, unless there is damage to
// find a way around. A trace whose trace header is lost is opened all the
// same, with a fault that says so; what is not a trace is [ErrNotETL].
func NewFile(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size}
	s := scanner{f: f}
	if err := s.start(); err != nil {
		return nil, err
	}
	if err := s.run(); err != nil {
		return nil, err
	}
	return f, nil
}

// Header returns the trace header.
func (f *File) Header() *TraceHeader { return &f.header }

// Size returns the size of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Buffers returns the number of buffers.
func (f *File) Buffers() int { return len(f.buffers) }

// BufferInfo returns what is known of buffer i.
func (f *File) BufferInfo(i int) *BufferInfo { return &f.buffers[i] }

// Faults returns what is wrong with the container, in file order, and how
// many more faults there are than that.
func (f *File) Faults() (faults []Fault, more int) { return f.faults, f.dropped }

// UncompressedSize returns how many bytes buffer i has in memory, up to the
// end of its data and with its header, as the header claims.
func (b *BufferInfo) UncompressedSize() int64 {
	if b.Header.Compressed() {
		return int64(min(b.Header.SavedOffset, MaxBufferSize))
	}
	return int64(b.Header.dataEnd(int(b.Size)))
}

// ReadBuffer reads buffer i into dst and decompresses it. An *Error means
// damage: dst then holds what came out right, which may be no event. Any other
// error is the reader's.
func (f *File) ReadBuffer(i int, dst *Buffer) error {
	info := &f.buffers[i]
	dst.Index = i
	dst.Header = info.Header
	dst.offset = info.Offset
	dst.qpcClock = f.header.usesQPC()
	dst.instanceSize = f.instanceSize()
	dst.start = f.startTicks(info)
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

// read fills p. The file must be as long as the caller of NewFile said.
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

// sized returns a slice of n bytes, in the memory of b if that is enough.
func sized(b []byte, n int) []byte {
	return slices.Grow(b[:0], n)[:n]
}

// firstGuess is how far a compressed buffer may expand before its claim of a
// size needs proof: the memory for more is taken when the data really fill it.
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

// filetimeLikely is a FILETIME in 1983: counters of processors never get
// there, times of traces are never below.
const filetimeLikely = 0x01b0000000000000

// startTicks is the time of events without one at the start of a buffer: that
// of its flush if it is on the trace's clock, else the trace's start.
func (f *File) startTicks(info *BufferInfo) Ticks {
	t := info.Header.TimeStamp
	isFiletime := t >= filetimeLikely
	if t != 0 && isFiletime == (f.header.ClockType == ClockSystemTime) {
		return t
	}
	return f.header.EventTicks
}
