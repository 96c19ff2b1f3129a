package manifest

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
)

// MaxSize bounds the bytes of a manifest.
const MaxSize = 32 << 20

// decodeText returns a file's text: UTF-8, or UTF-16 as the first bytes tell.
// The encoding that the XML declares is not asked: tools convert manifests
// without changing it.
func decodeText(data []byte) (string, error) {
	if len(data) > MaxSize {
		return "", fmt.Errorf("%w: manifest of %d bytes, the limit is %d", decode.ErrUnsupported, len(data), MaxSize)
	}
	var order binary.ByteOrder
	switch {
	case len(data) < 2:
	case data[0] == 0xff && data[1] == 0xfe, data[0] == '<' && data[1] == 0:
		order = binary.LittleEndian
	case data[0] == 0xfe && data[1] == 0xff, data[0] == 0 && data[1] == '<':
		order = binary.BigEndian
	}
	if order == nil {
		const mark = "\ufeff"
		return strings.ToValidUTF8(strings.TrimPrefix(string(data), mark), string(utf8.RuneError)), nil
	}
	return decodeUTF16(data, order), nil
}

func decodeUTF16(data []byte, order binary.ByteOrder) string {
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
	return string(text)
}

// lineOf returns the number of the line at a position.
func lineOf(text string, pos int) int { return 1 + strings.Count(text[:pos], "\n") }

// cut shortens a text to a number of bytes, between characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
