package eventinfo

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// maxName bounds a name, in UTF-16 units: many offsets may lead to one long text.
const maxName = 1024

// blob is a structure that contains offsets into itself. It keeps its first error:
// most damaged blobs can still be read in part.
type blob struct {
	data []byte
	what string
	err  error
}

func (b *blob) fault(pos int, cause error, format string, args ...any) {
	b.faultOf(pos, fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...)))
}

func (b *blob) faultOf(pos int, cause error) {
	if b.err == nil {
		b.err = &decode.Error{Buffer: -1, Offset: -1, Pos: pos, Where: b.what, Err: cause}
	}
}

func (b *blob) u16(at int) int          { return int(binary.LittleEndian.Uint16(b.data[at:])) }
func (b *blob) u32(at int) uint32       { return binary.LittleEndian.Uint32(b.data[at:]) }
func (b *blob) guid(at int) schema.GUID { return schema.GUID(b.data[at : at+16]) }

// name returns the short text whose offset is stored at at, or "".
func (b *blob) name(at int) string { return b.text(at, maxName) }

// text returns the text whose offset is stored at at, of at most most units.
func (b *blob) text(at, most int) string {
	offset := b.u32(at)
	if offset == 0 {
		return ""
	}
	if uint64(offset) >= uint64(len(b.data)) {
		b.fault(at, decode.ErrCorrupt, "a text at %#x, beyond the %#x bytes of the record", offset, len(b.data))
		return ""
	}
	text, end := textAt(b.data[offset:], most)
	if !end {
		b.fault(int(offset), decode.ErrCorrupt, "a text of %d units without NUL", len(text))
	}
	return trim(text)
}

// texts returns consecutive texts up to an empty one.
func (b *blob) texts(at int) []string {
	offset := b.u32(at)
	if offset == 0 {
		return nil
	}
	if uint64(offset) >= uint64(len(b.data)) {
		b.fault(at, decode.ErrCorrupt, "texts at %#x, beyond the %#x bytes of the record", offset, len(b.data))
		return nil
	}
	var list []string
	for rest := b.data[offset:]; ; {
		text, end := textAt(rest, len(rest))
		if len(text) == 0 {
			return list
		}
		list = append(list, trim(text))
		if !end {
			return list
		}
		rest = rest[2*len(text)+2:]
	}
}

// textAt reads units up to a NUL, and reports whether there is one.
func textAt(data []byte, most int) (units []uint16, end bool) {
	for ; len(data) >= 2 && len(units) < most; data = data[2:] {
		unit := binary.LittleEndian.Uint16(data)
		if unit == 0 {
			return units, true
		}
		units = append(units, unit)
	}
	return units, len(data) >= 2 && data[0] == 0 && data[1] == 0
}

// trim drops the spaces at the end, which are not part of a text.
func trim(units []uint16) string {
	return strings.TrimRight(string(utf16.Decode(units)), " ")
}
