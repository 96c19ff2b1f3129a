package pdb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
)

// The superblock.
const (
	magic          = "Microsoft C/C++ MSF 7.00\r\n\x1aDS\x00\x00\x00"
	blockSizeAt    = 0x20
	blocksAt       = 0x28
	directoryAt    = 0x2c // bytes of the directory
	directoryMapAt = 0x34 // blocks that list the directory's blocks: one, or more in a large file

	minBlock = 512
	maxBlock = 32 << 10
)

// Other formats have the same purpose and other magics.
var otherMagics = []struct{ magic, name string }{
	{"Microsoft C/C++ program database 2.00", "PDB 2.00, of Visual C++ 6 and earlier"},
	{"Microsoft MSFZ Container", "a compressed PDB (MSFZ)"},
	{"BSJB", "a portable PDB of .NET"},
}

// container is the container of streams.
type container struct {
	r         io.ReaderAt
	size      int64
	blockSize int64
	blocks    uint32 // of the file
	directory []byte // numbers of streams' blocks
	streams   []extent
}

// extent is a stream in the directory.
type extent struct {
	size uint32
	at   uint32 // position of its first block number
}

// stream is a stream of a container. The zero value is an empty stream.
type stream struct {
	file   *container
	number int
	size   int64
	blocks []byte // 4 bytes each
}

// openContainer reads the superblock and the directory.
func openContainer(r io.ReaderAt, size int64) (*container, error) {
	head := make([]byte, min(max(size, 0), maxBlock))
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, &Error{Stream: -1, Where: "superblock", Err: err}
	}
	head = head[:n]
	c := &container{r: r, size: size}
	if err := c.superblock(head); err != nil {
		return nil, &Error{Stream: -1, Where: "superblock", Err: err}
	}
	return c, c.readDirectory(head)
}

// superblock reads the block size and the number of blocks from the start of the file.
func (c *container) superblock(head []byte) error {
	for _, other := range otherMagics {
		if len(head) >= len(other.magic) && string(head[:len(other.magic)]) == other.magic {
			return fmt.Errorf("%w: %s", ErrUnsupported, other.name)
		}
	}
	if len(head) < len(magic) || string(head[:len(magic)]) != magic {
		return ErrNotPDB
	}
	if len(head) < directoryMapAt {
		return ErrTruncated
	}
	c.blockSize, c.blocks = int64(u32(head, blockSizeAt)), u32(head, blocksAt)
	if c.blockSize < minBlock || c.blockSize > maxBlock || bits.OnesCount64(uint64(c.blockSize)) != 1 {
		return corrupt("blocks of %d bytes", c.blockSize)
	}
	if c.size < int64(c.blocks)*c.blockSize || int64(len(head)) < c.blockSize {
		return ErrTruncated
	}
	return nil
}

// readDirectory reads the directory. Its blocks are listed in blocks that the superblock
// lists.
func (c *container) readDirectory(head []byte) error {
	size := int64(u32(head, directoryAt))
	wrong := func(err error) error { return &Error{Stream: -1, Offset: directoryAt, Where: "directory", Err: err} }
	mapSize := c.blocksOf(size) * 4
	if size < 4 || size > c.size || c.blocksOf(mapSize)*4 > c.blockSize-directoryMapAt {
		return wrong(corrupt("a directory of %d bytes", size))
	}
	directoryMap := stream{file: c, number: -1, size: mapSize, blocks: head[directoryMapAt:][:4*c.blocksOf(mapSize)]}
	list, err := directoryMap.read(0, mapSize, "map of the directory")
	if err != nil {
		return err
	}
	all := stream{file: c, number: -1, size: size, blocks: list}
	data, err := all.read(0, size, "directory")
	if err != nil {
		return err
	}
	if err := c.listStreams(data); err != nil {
		return wrong(err)
	}
	return nil
}

// listStreams finds the streams in the directory. No two streams may share blocks, so that all of
// them together are not larger than the file. Stream 0 is an earlier directory, whose blocks may
// have been reused.
func (c *container) listStreams(directory []byte) error {
	count := int64(u32(directory, 0))
	if count > int64(len(directory)-4)/4 {
		return corrupt("%d streams", count)
	}
	sizes := directory[4 : 4+4*count]
	c.directory = directory[4+4*count:]
	c.streams = make([]extent, count)
	at, total := int64(0), int64(0)
	for i := range c.streams {
		size := u32(sizes, 4*i)
		if size == math.MaxUint32 { // deleted
			size = 0
		}
		c.streams[i] = extent{size: size, at: uint32(at)}
		at += 4 * c.blocksOf(int64(size))
		if i > 0 {
			total += int64(size)
		}
	}
	if at > int64(len(c.directory)) {
		return corrupt("%d blocks in a directory of %d", at/4, len(c.directory)/4)
	}
	if total > c.size {
		return corrupt("streams of %d bytes", total)
	}
	return nil
}

// blocksOf returns the number of blocks for size bytes.
func (c *container) blocksOf(size int64) int64 { return (size + c.blockSize - 1) / c.blockSize }

// stream returns a stream by its number; a missing stream is empty.
func (c *container) stream(number int) stream {
	if number < 0 || number >= len(c.streams) {
		return stream{number: number}
	}
	e := c.streams[number]
	return stream{file: c, number: number, size: int64(e.size), blocks: c.directory[e.at:][:4*c.blocksOf(int64(e.size))]}
}

// read returns size bytes from an offset on, in newly allocated memory.
func (s stream) read(from, size int64, where string) ([]byte, error) {
	if from < 0 || size < 0 || size > s.size-from {
		return nil, s.wrong(from, where, ErrTruncated)
	}
	dst := make([]byte, size)
	return dst, s.readAt(dst, from, where)
}

// readAt fills dst with the bytes from an offset on. It reads adjacent blocks together.
func (s stream) readAt(dst []byte, from int64, where string) error {
	if from < 0 || int64(len(dst)) > s.size-from {
		return s.wrong(from, where, ErrTruncated)
	}
	for len(dst) > 0 {
		i := from / s.file.blockSize
		block := s.block(i)
		in := from % s.file.blockSize
		n := s.file.blockSize - in
		for next := i + 1; n < int64(len(dst)) && uint64(s.block(next)) == uint64(block)+uint64(next-i); next++ {
			n += s.file.blockSize
		}
		n = min(n, int64(len(dst)))
		at := int64(block)*s.file.blockSize + in
		if at+n > s.file.size {
			return s.wrong(from, where, corrupt("block %d of %d", block, s.file.blocks))
		}
		if got, err := s.file.r.ReadAt(dst[:n], at); int64(got) < n {
			if err == nil || errors.Is(err, io.EOF) {
				err = ErrTruncated
			}
			return s.wrong(from, where, err)
		}
		dst, from = dst[n:], from+n
	}
	return nil
}

// block returns the number of the block with this index in the stream.
func (s stream) block(i int64) uint32 { return u32(s.blocks, int(4*i)) }

// wrong returns an error at an offset of the stream.
func (s stream) wrong(at int64, where string, err error) error {
	return &Error{Stream: s.number, Offset: at, Where: where, Err: err}
}

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
func u16(b []byte, at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }
