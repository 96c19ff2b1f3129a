package cab

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	blockSize       = 32 << 10          // the most uncompressed bytes of a block
	maxBlockData    = blockSize + 6<<10 // the most bytes of a block that compression has enlarged
	blockHeaderSize = 8                 // of CFDATA, without reserved bytes
	maxReserve      = 255               // bytes, between the header and the data
	maxBlockHeader  = blockHeaderSize + maxReserve
)

// Methods of compression, the low bits of CFFOLDER.typeCompress.
const (
	methodMask    = 0x000f
	methodStored  = 0
	methodMSZIP   = 1
	methodQuantum = 2
	methodLZX     = 3
)

// Folder reads an uncompressed folder from its beginning to its end. Every
// block is checked against its checksum before it is decompressed.
type Folder struct {
	c      *Cabinet
	offset int64 // of the next block
	block  int   // its index
	blocks int

	decoder decoder
	read    int64 // bytes of the cabinet
	unread  []byte
	err     error

	header [maxBlockHeader]byte
	data   [maxBlockData]byte
}

// decoder decompresses the blocks of a folder in order. The result has size bytes and is valid
// until the next call.
type decoder interface {
	decode(data []byte, size int, last bool) ([]byte, error)
}

// Folder opens a folder of the cabinet.
func (c *Cabinet) Folder(i int) (*Folder, error) {
	if i < 0 || i >= len(c.folders) || i == 0 && c.goesOn {
		return nil, fmt.Errorf("%w: a folder that begins or ends in another cabinet", errors.ErrUnsupported)
	}
	in := c.folders[i]
	d, err := newDecoder(in.method)
	if err != nil {
		return nil, fmt.Errorf("folder %d: %w", i, err)
	}
	return &Folder{c: c, offset: in.offset, blocks: in.blocks, decoder: d}, nil
}

func newDecoder(method uint16) (decoder, error) {
	switch method & methodMask {
	case methodStored:
		return stored{}, nil
	case methodMSZIP:
		return new(mszip), nil
	case methodQuantum:
		return nil, fmt.Errorf("%w: Quantum compression", errors.ErrUnsupported)
	case methodLZX:
		return newLZX(int(method >> 8 & 0x1f))
	}
	return nil, fmt.Errorf("%w: compression method %d", errors.ErrUnsupported, method&methodMask)
}

// Compressed returns the number of bytes of the cabinet that have been read so far.
func (f *Folder) Compressed() int64 { return f.read }

// Read implements io.Reader.
func (f *Folder) Read(p []byte) (int, error) {
	for len(f.unread) == 0 && f.err == nil {
		f.unread, f.err = f.next()
	}
	n := copy(p, f.unread)
	f.unread = f.unread[n:]
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, f.err
}

// next returns the content of the next block.
func (f *Folder) next() ([]byte, error) {
	if f.block == f.blocks {
		return nil, io.EOF
	}
	where := fmt.Sprintf("block %d at %#x", f.block, f.offset)
	header := f.header[:blockHeaderSize+f.c.reserve]
	if err := f.c.readAt(header, f.offset, where); err != nil {
		return nil, err
	}
	data, size := int(binary.LittleEndian.Uint16(header[4:])), int(binary.LittleEndian.Uint16(header[6:]))
	switch {
	case size == 0:
		return nil, fmt.Errorf("%s: %w: it continues in another cabinet", where, errors.ErrUnsupported)
	case data > maxBlockData:
		return nil, fmt.Errorf("%w: %s: CFDATA.cbData: %#x", ErrCorrupt, where, data)
	case size > blockSize:
		return nil, fmt.Errorf("%w: %s: CFDATA.cbUncomp: %#x", ErrCorrupt, where, size)
	}
	ab := f.data[:data]
	if err := f.c.readAt(ab, f.offset+int64(len(header)), where); err != nil {
		return nil, err
	}
	if err := verify(header, ab); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrCorrupt, where, err)
	}
	f.offset += int64(len(header) + data)
	f.read += int64(len(header) + data)
	f.block++
	out, err := f.decoder.decode(ab, size, f.block == f.blocks)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrCorrupt, where, err)
	}
	return out, nil
}

// verify compares the checksum of a block, if it has one. It includes the reserved bytes
// according to the specification, but some programs leave them out.
func verify(header, data []byte) error {
	want := binary.LittleEndian.Uint32(header)
	if want == 0 {
		return nil
	}
	sum := checksum(data, 0)
	got := checksum(header[4:blockHeaderSize], sum)
	if got != want && checksum(header[4:], sum) != want {
		return fmt.Errorf("CFDATA.csum: %#x, but the data have %#x", want, got)
	}
	return nil
}

// checksum is the exclusive or of 4-byte words. The remaining bytes at the end are in reverse
// order.
func checksum(b []byte, sum uint32) uint32 {
	for ; len(b) >= 4; b = b[4:] {
		sum ^= binary.LittleEndian.Uint32(b)
	}
	var last uint32
	for _, x := range b {
		last = last<<8 | uint32(x)
	}
	return sum ^ last
}

// stored is a folder without compression.
type stored struct{}

func (stored) decode(data []byte, size int, _ bool) ([]byte, error) {
	if len(data) != size {
		return nil, fmt.Errorf("%#x bytes are stored as %#x", size, len(data))
	}
	return data, nil
}
