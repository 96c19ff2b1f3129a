package archive

import (
	"archive/tar"
	"bufio"
	"cmp"
	"compress/bzip2"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// expand opens a decompressor.
func (w *walker) expand(k kind, r io.Reader) (io.Reader, error) {
	switch k {
	case kindGzip:
		return gzip.NewReader(r)
	case kindZstd:
		return newZstd(r, w.limits)
	case kindXz:
		return newXz(r, w.limits)
	default:
		return bzip2.NewReader(r), nil
	}
}

// walkCompressed walks a compressed stream: a tar, or one file.
func (w *walker) walkCompressed(k kind, s *source) error {
	packed := &counter{r: bufio.NewReaderSize(s.reader(), streamBuffer)}
	r, err := w.expand(k, packed)
	if err != nil {
		return w.report(s, err)
	}
	content := &source{size: -1, stream: &meter{g: &w.guard, r: r, packed: packed.count}}
	head, headErr := content.head()
	if kindOf(head) == kindTar {
		return w.walkCompressedTar(s, content.stream)
	}
	c, err := w.child(s, expandedName(s.name))
	if err = cmp.Or(err, headErr); err != nil {
		return w.report(c, err)
	}
	c.stream, c.modTime, c.among = content.stream, s.modTime, s.among
	return w.walk(c)
}

// walkCompressedTar walks a tar, and reads on to the checksum behind its end.
func (w *walker) walkCompressedTar(s *source, r io.Reader) error {
	whole, err := w.walkTarStream(s, r)
	if !whole || err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		return w.report(s, err)
	}
	return nil
}

// walkTarStream walks a tar that is a stream, and returns whether it reached the end.
func (w *walker) walkTarStream(s *source, r io.Reader) (whole bool, _ error) {
	in := &counter{r: r}
	return w.walkTar(s, &tarInput{Reader: tar.NewReader(in), place: in.count})
}

// walkTarFile walks a tar with random access, so that its files have random access too.
func (w *walker) walkTarFile(s *source) error {
	in := io.NewSectionReader(s.at, 0, s.size)
	place := func() int64 {
		at, _ := in.Seek(0, io.SeekCurrent) // never fails
		return at
	}
	_, err := w.walkTar(s, &tarInput{Reader: tar.NewReader(in), place: place, at: s.at, size: s.size})
	return err
}

// tarInput reads a tar.
type tarInput struct {
	*tar.Reader
	place func() int64 // position of the reader
	at    io.ReaderAt  // random access to size bytes, or nil
	size  int64

	expanded int64 // bytes of the files so far
	cut      bool  // it ends inside a file, and visit has reported that
}

// Read reads the file that Next has advanced to.
func (t *tarInput) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	t.cut = t.cut || errors.Is(err, io.ErrUnexpectedEOF)
	return n, err
}

func (w *walker) walkTar(s *source, t *tarInput) (whole bool, _ error) {
	for {
		h, err := t.Next()
		if err == io.EOF {
			return true, nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) { // no name becomes a path
			if t.cut && errors.Is(err, io.ErrUnexpectedEOF) {
				return false, nil
			}
			return false, w.report(s, err)
		}
		c, err := w.child(s, h.Name)
		if err != nil {
			err = w.report(c, err)
		} else if h.Typeflag == tar.TypeReg || h.Typeflag == tar.TypeGNUSparse { // no folder, link or device
			c.size, c.modTime = h.Size, h.ModTime
			w.reportedEnd = false
			err = w.walkTarEntry(c, t, h)
			t.cut = t.cut && w.reportedEnd
		}
		if err != nil {
			return false, err
		}
	}
}

// walkTarEntry walks a file in a tar. A sparse file can be larger than the tar, so it
// is metered against its packed bytes in the tar.
func (w *walker) walkTarEntry(c *source, t *tarInput, h *tar.Header) error {
	if start := t.place(); t.at != nil && !isSparse(h) && h.Size <= t.size-start {
		c.at = io.NewSectionReader(t.at, start, h.Size)
		return w.walk(c)
	}
	content := &meter{g: &w.guard, r: t, packed: t.place, repeat: true, n: t.expanded}
	c.stream = content
	err := w.walk(c)
	t.expanded = content.n
	return err
}

func isSparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

func newZstd(r io.Reader, limits Limits) (io.Reader, error) {
	// One goroutine, so that the number of bytes read, and with it the ratio, is
	// the same every time.
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(uint64(max(limits.Window, zstd.MinWindowSize))))
	if err != nil {
		return nil, err
	}
	return &windowed{d, limits.Window}, nil
}

func newXz(r io.Reader, limits Limits) (io.Reader, error) {
	const most = 1<<32 - 1
	d, err := xz.NewReader(r, uint32(min(limits.Window, most)))
	if err != nil {
		return nil, windowError(err, limits.Window)
	}
	return &windowed{d, limits.Window}, nil
}

// windowed turns the error for a window that is too large into a LimitError.
type windowed struct {
	r     io.Reader
	limit int64
}

func (d *windowed) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	return n, windowError(err, d.limit)
}

func windowError(err error, limit int64) error {
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, xz.ErrMemlimit) {
		return &LimitError{LimitWindow, limit, "it needs a larger window"}
	}
	return err
}
