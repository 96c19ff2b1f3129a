// Package archivetest makes hostile archives for tests.
package archivetest

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// OverlappingZip returns a zip whose entries all share the same bytes. It has no data
// descriptors or extra fields, so its size is that of one entry and the directory.
func OverlappingZip(entries int, data []byte, size int) string {
	le := binary.LittleEndian
	sum := crc32.NewIEEE()
	if n, err := io.Copy(sum, flate.NewReader(bytes.NewReader(data))); err != nil || n != int64(size) {
		panic(fmt.Sprint(n, err))
	}
	common := func(b []byte) []byte {
		b = le.AppendUint16(b, 20)
		b = le.AppendUint16(b, 0)
		b = le.AppendUint16(b, zip.Deflate)
		b = le.AppendUint32(b, 0)
		b = le.AppendUint32(b, sum.Sum32())
		b = le.AppendUint32(b, uint32(len(data)))
		b = le.AppendUint32(b, uint32(size))
		return append(b, 5, 0, 0, 0) // a name of five bytes
	}
	out := append(common([]byte("PK\x03\x04")), "a.etl"...)
	out = append(out, data...)
	start := len(out)
	for i := range entries {
		out = common(append(out, "PK\x01\x02\x14\x00"...))
		out = append(out, make([]byte, 14)...) // no comment, disk 0, no attributes, at 0
		out = append(out, fmt.Sprintf("%05x", i)...)
	}
	directory := len(out) - start
	out = append(out, "PK\x05\x06\x00\x00\x00\x00"...)
	out = le.AppendUint16(out, uint16(entries))
	out = le.AppendUint16(out, uint16(entries))
	out = le.AppendUint32(out, uint32(directory))
	out = le.AppendUint32(out, uint32(start))
	return string(append(out, 0, 0))
}

// Zeros returns size zeros, compressed by Deflate.
func Zeros(size int) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		panic(err)
	}
	chunk := make([]byte, 1<<20)
	for ; size > 0; size -= len(chunk) {
		if _, err := w.Write(chunk[:min(size, len(chunk))]); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// ZstdBomb returns a frame of blocks of four bytes that expand to 128 KiB each. Their bytes are 1: a file
// of zeros is known by its first bytes, and not expanded.
func ZstdBomb(blocks int) string {
	const block, rle, last = 128 << 10, 1 << 1, 1
	b := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 7 << 3} // a window of 128 KiB, no size
	for i := range blocks {
		header := uint32(block<<3 | rle)
		if i == blocks-1 {
			header |= last
		}
		b = append(b, byte(header), byte(header>>8), byte(header>>16), 1)
	}
	return string(b)
}

// SparseTar returns a tar with a sparse file: one byte, and zeros up to size.
func SparseTar(size int64) string {
	h := make([]byte, 512)
	copy(h, "sparse.etl")
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], "00000001000\x0000000000000\x00")
	h[156] = 'S'
	copy(h[257:], "ustar  \x00")
	copy(h[386:], "00000000000\x0000000001000\x00") // data at 0, 512 bytes
	h[483] = 0x80                                   // the real size, in binary
	binary.BigEndian.PutUint64(h[487:], uint64(size))
	sum := 8 * int(' ')
	for i, b := range h {
		if i < 148 || i >= 156 {
			sum += int(b)
		}
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return string(h) + strings.Repeat("x", 512) + string(make([]byte, 1024))
}
