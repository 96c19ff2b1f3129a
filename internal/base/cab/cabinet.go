package cab

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// ErrCorrupt means that a value contradicts the format, or that the cabinet is cut off.
var ErrCorrupt = errors.New("corrupt cabinet")

// Signature is the start of a cabinet.
const Signature = "MSCF\x00\x00\x00\x00"

// Flags of CFHEADER.
const (
	flagPrevious = 0x1
	flagNext     = 0x2
	flagReserve  = 0x4
)

const (
	headerSize = 0x24
	maxName    = 255 // bytes of a name, or of a text in the header, without the zero byte
)

// Cabinet is a cabinet whose tables have been read.
type Cabinet struct {
	r       io.ReaderAt
	size    int64
	files   []File
	folders []folder
	reserve int  // bytes between the header and the data of a block
	goesOn  bool // folder 0 begins in another cabinet
}

// folder is a CFFOLDER.
type folder struct {
	offset int64  // of the first block in the cabinet
	blocks int    // number of blocks
	method uint16 // compression and its parameters
}

// File is a file in a cabinet.
type File struct {
	Name    string // with backslashes; in the code page of the cabinet's author, unless UTF8
	UTF8    bool
	Folder  int   // index of its folder, or -1 if the folder begins or ends in another cabinet
	Offset  int64 // in the uncompressed folder
	Size    int64
	ModTime time.Time // local time of the cabinet's author, as if it were UTC; in steps of 2 s
}

// Values of CFFILE.iFolder for a folder that is incomplete in this cabinet.
const (
	folderFromPrevious = 0xfffd
	folderToNext       = 0xfffe
	folderThrough      = 0xffff
)

// attributeUTF8 is the bit of CFFILE.attribs for a name in UTF-8.
const attributeUTF8 = 0x80

// Open reads the tables of a cabinet. It ignores data after the cabinet, such as a signature.
func Open(r io.ReaderAt, size int64) (*Cabinet, error) {
	c := &Cabinet{r: r, size: size}
	var h [headerSize]byte
	if err := c.readAt(h[:], 0, "CFHEADER"); err != nil {
		return nil, err
	}
	if string(h[:8]) != Signature {
		return nil, fmt.Errorf("%w: CFHEADER.signature: %q", ErrCorrupt, h[:8])
	}
	if minor, major := h[0x18], h[0x19]; major != 1 || minor > 3 {
		return nil, fmt.Errorf("CFHEADER.version: %w: cabinet version %d.%d", errors.ErrUnsupported, major, minor)
	}
	filesAt := int64(binary.LittleEndian.Uint32(h[0x10:]))
	folders := int(binary.LittleEndian.Uint16(h[0x1a:]))
	files := int(binary.LittleEndian.Uint16(h[0x1c:]))
	flags := binary.LittleEndian.Uint16(h[0x1e:])

	tables := bufio.NewReader(io.NewSectionReader(r, headerSize, max(0, size-headerSize)))
	folderReserve, err := c.readOptions(tables, flags)
	if err != nil {
		return nil, err
	}
	if err := c.readFolders(tables, folders, folderReserve); err != nil {
		return nil, err
	}
	if filesAt > size {
		return nil, fmt.Errorf("%w: CFHEADER.coffFiles: %#x is beyond the end, %#x", ErrCorrupt, filesAt, size)
	}
	tables.Reset(io.NewSectionReader(r, filesAt, size-filesAt))
	if err := c.readFiles(tables, files); err != nil {
		return nil, err
	}
	return c, nil
}

// Files returns the files in the order of the cabinet.
func (c *Cabinet) Files() []File { return c.files }

// readOptions reads the optional parts of the header and returns the number of bytes that follow
// each CFFOLDER.
func (c *Cabinet) readOptions(r *bufio.Reader, flags uint16) (folderReserve int, err error) {
	if flags&flagReserve != 0 {
		var b [4]byte
		if err := readFull(r, b[:], "CFHEADER.cbCFHeader"); err != nil {
			return 0, err
		}
		header := int(binary.LittleEndian.Uint16(b[:]))
		if err := skip(r, header, "CFHEADER.abReserve"); err != nil {
			return 0, err
		}
		folderReserve, c.reserve = int(b[2]), int(b[3])
	}
	names := 0
	if flags&flagPrevious != 0 {
		names += 2
	}
	if flags&flagNext != 0 {
		names += 2
	}
	for range names {
		if _, err := readText(r, "CFHEADER.szCabinet"); err != nil {
			return 0, err
		}
	}
	return folderReserve, nil
}

func (c *Cabinet) readFolders(r *bufio.Reader, count, reserve int) error {
	for i := range count {
		var b [8]byte
		where := fmt.Sprintf("CFFOLDER %d", i)
		if err := readFull(r, b[:], where); err != nil {
			return err
		}
		if err := skip(r, reserve, where); err != nil {
			return err
		}
		c.folders = append(c.folders, folder{
			offset: int64(binary.LittleEndian.Uint32(b[:])),
			blocks: int(binary.LittleEndian.Uint16(b[4:])),
			method: binary.LittleEndian.Uint16(b[6:]),
		})
	}
	return nil
}

func (c *Cabinet) readFiles(r *bufio.Reader, count int) error {
	for i := range count {
		var b [16]byte
		where := fmt.Sprintf("CFFILE %d", i)
		if err := readFull(r, b[:], where); err != nil {
			return err
		}
		name, err := readText(r, where+".szName")
		if err != nil {
			return err
		}
		f := File{
			Name:    name,
			UTF8:    binary.LittleEndian.Uint16(b[14:])&attributeUTF8 != 0,
			Size:    int64(binary.LittleEndian.Uint32(b[:])),
			Offset:  int64(binary.LittleEndian.Uint32(b[4:])),
			Folder:  int(binary.LittleEndian.Uint16(b[8:])),
			ModTime: dosTime(binary.LittleEndian.Uint16(b[10:]), binary.LittleEndian.Uint16(b[12:])),
		}
		switch {
		case f.Folder == folderFromPrevious || f.Folder == folderThrough:
			c.goesOn = true
			f.Folder = -1
		case f.Folder == folderToNext:
			f.Folder = -1
		case f.Folder >= len(c.folders):
			return fmt.Errorf("%w: %s.iFolder: %d of %d", ErrCorrupt, where, f.Folder, len(c.folders))
		}
		c.files = append(c.files, f)
	}
	return nil
}

// dosTime returns the time, or the zero time if there is none.
func dosTime(date, clock uint16) time.Time {
	if date == 0 {
		return time.Time{}
	}
	return time.Date(1980+int(date>>9), time.Month(date>>5&15), int(date&31),
		int(clock>>11), int(clock>>5&63), int(clock&31)*2, 0, time.UTC)
}

// readAt reads all of b.
func (c *Cabinet) readAt(b []byte, offset int64, where string) error {
	if offset < 0 || offset > c.size-int64(len(b)) {
		return fmt.Errorf("%w: %s: %#x bytes at %#x are beyond the end, %#x", ErrCorrupt, where, len(b), offset, c.size)
	}
	if n, err := c.r.ReadAt(b, offset); n < len(b) {
		return fmt.Errorf("%s: %w", where, unexpected(err))
	}
	return nil
}

func readFull(r *bufio.Reader, b []byte, where string) error {
	if _, err := io.ReadFull(r, b); err != nil {
		return fmt.Errorf("%s: %w", where, ended(err))
	}
	return nil
}

func skip(r *bufio.Reader, n int, where string) error {
	if _, err := r.Discard(n); err != nil {
		return fmt.Errorf("%s: %w", where, ended(err))
	}
	return nil
}

// readText reads a text with a zero byte at its end.
func readText(r *bufio.Reader, where string) (string, error) {
	var text [maxName + 1]byte
	for i := range text {
		b, err := r.ReadByte()
		if err != nil {
			return "", fmt.Errorf("%s: %w", where, ended(err))
		}
		if b == 0 {
			return string(text[:i]), nil
		}
		text[i] = b
	}
	return "", fmt.Errorf("%w: %s: longer than %d bytes", ErrCorrupt, where, maxName)
}

// ended turns an unexpected end of the input into ErrCorrupt.
func ended(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: the cabinet ends in it", ErrCorrupt)
	}
	return err
}

// unexpected turns the end of a reader before its size into an error.
func unexpected(err error) error {
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
