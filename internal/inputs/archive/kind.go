package archive

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/cab"
	"github.com/etl2parquet/etl2parquet/internal/base/sevenzip"
)

// kind is the kind of a file, detected from its first bytes.
type kind int

const (
	kindOther kind = iota
	kindZip
	kindGzip
	kindZstd
	kindXz
	kindBzip2
	kindTar
	kind7z
	kindCab
)

// HeadSize is the number of bytes from which the kind of an entry is detected.
const HeadSize = 4 << 10

// IsArchive reports whether a file with these first bytes is an archive.
func IsArchive(head []byte) bool { return kindOf(head) != kindOther }

// signatures are the kinds with a signature in their first bytes.
var signatures = []struct {
	begin string
	kind  kind
}{
	{"PK\x03\x04", kindZip},
	{"PK\x05\x06", kindZip}, // without entries
	{"PK\x07\x08", kindZip}, // made for several disks, on one
	{"\x1f\x8b\x08", kindGzip},
	{"\x28\xb5\x2f\xfd", kindZstd},
	{"\xfd7zXZ\x00", kindXz},
	{sevenzip.Signature, kind7z},
	{cab.Signature, kindCab},
}

func kindOf(head []byte) kind {
	for _, s := range signatures {
		if bytes.HasPrefix(head, []byte(s.begin)) {
			return s.kind
		}
	}
	switch {
	case isBzip2(head):
		return kindBzip2
	case isSkippable(head):
		return kindZstd
	case isTar(head):
		return kindTar
	}
	return kindOther
}

// isBzip2 requires a block or the end after the header: BZh1 alone could be text.
func isBzip2(head []byte) bool {
	const size = 10
	if len(head) < size || string(head[:3]) != "BZh" || head[3] < '1' || head[3] > '9' {
		return false
	}
	magic := string(head[4:size])
	return magic == "\x31\x41\x59\x26\x53\x59" || magic == "\x17\x72\x45\x38\x50\x90"
}

// isSkippable detects Zstandard that begins with a skippable frame, as pzstd writes it,
// followed by a frame that begins within the head.
func isSkippable(head []byte) bool {
	if len(head) < 8 || head[0]&0xf0 != 0x50 || string(head[1:4]) != "\x2a\x4d\x18" {
		return false
	}
	size := int(head[4]) | int(head[5])<<8
	return head[6] == 0 && head[7] == 0 && size <= len(head)-8 && bytes.HasPrefix(head[8+size:], []byte("\x28\xb5\x2f\xfd"))
}

// isTar requires a header with a valid checksum: old archives have no signature, and the sum
// of 512 bytes does not match by chance.
func isTar(head []byte) bool {
	const size, at, width = 512, 148, 8
	if len(head) < size {
		return false
	}
	text := strings.Trim(string(head[at:at+width]), " \x00")
	want, err := strconv.ParseUint(text, 8, 32)
	if err != nil || want == 0 {
		return false
	}
	signed, unsigned := int64(0), uint64(0)
	for i, b := range head[:size] {
		if i >= at && i < at+width {
			b = ' '
		}
		unsigned += uint64(b)
		signed += int64(int8(b))
	}
	return head[0] != 0 && (unsigned == want || signed == int64(want))
}

// TraceName reports whether a name is that of a trace: it ends in .etl, or in .etl and the
// number of a file in a series, as in trace.etl.001.
func TraceName(name string) bool {
	name = strings.ToLower(name)
	series := strings.TrimRight(name, "0123456789")
	return strings.HasSuffix(name, ".etl") || series != name && strings.HasSuffix(series, ".etl.")
}
