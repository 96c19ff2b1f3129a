package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// footerLength is the size of the end of a Parquet file: the length of the footer, and the magic
// bytes.
const footerLength = 4 + len(magic)

// Footer is the content of a Parquet file's footer that this program uses.
type Footer struct {
	Rows int64
	Own  bool // this program wrote the file
}

// ReadFooter reads the footer of a Parquet file. The footer has the number of rows twice, and both
// must agree. It is read sequentially and nothing is kept, so a damaged footer cannot cause much
// use of memory or time.
func ReadFooter(r io.ReaderAt, size int64) (f Footer, err error) {
	err = readFooter(r, size, func(t *thriftReader) error {
		f, err = t.fileMetaData()
		return err
	})
	if err != nil {
		return Footer{}, err
	}
	return f, nil
}

// readFooter calls read with the FileMetaData of a file.
func readFooter(r io.ReaderAt, size int64, read func(t *thriftReader) error) error {
	var begin, end [footerLength]byte
	if size < int64(len(magic)+footerLength) {
		return errors.New("not a Parquet file: it is too short")
	}
	if _, err := r.ReadAt(begin[:len(magic)], 0); err != nil {
		return fmt.Errorf("read at 0x0: %w", err)
	}
	at := size - int64(footerLength)
	if n, err := r.ReadAt(end[:], at); n < len(end) {
		return fmt.Errorf("read at %#x: %w", at, err)
	}
	if string(begin[:len(magic)]) != magic || string(end[4:]) != magic {
		return errors.New("not a Parquet file: it does not begin and end with PAR1")
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	if length > at-int64(len(magic)) {
		return fmt.Errorf("the footer claims %d bytes in a file of %d bytes", length, size)
	}
	footer := io.NewSectionReader(r, at-length, length)
	if err := read(&thriftReader{r: bufio.NewReader(footer)}); err != nil {
		return fmt.Errorf("footer at %#x: %w", at-length, err)
	}
	return nil
}

// fileMetaData reads a FileMetaData.
func (t *thriftReader) fileMetaData() (Footer, error) {
	f, grouped := Footer{Rows: -1}, int64(0)
	err := t.structure(func(id int64, kind byte) (err error) {
		switch {
		case id == 3 && kind == thriftInt64: // num_rows
			f.Rows, err = t.integer()
		case id == 4 && kind == thriftList: // row_groups
			err = t.list(func(kind byte) error {
				n, err := t.groupRows(kind)
				grouped += n
				return err
			})
		case id == 6 && kind == thriftBinary: // created_by
			f.Own, err = t.isCreator()
		default:
			err = t.skip(kind)
		}
		return err
	})
	if err == nil && (f.Rows < 0 || f.Rows != grouped) {
		err = fmt.Errorf("it claims %d rows, but its row groups have %d", f.Rows, grouped)
	}
	return f, err
}

// groupRows reads a RowGroup.
func (t *thriftReader) groupRows(kind byte) (rows int64, err error) {
	if kind != thriftStruct {
		return 0, errThrift
	}
	err = t.structure(func(id int64, kind byte) (err error) {
		if id == 3 && kind == thriftInt64 { // num_rows
			rows, err = t.integer()
			return err
		}
		return t.skip(kind)
	})
	return rows, err
}

// The types of the compact protocol of Thrift, in which footers are written
// (apache/thrift, doc/specs/thrift-compact-protocol.md).
const (
	thriftTrue = 1 + iota
	thriftFalse
	thriftInt8
	thriftInt16
	thriftInt32
	thriftInt64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
)

// maxThriftDepth bounds nested structures, beyond the depth of any footer.
const maxThriftDepth = 32

var errThrift = errors.New("it is damaged")

// thriftReader reads the compact protocol.
type thriftReader struct {
	r     *bufio.Reader
	depth int
}

// structure calls field for each field of a structure; it must read or skip the value.
func (t *thriftReader) structure(field func(id int64, kind byte) error) error {
	if t.depth++; t.depth > maxThriftDepth {
		return errThrift
	}
	defer func() { t.depth-- }()
	for id := int64(0); ; {
		b, err := t.byte()
		if err != nil || b == 0 {
			return err
		}
		if id += int64(b >> 4); b>>4 == 0 {
			if id, err = t.integer(); err != nil {
				return err
			}
		}
		if err := field(id, b&0xf); err != nil {
			return err
		}
	}
}

// list calls element with the type of each element of a list; it must read or skip the element.
func (t *thriftReader) list(element func(kind byte) error) error {
	b, err := t.byte()
	if err != nil {
		return err
	}
	n := uint64(b >> 4)
	if n == 15 {
		if n, err = t.varint(); err != nil {
			return err
		}
	}
	for range n { // each takes at least a byte
		if err := element(b & 0xf); err != nil {
			return err
		}
	}
	return nil
}

func (t *thriftReader) skip(kind byte) error {
	switch kind {
	case thriftTrue, thriftFalse: // the value is in the type
		return nil
	case thriftInt8:
		_, err := t.byte()
		return err
	case thriftInt16, thriftInt32, thriftInt64:
		_, err := t.varint()
		return err
	case thriftDouble:
		return t.discard(8)
	case thriftBinary:
		n, err := t.varint()
		if err != nil {
			return err
		}
		return t.discard(n)
	case thriftList, thriftSet:
		return t.nested(func() error { return t.list(t.skipElement) })
	case thriftMap:
		return t.nested(t.skipMap)
	case thriftStruct:
		return t.structure(func(_ int64, kind byte) error { return t.skip(kind) })
	}
	return errThrift
}

func (t *thriftReader) nested(do func() error) error {
	if t.depth++; t.depth > maxThriftDepth {
		return errThrift
	}
	defer func() { t.depth-- }()
	return do()
}

// skipElement skips an element of a list. Elements have no type of their own, so booleans take a
// byte.
func (t *thriftReader) skipElement(kind byte) error {
	if kind == thriftTrue || kind == thriftFalse {
		kind = thriftInt8
	}
	return t.skip(kind)
}

func (t *thriftReader) skipMap() error {
	n, err := t.varint()
	if err != nil || n == 0 {
		return err
	}
	kinds, err := t.byte()
	if err != nil {
		return err
	}
	for range n {
		if err := errors.Join(t.skipElement(kinds>>4), t.skipElement(kinds&0xf)); err != nil {
			return err
		}
	}
	return nil
}

func (t *thriftReader) byte() (byte, error) {
	b, err := t.r.ReadByte()
	return b, unexpectedEnd(err)
}

func (t *thriftReader) varint() (uint64, error) {
	n, err := binary.ReadUvarint(t.r)
	return n, unexpectedEnd(err)
}

func (t *thriftReader) integer() (int64, error) {
	n, err := binary.ReadVarint(t.r)
	return n, unexpectedEnd(err)
}

func (t *thriftReader) discard(n uint64) error {
	for n > 0 {
		k, err := t.r.Discard(int(min(n, 1<<20)))
		if err != nil {
			return unexpectedEnd(err)
		}
		n -= uint64(k)
	}
	return nil
}

// isText reads a text, and reports whether it equals want.
func (t *thriftReader) isText(want string) (bool, error) {
	n, err := t.varint()
	if err != nil || n != uint64(len(want)) {
		return false, errors.Join(err, t.discard(n))
	}
	text := make([]byte, len(want))
	_, err = io.ReadFull(t.r, text)
	return string(text) == want, unexpectedEnd(err)
}

// creator is the program, as which earlier versions made their files; a version may follow.
const creator = "etl2parquet"

// maxCreator bounds a program's name and version.
const maxCreator = 1 << 10

// isCreator reads the program that made a file, and reports whether it is this one, in any version.
func (t *thriftReader) isCreator() (bool, error) {
	n, err := t.varint()
	if err != nil || n > maxCreator {
		return false, errors.Join(err, t.discard(n))
	}
	text := make([]byte, n)
	_, err = io.ReadFull(t.r, text)
	return string(text) == creator || strings.HasPrefix(string(text), creator+" version "), unexpectedEnd(err)
}

// unexpectedEnd turns the end of the input into an error.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
