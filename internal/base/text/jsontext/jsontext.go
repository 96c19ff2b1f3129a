// Package jsontext writes the values of JSON that have more than one spelling: texts
// and floating-point numbers.
package jsontext

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// plain are the bytes that no text has to have escaped, whatever follows them.
var plain = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= ' ' && c != '"' && c != '\\' && c != 0x7f && c != 0xc2 && c != 0xe2
	}
	return is
}()

// isControl reports whether a character does something to a terminal or to the
// order in which text is shown, in place of being shown.
func isControl(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// AppendText appends text, which is valid UTF-8, in quotes. Control characters are
// escaped, also those for which JSON does not ask it: so text from a trace does no
// harm on a terminal.
func AppendText(dst, text []byte) []byte {
	dst = append(dst, '"')
	return append(AppendEscaped(dst, text, true), '"')
}

// AppendEscaped appends text without quotes around it, with its control characters
// escaped, and if wanted what JSON's quotes need: quotes and backslashes.
func AppendEscaped(dst, text []byte, quotes bool) []byte {
	done := 0
	for i := 0; i < len(text); {
		c := text[i]
		if plain[c] {
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

// AppendFloat appends a number of 32 or 64 bits. JSON has none for infinities and
// for what is no number: those are texts.
func AppendFloat(dst []byte, v float64, bits int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(strconv.AppendFloat(append(dst, '"'), v, 'g', -1, bits), '"')
	}
	return strconv.AppendFloat(dst, v, 'g', -1, bits)
}
