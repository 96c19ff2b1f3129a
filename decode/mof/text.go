package mof

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
)

// MaxSize bounds the bytes of a file.
const MaxSize = 32 << 20

// decodeText returns a file's text: UTF-8, or UTF-16 as the first bytes tell.
func decodeText(data []byte) (string, error) {
	if len(data) > MaxSize {
		return "", fmt.Errorf("%w: MOF file of %d bytes, the limit is %d", decode.ErrUnsupported, len(data), MaxSize)
	}
	if rest, ok := bytes.CutPrefix(data, []byte{0xff, 0xfe}); ok {
		return string(decode.AppendUTF16(nil, rest)), nil
	}
	if rest, ok := bytes.CutPrefix(data, []byte{0xfe, 0xff}); ok {
		return string(decode.AppendUTF16(nil, swapped(rest))), nil
	}
	const mark = "\ufeff"
	return strings.ToValidUTF8(strings.TrimPrefix(string(data), mark), string(utf8.RuneError)), nil
}

// swapped returns the bytes of each unit in the other order.
func swapped(data []byte) []byte {
	other := make([]byte, 0, len(data))
	for ; len(data) >= 2; data = data[2:] {
		other = append(other, data[1], data[0])
	}
	return other
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

// sentence returns a description in one line and without the full stop that it
// may end with. Descriptions come from anywhere.
func sentence(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return unicode.ReplacementChar
		}
		return r
	}, cut(text, maxText))
	return strings.TrimRight(strings.Join(strings.Fields(text), " "), ". ")
}
