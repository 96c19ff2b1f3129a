package pe

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"

	"github.com/etl2parquet/etl2parquet/schema"
)

// The kinds of fault in a file. An Error wraps one of these, or an error of the reader.
var (
	ErrNotPE     = errors.New("not a Windows image")
	ErrCorrupt   = errors.New("corrupt")
	ErrTruncated = errors.New("truncated")
)

// Error is an error at a position of a file.
type Error struct {
	Offset int64  // in the file
	Where  string // what was read there
	Err    error
}

func (e *Error) Error() string { return fmt.Sprintf("%s at 0x%x: %v", e.Where, e.Offset, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// The headers.
const (
	peOffsetAt = 0x3c
	dosSize    = 0x40

	sectionsAt     = 6 // from the PE header: their number
	timeStampAt    = 8
	optionalSizeAt = 20
	coffSize       = 24 // with the signature

	imageSizeAt   = 56 // from the optional header
	headersSizeAt = 60
	minOptional   = 64

	directorySize   = 8 // address, size
	exportDirectory = 0
	debugDirectory  = 6
)

// optionalForms maps the magic number to the position of the number of directories. The directories
// follow it.
var optionalForms = map[uint16]int{0x10b: 92, 0x20b: 108}

// A section header.
const (
	sectionSize      = 40
	virtualSizeAt    = 8
	virtualAddressAt = 12
	rawSizeAt        = 16
	rawOffsetAt      = 20
)

// File is an image. It is safe for use from many goroutines.
type File struct {
	r         io.ReaderAt
	size      int64
	timeStamp uint32
	imageSize uint32
	sections  []section // sorted by their starts; the headers are one, too
	exportDir directory
	debugDir  directory
	exports   func() ([]export, error)
	pdb       func() (pdbName, error)
}

// section is a part of the image, with the half-open range [start, end) of addresses. The file
// contains its first bytes.
type section struct {
	start, end uint32
	raw        int64 // offset in the file
	rawSize    uint32
}

// directory is the range of addresses of a table.
type directory struct{ rva, size uint32 }

// Open reads the headers of an image of size bytes.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size}
	f.exports = sync.OnceValues(f.readExports)
	f.pdb = sync.OnceValues(f.readPDBName)
	dos, err := f.read(0, dosSize, "DOS header")
	if err != nil || string(dos[:2]) != "MZ" {
		if err == nil || errors.Is(err, ErrTruncated) {
			err = &Error{Where: "DOS header", Err: ErrNotPE}
		}
		return nil, err
	}
	at := int64(u32(dos, peOffsetAt))
	head, err := f.read(at, coffSize, "PE header")
	if err != nil {
		return nil, err
	}
	if string(head[:4]) != "PE\x00\x00" {
		return nil, &Error{Offset: at, Where: "PE header", Err: ErrNotPE}
	}
	f.timeStamp = u32(head, timeStampAt)
	optionalSize := int64(u16(head, optionalSizeAt))
	if err := f.readOptional(at+coffSize, optionalSize); err != nil {
		return nil, err
	}
	return f, f.readSections(at+coffSize+optionalSize, int64(u16(head, sectionsAt)))
}

// readOptional reads the optional header. A directory beyond its end is empty.
func (f *File) readOptional(at, size int64) error {
	const where = "optional header"
	head, err := f.read(at, size, where)
	if err != nil {
		return err
	}
	if len(head) < minOptional {
		return &Error{Offset: at, Where: where, Err: ErrTruncated}
	}
	countAt, ok := optionalForms[u16(head, 0)]
	if !ok || len(head) < countAt+4 {
		return &Error{Offset: at, Where: where, Err: fmt.Errorf("%w: magic 0x%x in %d bytes", ErrCorrupt, u16(head, 0), len(head))}
	}
	f.imageSize = u32(head, imageSizeAt)
	headers := u32(head, headersSizeAt)
	f.sections = []section{{end: headers, rawSize: headers}}
	count, list := u32(head, countAt), head[countAt+4:]
	find := func(number int) directory {
		entry := number * directorySize
		if uint32(number) >= count || entry+directorySize > len(list) {
			return directory{}
		}
		return directory{u32(list, entry), u32(list, entry+4)}
	}
	f.exportDir, f.debugDir = find(exportDirectory), find(debugDirectory)
	return nil
}

// readSections reads the section headers.
func (f *File) readSections(at, count int64) error {
	headers, err := f.read(at, count*sectionSize, "section headers")
	for ; len(headers) > 0; headers = headers[sectionSize:] {
		start, size, raw := u32(headers, virtualAddressAt), u32(headers, virtualSizeAt), u32(headers, rawSizeAt)
		if size == 0 { // some linkers write 0
			size = raw
		}
		end := start + min(size, -start-1)
		f.sections = append(f.sections, section{start, end, int64(u32(headers, rawOffsetAt)), raw})
	}
	slices.SortStableFunc(f.sections, func(a, b section) int { return cmp.Compare(a.start, b.start) })
	return err
}

// TimeStamp returns the time stamp of the image, which some linkers compute from its content.
func (f *File) TimeStamp() uint32 { return f.timeStamp }

// ImageSize returns the size of the image in memory.
func (f *File) ImageSize() uint32 { return f.imageSize }

// sectionAt returns the section that an address is in.
func (f *File) sectionAt(rva uint32) (section, bool) {
	i := sort.Search(len(f.sections), func(i int) bool { return f.sections[i].start > rva }) - 1
	if i < 0 || rva >= f.sections[i].end {
		return section{}, false
	}
	return f.sections[i], true
}

// read returns bytes of the file.
func (f *File) read(at, size int64, where string) ([]byte, error) {
	if at < 0 || size > f.size-at {
		return nil, &Error{at, where, ErrTruncated}
	}
	data := make([]byte, size)
	if n, err := f.r.ReadAt(data, at); n < len(data) {
		if err == nil || errors.Is(err, io.EOF) {
			err = ErrTruncated
		}
		return nil, &Error{at, where, err}
	}
	return data, nil
}

// readRVA returns bytes of the image. They must be in one section.
func (f *File) readRVA(rva uint32, size int64, where string) ([]byte, error) {
	s, ok := f.sectionAt(rva)
	in := rva - s.start
	if !ok || int64(in)+size > int64(s.rawSize) {
		return nil, &Error{s.raw + int64(in), where, fmt.Errorf("%w: no bytes at address 0x%x", ErrCorrupt, rva)}
	}
	return f.read(s.raw+int64(in), size, where)
}

// readText returns the zero-terminated text at an address, at most most bytes.
func (f *File) readText(rva uint32, most int64, where string) (string, error) {
	s, ok := f.sectionAt(rva)
	for size := int64(64); ok; size *= 4 {
		left := min(int64(s.rawSize)-int64(rva-s.start), most)
		data, err := f.readRVA(rva, min(size, max(left, 0)), where)
		if err != nil {
			return "", err
		}
		if text, ended := cutText(data); ended {
			return text, nil
		}
		if size >= left {
			break
		}
	}
	return "", &Error{s.raw + int64(rva-s.start), where, fmt.Errorf("%w: no text at address 0x%x", ErrCorrupt, rva)}
}

// PDB returns the identity of the image's PDB. The name is a path on the machine that linked it, or
// a file name. ok is false if there is none, or if it is damaged.
func (f *File) PDB() (name string, guid schema.GUID, age uint32, ok bool) {
	p, err := f.pdb()
	return p.name, p.guid, p.age, err == nil && p.name != ""
}

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
func u16(b []byte, at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }
