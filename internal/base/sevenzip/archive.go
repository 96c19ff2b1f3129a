package sevenzip

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"
	"unicode/utf16"
)

// ErrCorrupt means that a value contradicts the format, or that the archive is cut off.
var ErrCorrupt = errors.New("corrupt 7z archive")

// Signature is the start of an archive.
const Signature = "7z\xbc\xaf\x27\x1c"

const signatureHeaderSize = 32

// Limits bounds the memory for an archive.
type Limits struct {
	Files  int   // in the archive
	Header int64 // bytes of the header, unpacked
	Window int64 // window of a decompressor, bytes
}

// WindowError means that a folder needs a larger window than the limit.
type WindowError struct{ Window, Limit int64 }

func (e *WindowError) Error() string {
	return fmt.Sprintf("a window of %d bytes, limit %d", e.Window, e.Limit)
}

// FilesError means that there are more files than the limit.
type FilesError struct {
	Files uint64
	Limit int
}

func (e *FilesError) Error() string { return fmt.Sprintf("%d files, limit %d", e.Files, e.Limit) }

// Archive is an archive whose header has been read.
type Archive struct {
	r       io.ReaderAt
	size    int64 // of the signature header and the packed streams
	limits  Limits
	streams streams
	files   []File
}

// File is a file in an archive.
type File struct {
	Name    string // with slashes; invalid UTF-16 becomes U+FFFD
	Dir     bool
	Folder  int   // index of its folder, or -1 if the file is empty
	Offset  int64 // in the unpacked folder
	Size    int64
	CRC     uint32 // CRC-32 of the content, if HasCRC
	HasCRC  bool
	ModTime time.Time
	isEmpty bool
}

// Open reads the header of an archive.
func Open(r io.ReaderAt, size int64, limits Limits) (*Archive, error) {
	var h [signatureHeaderSize]byte
	if n, err := r.ReadAt(h[:], 0); n < len(h) {
		return nil, fmt.Errorf("signature header: %w", ended(err))
	}
	if string(h[:6]) != Signature {
		return nil, fmt.Errorf("%w: signature %q", ErrCorrupt, h[:6])
	}
	if crc32.ChecksumIEEE(h[12:]) != binary.LittleEndian.Uint32(h[8:]) {
		return nil, fmt.Errorf("%w: the signature header does not match its checksum", ErrCorrupt)
	}
	offset, length := binary.LittleEndian.Uint64(h[12:]), binary.LittleEndian.Uint64(h[20:])
	rest := uint64(max(0, size-signatureHeaderSize))
	if offset > rest || length > rest-offset {
		return nil, fmt.Errorf("%w: %#x bytes of header at %#x are beyond the end, %#x", ErrCorrupt, length, offset+signatureHeaderSize, size)
	}
	a := &Archive{r: r, size: signatureHeaderSize + int64(offset), limits: limits}
	if length == 0 {
		return a, nil
	}
	header, err := a.checked(io.NewSectionReader(r, a.size, int64(length)), int64(length),
		checksum{true, binary.LittleEndian.Uint32(h[28:])})
	if err != nil {
		return nil, err
	}
	if err := a.readHeader(header); err != nil {
		return nil, err
	}
	return a, nil
}

// Files returns the files in the order of the archive.
func (a *Archive) Files() []File { return a.files }

// checked reads a header of the given size.
func (a *Archive) checked(r io.Reader, size int64, sum checksum) ([]byte, error) {
	if size > a.limits.Header {
		return nil, fmt.Errorf("%w: a header of %d bytes, limit %d", ErrCorrupt, size, a.limits.Header)
	}
	b, err := io.ReadAll(io.LimitReader(r, size))
	switch {
	case err != nil:
		return nil, fmt.Errorf("header: %w", err)
	case int64(len(b)) < size:
		return nil, fmt.Errorf("header: %w", io.ErrUnexpectedEOF)
	case sum.known && crc32.ChecksumIEEE(b) != sum.value:
		return nil, fmt.Errorf("%w: the header does not match its checksum", ErrCorrupt)
	}
	return b, nil
}

// readHeader reads the header, which can be packed repeatedly.
func (a *Archive) readHeader(header []byte) error {
	const deepest = 4
	for range deepest {
		c := &cursor{b: header}
		id := c.byte()
		if id == idHeader {
			a.readFiles(c)
			return c.err
		}
		c.end(id-idEncodedHeader, "the header")
		a.streams = readStreams(c, a.limits)
		if c.err == nil && len(a.streams.folders) != 1 {
			c.fail("a packed header of %d folders", len(a.streams.folders))
		}
		if c.err != nil {
			return c.err
		}
		f, err := a.Folder(0)
		if err != nil {
			return fmt.Errorf("header: %w", err)
		}
		in := &a.streams.folders[0]
		if header, err = a.checked(f, in.size(), in.crc); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: a header packed more than %d times", ErrCorrupt, deepest)
}

func (a *Archive) readFiles(c *cursor) {
	a.streams = streams{}
	id := c.byte()
	if id == idMainStreams {
		a.streams = readStreams(c, a.limits)
		id = c.byte()
	}
	if id == idFiles {
		a.readFilesInfo(c)
		id = c.byte()
	}
	c.end(id, "the header")
}

func (a *Archive) readFilesInfo(c *cursor) {
	n := c.files(a.limits)
	if c.err != nil {
		return
	}
	files := make([]File, n)
	var empty []int // files without a stream
	for c.err == nil {
		id := c.byte()
		if id == idEnd {
			break
		}
		p := &cursor{b: c.bytes(c.count(c.left(), "bytes of a property"))}
		switch id {
		case idEmptyStreams:
			empty = readEmpty(p, files)
		case idEmptyFiles:
			readEmptyFiles(p, files, empty)
		case idNames:
			readNames(p, files)
		case idModified:
			readTimes(p, files)
		case idAttributes:
			readAttributes(p, files)
		}
		if c.err == nil {
			c.err = p.err
		}
	}
	if c.err == nil {
		a.place(c, files)
	}
}

// readEmpty reads which entries have no content. These are folders, unless marked as files.
func readEmpty(p *cursor, files []File) (empty []int) {
	for i, is := range p.bitField(len(files)) {
		if is {
			files[i].isEmpty, files[i].Dir = true, true
			empty = append(empty, i)
		}
	}
	return empty
}

func readEmptyFiles(p *cursor, files []File, empty []int) {
	for i, is := range p.bitField(len(empty)) {
		files[empty[i]].Dir = !is
	}
}

func readNames(p *cursor, files []File) {
	if p.byte() != 0 {
		p.fail("names that are elsewhere")
	}
	for i := 0; i < len(files) && p.err == nil; i++ {
		var name []uint16
		for p.err == nil {
			b := p.bytes(2)
			if p.err != nil || b[0] == 0 && b[1] == 0 {
				break
			}
			name = append(name, binary.LittleEndian.Uint16(b))
		}
		files[i].Name = string(utf16.Decode(name))
	}
}

func readTimes(p *cursor, files []File) {
	defined := p.defined(len(files))
	if p.byte() != 0 {
		p.fail("times that are elsewhere")
	}
	for i, is := range defined {
		if is {
			files[i].ModTime = fileTime(p.uint64())
		}
	}
}

// fileTime is for a time in 100 ns since 1601.
func fileTime(ticks uint64) time.Time {
	const second, epoch = 10_000_000, 11_644_473_600
	return time.Unix(int64(ticks/second)-epoch, int64(ticks%second)*100).UTC()
}

func readAttributes(p *cursor, files []File) {
	const directory = 0x10
	defined := p.defined(len(files))
	if p.byte() != 0 {
		p.fail("attributes that are elsewhere")
	}
	for i, is := range defined {
		if is && p.uint32()&directory != 0 {
			files[i].Dir = true
		}
	}
}

// place assigns the files to the folders.
func (a *Archive) place(c *cursor, files []File) {
	folder, in := 0, 0
	var offset int64
	for i := range files {
		f := &files[i]
		f.Folder = -1
		if f.isEmpty {
			continue
		}
		for folder < len(a.streams.folders) && in == a.streams.folders[folder].files {
			folder, in, offset = folder+1, 0, 0
		}
		if folder == len(a.streams.folders) {
			c.fail("more files than the folders have")
			return
		}
		from := &a.streams.folders[folder]
		f.Folder, f.Offset, f.Size = folder, offset, from.sizes[in]
		f.CRC, f.HasCRC = from.checksums[in].value, from.checksums[in].known
		offset += f.Size
		in++
	}
	a.files = files
}

// ended turns an unexpected end of the input into ErrCorrupt.
func ended(err error) error {
	if err == nil || err == io.EOF {
		return fmt.Errorf("%w: the archive ends in it", ErrCorrupt)
	}
	return err
}
