package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/snapshot"
)

// A file of indexes is a sequence of sections, each with the index of a trace. Numbers are
// little-endian. A section is
//
//	0x00 [8]  "etl2pqix"
//	0x08 u64  the form of the snapshot, by its types and by formVersion
//	0x10 u64  size of the trace
//	0x18 [16] identity of the trace
//	0x28 u64  a hash of the siblings that were read
//	0x30 u64  size of the snapshot
//	0x38 u64  XXH3 of the fields above and the snapshot
//	0x40      the snapshot
const sectionHeader = 0x40

var sectionMagic = [8]byte([]byte("etl2pqix"))

// formVersion must be changed when the same fields get another meaning, or the index pass
// other results.
const formVersion = 2

// The errors of a file of indexes.
var (
	ErrForm    = errors.New("not an index of this version of the program: make it again")
	ErrDamaged = errors.New("the index is damaged: make it again")
	ErrStale   = errors.New("the index is of another trace, or the trace has changed since the index was made")
	ErrSession = errors.New("the index was made with other traces of the session")
	ErrFacts   = errors.New("the index lacks facts that the rows need")
)

// errPartial is returned when an index without some facts is written, which is a bug.
var errPartial = errors.New("the index lacks facts, and cannot be written")

func snapshotForm() uint64 { return snapshot.Fingerprint[saved]() + formVersion }

// section is the header of a section.
type section struct {
	form, trace    uint64
	identity       Identity
	session, bytes uint64
	sum            uint64
}

// parse reads the header of a section.
func (s *section) parse(b []byte) {
	le := binary.LittleEndian
	s.form, s.trace, s.identity = le.Uint64(b[0x08:]), le.Uint64(b[0x10:]), Identity(b[0x18:0x28])
	s.session, s.bytes, s.sum = le.Uint64(b[0x28:]), le.Uint64(b[0x30:]), le.Uint64(b[0x38:])
}

// Write writes the index as a section of a file of indexes. Its pass must have made sums.
// session is a hash of the siblings.
func (x *Index) Write(w io.Writer, session uint64) error {
	if x.without != 0 {
		return errPartial
	}
	_, err := x.WriteMost(w, session, math.MaxInt)
	return err
}

// sectionSum returns the hash of a section.
func sectionSum(b []byte) uint64 {
	h := xxh3.New()
	h.Write(b[:0x38]) // never fails
	h.Write(b[sectionHeader:])
	return h.Sum64()
}

// Open returns the index of a trace from a file of indexes. It reads two buffers of the trace to
// find the section, and checks every buffer that is read later. The index must be closed.
func Open(trace io.ReaderAt, size int64, file io.ReaderAt, fileSize int64, session uint64, o Options) (*Index, error) {
	otherSession := false
	for at := int64(0); at < fileSize || at == 0; {
		var header [sectionHeader]byte
		if err := readAt(file, header[:], at); err != nil {
			return nil, err
		}
		var s section
		s.parse(header[:])
		if [8]byte(header[:8]) != sectionMagic || s.form != snapshotForm() {
			return nil, ErrForm
		}
		if s.bytes > uint64(min(fileSize-at, math.MaxInt)-sectionHeader) {
			return nil, ErrDamaged
		}
		if s.trace == uint64(size) {
			x, err := openSection(trace, size, file, at, &s, &o)
			switch {
			case err != nil && !errors.Is(err, ErrStale):
				return nil, err
			case err == nil && s.session == session:
				return x, nil
			case err == nil:
				otherSession = true
				if err := x.Close(); err != nil {
					return nil, err
				}
			}
		}
		at += sectionHeader + int64(s.bytes)
	}
	if otherSession {
		return nil, ErrSession
	}
	return nil, ErrStale
}

// openSection returns the index in a section if it is of the trace.
func openSection(trace io.ReaderAt, size int64, file io.ReaderAt, at int64, s *section, o *Options) (*Index, error) {
	b := make([]byte, sectionHeader+int(s.bytes)) // the file has that many bytes
	if err := readAt(file, b, at); err != nil {
		return nil, err
	}
	if sectionSum(b) != s.sum {
		return nil, ErrDamaged
	}
	snap, err := snapshot.Read[saved](b[sectionHeader:])
	if err != nil {
		return nil, ErrDamaged
	}
	if snap.Without&^o.Without != 0 {
		return nil, ErrFacts
	}
	x, err := snap.restore(trace, size, o)
	if err != nil {
		return nil, err
	}
	x.Identity = func() (Identity, error) { return s.identity, nil }
	if err := x.checkEnds(); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

// readAt fills b.
func readAt(file io.ReaderAt, b []byte, at int64) error {
	n, err := file.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return ErrForm // the file is shorter than a section
	}
	return fmt.Errorf("read %d bytes of the index at %#x: %w", len(b), at, err)
}
