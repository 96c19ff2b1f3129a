package texts

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// plainJSON marks the bytes that are never escaped, whatever follows them.
var plainJSON = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= ' ' && c != '"' && c != '\\' && c != 0x7f && c != 0xc2 && c != 0xe2
	}
	return is
}()

// isControl reports whether a character controls a terminal or the direction of text, rather than
// being shown.
func isControl(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// AppendJSON appends text, which is valid UTF-8, in quotes. It escapes all control characters,
// including those that JSON allows, so that text from a trace cannot control a terminal.
func AppendJSON(dst, text []byte) []byte {
	dst = append(dst, '"')
	return append(AppendJSONEscaped(dst, text, true), '"')
}

// AppendJSONEscaped appends text without quotes around it, with control characters escaped. With
// quotes, it also escapes quotes and backslashes, for use in a JSON string.
func AppendJSONEscaped(dst, text []byte, quotes bool) []byte {
	done := 0
	for i := 0; i < len(text); {
		c := text[i]
		if plainJSON[c] {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !isControl(r) && !(quotes && (c == '"' || c == '\\')) {
			i += size
			continue
		}
		dst = appendEscape(append(dst, text[done:i]...), r)
		i += size
		done = i
	}
	return append(dst, text[done:]...)
}

func appendEscape(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// AppendJSONFloat appends a number of 32 or 64 bits. JSON has no infinities and no NaN: they are
// written as texts.
func AppendJSONFloat(dst []byte, v float64, bits int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(strconv.AppendFloat(append(dst, '"'), v, 'g', -1, bits), '"')
	}
	return strconv.AppendFloat(dst, v, 'g', -1, bits)
}

// WriteJSONLine writes a value as JSON on a line, with <, > and & as they are and control characters
// escaped.
func WriteJSONLine(w io.Writer, v any) error {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	text := AppendJSONEscaped(nil, bytes.TrimSuffix(line.Bytes(), []byte("\n")), false)
	_, err := w.Write(append(text, '\n'))
	return err
}

// WriteJSONLines writes each value of a list on a line of its own.
func WriteJSONLines[T any](w io.Writer, list []T) error {
	for i := range list {
		if err := WriteJSONLine(w, &list[i]); err != nil {
			return err
		}
	}
	return nil
}
