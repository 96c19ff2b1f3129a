// Package definition reads the text of files that define events: manifests, MOF
// and TMF files, as editors and tools have written them.
package definition

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
)

// MaxSize bounds the bytes of a manifest or MOF file.
const MaxSize = 32 << 20

const mark = "\ufeff" // of byte order

// Text returns the text of a file of at most MaxSize bytes, in UTF-8 or UTF-16 as
// its first bytes show. Invalid bytes become U+FFFD.
func Text(data []byte) (string, error) {
	if len(data) > MaxSize {
		return "", TooLarge(int64(len(data)))
	}
	if text, ok := UTF16(data); ok {
		return string(text), nil
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(data), mark), string(utf8.RuneError)), nil
}

// TooLarge returns the error for a file of more than MaxSize bytes.
func TooLarge(size int64) error {
	return fmt.Errorf("%w: a file of %d bytes, the limit is %d", decode.ErrUnsupported, size, MaxSize)
}

// UTF16 returns the text of a file in UTF-16, of either byte order; ok is false if
// the file is not in UTF-16. A file in UTF-16 begins with a byte order mark, or with
// an ASCII character and so with a NUL among its first two bytes. No text in 8-bit
// units does.
func UTF16(data []byte) (text []byte, ok bool) {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case len(data) < 2:
		return nil, false
	case data[0] == 0xff && data[1] == 0xfe, data[0] != 0 && data[1] == 0:
	case data[0] == 0xfe && data[1] == 0xff, data[0] == 0 && data[1] != 0:
		order = binary.BigEndian
	default:
		return nil, false
	}
	return decodeUTF16(data, order), true
}

func decodeUTF16(data []byte, order binary.ByteOrder) []byte {
	text := make([]byte, 0, len(data)/2)
	for len(data) >= 2 {
		r := rune(order.Uint16(data))
		data = data[2:]
		if utf16.IsSurrogate(r) {
			second := rune(0)
			if len(data) >= 2 {
				second = rune(order.Uint16(data))
			}
			if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
				data = data[2:]
			}
		}
		if r == '\ufeff' && len(text) == 0 {
			continue
		}
		text = utf8.AppendRune(text, r)
	}
	return text
}

// Line returns the line number of a position, from 1.
func Line(text string, pos int) int { return 1 + strings.Count(text[:pos], "\n") }

// Cut shortens a text to at most most bytes, at the end of a character.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
