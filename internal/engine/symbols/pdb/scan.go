package pdb

import (
	"bytes"
	"strings"
)

// window is the size of the pieces in which tables and records are read. It is larger than any
// record.
const window = 128 << 10

// Symbol records: length of what follows it, kind, content.
const (
	recordLengthSize = 2
	recordHeadSize   = 4 // with the kind
)

// record is a symbol record. Its content is valid until the next one is read.
type record struct {
	at   int64 // in the stream
	kind uint16
	data []byte // without length and kind
}

// records calls use for each symbol record in a range of the stream, until it returns
// false.
func (s stream) records(from, to int64, where string, use func(record) bool) error {
	buffer := make([]byte, min(window, max(to-from, 0)))
	for from < to {
		data := buffer[:min(window, to-from)]
		if err := s.readAt(data, from, where); err != nil {
			return err
		}
		used := 0
		for len(data)-used >= recordHeadSize {
			size := recordLengthSize + int(u16(data, used))
			if size < recordHeadSize {
				return s.wrong(from+int64(used), where, corrupt("a record of %d bytes", size))
			}
			if size > len(data)-used {
				break
			}
			if !use(record{from + int64(used), u16(data, used+recordLengthSize), data[used+recordHeadSize : used+size]}) {
				return nil
			}
			used += size
		}
		if used == 0 {
			return s.wrong(from, where, ErrTruncated)
		}
		from += int64(used)
	}
	return nil
}

// table calls use for each entry in a range of the stream that has entries of one size. It ignores
// an incomplete entry at the end.
func (s stream) table(from, to int64, size int, where string, use func(entry []byte)) error {
	to -= (to - from) % int64(size)
	piece := int64(window - window%size)
	buffer := make([]byte, min(piece, max(to-from, 0)))
	for from < to {
		data := buffer[:min(piece, to-from)]
		if err := s.readAt(data, from, where); err != nil {
			return err
		}
		for at := 0; at < len(data); at += size {
			use(data[at : at+size])
		}
		from += int64(len(data))
	}
	return nil
}

// nameAt returns the zero-terminated text in a record, offset bytes after the record's start.
func (s stream) nameAt(at int64, offset int, where string) (string, error) {
	var short [256]byte // the length of most names, and of the record before it
	data := short[:min(int64(len(short)), max(s.size-at, 0))]
	if err := s.readAt(data, at, where); err != nil {
		return "", err
	}
	if len(data) < recordHeadSize {
		return "", s.wrong(at, where, ErrTruncated)
	}
	size := recordLengthSize + int(u16(data, 0))
	if size > len(data) {
		var err error
		if data, err = s.read(at, int64(size), where); err != nil {
			return "", err
		}
	}
	if offset > size {
		return "", s.wrong(at, where, corrupt("a record of %d bytes", size))
	}
	return text(data[offset:size]), nil
}

// text returns the text before the first zero, as UTF-8.
func text(b []byte) string {
	before, _, _ := bytes.Cut(b, []byte{0})
	return strings.ToValidUTF8(string(before), "\uFFFD")
}
