package archive

import (
	"archive/zip"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"

	"github.com/etl2parquet/etl2parquet/internal/base/deflate64"
)

// Compression methods of zip besides Store and Deflate.
const (
	zipDeflate64 = 9
	zipBzip2     = 12
	zipZstd      = 93
	zipXz        = 95
)

const zipEncrypted = 0x1 // bit of a zip entry's flags

// directory bounds the bytes that are read for the directory of a zip: its count of entries can
// be wrong, and each entry becomes an object in memory.
type directory struct {
	r    io.ReaderAt
	left int64
}

// directoryEntry is the average size of a directory entry, generous enough for long names.
const directoryEntry = 256

var errDirectory = errors.New("the directory of the zip is too long")

func (d *directory) ReadAt(p []byte, offset int64) (int, error) {
	if d.left >= 0 {
		if d.left -= int64(len(p)); d.left < 0 {
			d.left = 0
			return 0, errDirectory
		}
	}
	return d.r.ReadAt(p, offset)
}

// unbounded is the value of directory.left once the directory has been read.
const unbounded = -1

func (w *walker) walkZip(s *source, at io.ReaderAt, size int64) error {
	const tail = 1 << 20 // more than the range in which the end of the directory is searched
	d := &directory{at, int64(w.limits.Entries)*directoryEntry + tail}
	z, err := zip.NewReader(d, size)
	if errors.Is(err, errDirectory) {
		err = w.entriesError()
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // insecure names are harmless here: no name becomes a path
		return w.report(s, err)
	}
	d.left = unbounded
	if len(z.File) > w.limits.Entries-w.entries {
		w.spent = w.entriesError()
		return w.report(s, w.spent)
	}
	w.registerMethods(z)
	bad := overlapping(zipSpans(z))
	if len(bad) > 0 {
		if err := w.report(s, overlapError(len(bad))); err != nil {
			return err
		}
	}
	for i, f := range z.File {
		if bad[i] {
			continue
		}
		if err := w.walkZipEntry(s, f, size); err != nil {
			return err
		}
	}
	return nil
}

// zipSpans returns the spans of the entries' data. It omits entries without data and entries with
// a damaged header.
func zipSpans(z *zip.Reader) []span {
	var spans []span
	for i, f := range z.File {
		if f.CompressedSize64 == 0 {
			continue
		}
		start, err := f.DataOffset()
		if err != nil {
			continue // opening it reports the error
		}
		spans = append(spans, span{entry: i, start: start, end: start + int64(min(f.CompressedSize64, 1<<62))})
	}
	return spans
}

// walkZipEntry walks an entry of a zip of the given size.
func (w *walker) walkZipEntry(s *source, f *zip.File, size int64) error {
	c, err := w.child(s, f.Name)
	if err != nil {
		return w.report(c, err)
	}
	if !f.Mode().IsRegular() {
		return nil
	}
	c.size, c.modTime = int64(min(f.UncompressedSize64, 1<<62)), f.Modified
	if f.Flags&zipEncrypted != 0 {
		return w.report(c, fmt.Errorf("%w: encrypted", errors.ErrUnsupported))
	}
	r, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		err = fmt.Errorf("%w: zip method %d", errors.ErrUnsupported, f.Method)
	}
	if err != nil {
		return w.report(c, err)
	}
	packed := int64(min(f.CompressedSize64, uint64(size)))
	c.stream = &meter{g: &w.guard, r: r, packed: func() int64 { return packed }}
	defer r.Close() // its error, if any, was returned by Read already
	return w.walk(c)
}

// registerMethods registers the decompressors for an archive, which has one open entry at a time.
func (w *walker) registerMethods(z *zip.Reader) {
	var inflate io.ReadCloser
	z.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser {
		if inflate == nil {
			inflate = flate.NewReader(r)
		} else if err := inflate.(flate.Resetter).Reset(r, nil); err != nil {
			return failed{err}
		}
		return inflate
	})
	z.RegisterDecompressor(zipDeflate64, func(r io.Reader) io.ReadCloser { return io.NopCloser(deflate64.NewReader(r)) })
	z.RegisterDecompressor(zipBzip2, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	z.RegisterDecompressor(zipXz, func(r io.Reader) io.ReadCloser { return opened(newXz(r, w.limits)) })
	z.RegisterDecompressor(zipZstd, func(r io.Reader) io.ReadCloser { return opened(newZstd(r, w.limits)) })
}

func opened(r io.Reader, err error) io.ReadCloser {
	if err != nil {
		return failed{err}
	}
	return io.NopCloser(r)
}

// failed is a decompressor that could not be opened.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }
func (f failed) Close() error             { return nil }
