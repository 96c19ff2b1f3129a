package sevenzip

import (
	"bufio"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz/lzma"

	"github.com/etl2parquet/etl2parquet/internal/base/deflate64"
)

// method is a compression method.
type method struct {
	name string
	open func(k *coder, r *bufio.Reader, size int64, limits Limits) (io.Reader, error)
}

// methods are the known methods. Unsupported ones only have a name.
var methods = map[uint64]method{
	0x00:       {"Copy", openCopy},
	0x030101:   {"LZMA", openLZMA},
	0x21:       {"LZMA2", openLZMA2},
	0x040108:   {"Deflate", openDeflate},
	0x040109:   {"Deflate64", openDeflate64},
	0x040202:   {"BZip2", openBZip2},
	0x04f71101: {"Zstandard", openZstd},

	0x03:       {name: "the Delta filter"},
	0x04:       {name: "the BCJ filter"},
	0x0a:       {name: "the ARM64 filter"},
	0x03030103: {name: "the BCJ filter"},
	0x0303011b: {name: "the BCJ2 filter"},
	0x030401:   {name: "PPMd"},
	0x06f10701: {name: "encryption"},
}

// Folder reads an unpacked folder from its beginning to its end.
type Folder struct {
	r    io.Reader
	left int64
}

// Packed returns how many bytes of the archive a folder takes.
func (a *Archive) Packed(i int) int64 {
	f := &a.streams.folders[i]
	var n int64
	for _, size := range a.streams.packed[f.first : f.first+len(f.packed)] {
		n += size
	}
	return n
}

// Folder opens a folder of the archive.
func (a *Archive) Folder(i int) (*Folder, error) {
	f := &a.streams.folders[i]
	for _, k := range f.coders {
		m, ok := methods[k.id]
		if !ok {
			return nil, fmt.Errorf("%w: 7z method %#x", errors.ErrUnsupported, k.id)
		}
		if m.open == nil {
			return nil, fmt.Errorf("%w: %s", errors.ErrUnsupported, m.name)
		}
		if k.inputs != 1 || k.outputs != 1 {
			return nil, fmt.Errorf("%w: %s with %d inputs and %d outputs", ErrCorrupt, m.name, k.inputs, k.outputs)
		}
	}
	r, err := a.packedStream(f)
	if err != nil {
		return nil, err
	}
	at := f.packed[0]
	for range f.coders {
		k := &f.coders[at]
		m := methods[k.id]
		if r, err = m.open(k, bufio.NewReaderSize(r, 64<<10), f.unpacked[at], a.limits); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		next, ok := f.boundTo(at)
		if !ok {
			return &Folder{r: r, left: f.unpacked[at]}, nil
		}
		at = next
	}
	return nil, fmt.Errorf("%w: a folder whose coders form a cycle", ErrCorrupt)
}

// boundTo returns the input to which an output is bound.
func (f *folder) boundTo(output int) (input int, ok bool) {
	for _, b := range f.binds {
		if b.output == output {
			return b.input, true
		}
	}
	return 0, false
}

// packedStream is the packed stream of a folder that has one.
func (a *Archive) packedStream(f *folder) (io.Reader, error) {
	at := a.streams.start
	for _, size := range a.streams.packed[:f.first] {
		if at += size; at < 0 || at > a.size {
			break
		}
	}
	size := a.streams.packed[f.first]
	if most := a.size - signatureHeaderSize; at < 0 || at > most || size > most-at {
		return nil, fmt.Errorf("%w: a packed stream of %#x bytes at %#x, of %#x", ErrCorrupt, size, at, most)
	}
	return io.NewSectionReader(a.r, signatureHeaderSize+at, size), nil
}

// Read implements io.Reader.
func (f *Folder) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, io.EOF
	}
	n, err := f.r.Read(p[:min(int64(len(p)), f.left)])
	f.left -= int64(n)
	if err == io.EOF {
		if err = nil; f.left > 0 {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err
}

func openCopy(_ *coder, r *bufio.Reader, _ int64, _ Limits) (io.Reader, error) { return r, nil }

func openDeflate(_ *coder, r *bufio.Reader, _ int64, _ Limits) (io.Reader, error) {
	return flate.NewReader(r), nil
}

func openDeflate64(_ *coder, r *bufio.Reader, _ int64, _ Limits) (io.Reader, error) {
	return deflate64.NewReader(r), nil
}

func openBZip2(_ *coder, r *bufio.Reader, _ int64, _ Limits) (io.Reader, error) {
	return bzip2.NewReader(r), nil
}

func openZstd(_ *coder, r *bufio.Reader, _ int64, limits Limits) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(uint64(max(limits.Window, zstd.MinWindowSize))))
}

// window returns the window to allocate: the one in the properties, but at most the size of the
// decompressed data.
func window(claimed uint64, size int64, limits Limits) (int64, error) {
	n := max(lzma.MinDictCap, int64(min(claimed, uint64(size))))
	if n > limits.Window {
		return 0, &WindowError{Window: n, Limit: limits.Window}
	}
	return n, nil
}

func openLZMA(k *coder, r *bufio.Reader, size int64, limits Limits) (io.Reader, error) {
	if len(k.properties) != 5 {
		return nil, fmt.Errorf("%w: %d bytes of properties", ErrCorrupt, len(k.properties))
	}
	n, err := window(uint64(binary.LittleEndian.Uint32(k.properties[1:])), size, limits)
	if err != nil {
		return nil, err
	}
	var header [lzma.HeaderLen]byte
	header[0] = k.properties[0]
	binary.LittleEndian.PutUint32(header[1:], uint32(n))
	binary.LittleEndian.PutUint64(header[5:], uint64(size))
	return lzma.NewReader(&prefixed{head: header[:], Reader: r})
}

// prefixed is a reader of some bytes followed by the bytes of another reader.
type prefixed struct {
	head []byte
	*bufio.Reader
}

func (p *prefixed) Read(b []byte) (int, error) {
	if len(p.head) == 0 {
		return p.Reader.Read(b)
	}
	n := copy(b, p.head)
	p.head = p.head[n:]
	return n, nil
}

func openLZMA2(k *coder, r *bufio.Reader, size int64, limits Limits) (io.Reader, error) {
	if len(k.properties) != 1 || k.properties[0] > 40 {
		return nil, fmt.Errorf("%w: properties % x", ErrCorrupt, k.properties)
	}
	bits := k.properties[0]
	n, err := window(uint64(2|bits&1)<<(bits/2+11), size, limits)
	if err != nil {
		return nil, err
	}
	return lzma.Reader2Config{DictCap: int(n)}.NewReader2(r)
}
