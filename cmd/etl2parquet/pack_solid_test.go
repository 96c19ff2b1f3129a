package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/klauspost/compress/flate"

	"github.com/etl2parquet/etl2parquet/internal/base/cab"
	"github.com/etl2parquet/etl2parquet/internal/base/sevenzip"
)

// sevenZip makes a 7z of one folder, compressed with Deflate.
func sevenZip(names, contents []string) ([]byte, error) {
	var packed bytes.Buffer
	z, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, c := range contents {
		total += len(c)
		if _, err := io.WriteString(z, c); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	header := sevenZipHeader(names, contents, total, packed.Len())
	le := binary.LittleEndian
	start := le.AppendUint64(nil, uint64(packed.Len()))
	start = le.AppendUint64(start, uint64(len(header)))
	start = le.AppendUint32(start, crc32.ChecksumIEEE(header))
	out := le.AppendUint32([]byte(sevenzip.Signature+"\x00\x04"), crc32.ChecksumIEEE(start))
	return append(append(append(out, start...), packed.Bytes()...), header...), nil
}

// sevenZipHeader is the header: the packed stream, the coder, the sizes and
// checksums of the files, and their names.
func sevenZipHeader(names, contents []string, unpacked, packed int) []byte {
	number := func(n int) []byte { return binary.LittleEndian.AppendUint64([]byte{0xff}, uint64(n)) }
	var h []byte
	add := func(parts ...[]byte) { h = append(h, bytes.Join(parts, nil)...) }
	add([]byte{1, 4}, []byte{6, 0, 1, 9}, number(packed), []byte{0})
	add([]byte{7, 0x0b, 1, 0, 1, 3, 4, 1, 8, 0x0c}, number(unpacked), []byte{0}) // the coder 04 01 08, without properties
	add([]byte{8, 0x0d}, number(len(names)), []byte{9})
	for _, c := range contents[:len(contents)-1] {
		add(number(len(c)))
	}
	add([]byte{0x0a, 1})
	for _, c := range contents {
		add(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(c))))
	}
	add([]byte{0, 0, 5}, number(len(names)))
	text := []byte{0}
	for _, name := range names {
		for _, unit := range utf16.Encode([]rune(name + "\x00")) {
			text = binary.LittleEndian.AppendUint16(text, unit)
		}
	}
	add([]byte{0x11}, number(len(text)), text, []byte{0, 0})
	return h
}

// cabinet makes a cabinet of one folder, compressed with MSZIP.
func cabinet(names, contents []string) ([]byte, error) {
	const blockSize = 32 << 10
	le := binary.LittleEndian
	var files, data []byte
	at := 0
	for i, name := range names {
		files = le.AppendUint32(files, uint32(len(contents[i])))
		files = le.AppendUint32(files, uint32(at))
		files = append(files, make([]byte, 8)...) // folder, date, time, attributes
		files = append(append(files, strings.ReplaceAll(name, "/", `\`)...), 0)
		at += len(contents[i])
	}
	all := []byte(strings.Join(contents, ""))
	blocks := 0
	for at := 0; at < len(all); at += blockSize {
		block := all[at:min(at+blockSize, len(all))]
		var packed bytes.Buffer
		z, err := flate.NewWriterDict(&packed, flate.BestSpeed, all[max(0, at-blockSize):at])
		if err != nil {
			return nil, err
		}
		if _, err := z.Write(block); err != nil {
			return nil, err
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
		data = append(data, 0, 0, 0, 0) // without a checksum
		data = le.AppendUint16(data, uint16(packed.Len()+2))
		data = le.AppendUint16(data, uint16(len(block)))
		data = append(append(data, "CK"...), packed.Bytes()...)
		blocks++
	}
	const headerSize, folderSize, mszip = 0x24, 8, 1
	header := make([]byte, headerSize, headerSize+folderSize+len(files)+len(data))
	copy(header, cab.Signature)
	le.PutUint32(header[0x08:], uint32(cap(header)))
	le.PutUint32(header[0x10:], headerSize+folderSize)
	header[0x18], header[0x19] = 3, 1
	le.PutUint16(header[0x1a:], 1)
	le.PutUint16(header[0x1c:], uint16(len(names)))
	out := le.AppendUint32(header, uint32(headerSize+folderSize+len(files)))
	out = le.AppendUint16(out, uint16(blocks))
	out = le.AppendUint16(out, mszip)
	return append(append(out, files...), data...), nil
}
