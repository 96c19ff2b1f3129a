package archive

import (
	"errors"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
)

// File is the content of an entry, with random access.
type File struct {
	r     io.ReaderAt
	size  int64
	temp  *temporary.File // nil if the content has random access without it
	space *Space          // from which the temporary file takes space
	lent  bool            // the caller closes it soon
}

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, offset int64) (int, error) { return f.r.ReadAt(p, offset) }

// Size returns the size in bytes.
func (f *File) Size() int64 { return f.size }

// Temporary reports whether the content is in a temporary file. If it is not, it is read from
// Input.At, which must stay open.
func (f *File) Temporary() bool { return f.temp != nil }

// Close releases the disk space.
func (f *File) Close() error {
	if f.temp == nil {
		return nil
	}
	err := f.temp.Close()
	lent := int64(0)
	if f.lent {
		lent = f.size
	}
	f.space.give(f.size, lent)
	return err
}

// lend makes the file the caller's. Nothing waits for one that can stay open for long.
func (f *File) lend(held bool) *File {
	if !held {
		f.lent = true
		f.space.lend(f.size)
	}
	return f
}

// spool copies a stream to a temporary file.
func (w *walker) spool(r io.Reader) (*File, error) {
	temp, err := w.temp.Create()
	if err != nil {
		return nil, err
	}
	f := &File{r: temp, temp: temp, space: w.space}
	limit := w.limits.Spool
	_, err = io.Copy(&spoolWriter{w, f}, io.LimitReader(r, limit))
	if err == nil && f.size == limit {
		err = ends(r, limit)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// spoolWriter takes space for the bytes that it writes.
type spoolWriter struct {
	w *walker
	f *File
}

func (s *spoolWriter) Write(p []byte) (int, error) {
	if err := s.f.space.take(s.w.ctx, int64(len(p)), s.w.held); err != nil {
		return 0, err
	}
	s.f.size += int64(len(p))
	return s.f.temp.Write(p)
}

// ends checks that a stream has no more than the limit.
func ends(r io.Reader, limit int64) error {
	var b [1]byte
	switch _, err := io.ReadFull(r, b[:]); err {
	case io.EOF:
		return nil
	case nil:
		return &LimitError{LimitSpool, limit, fmt.Sprintf("more than %d bytes to keep in a temporary file", limit)}
	default:
		return err
	}
}
