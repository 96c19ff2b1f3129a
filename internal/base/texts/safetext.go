package texts

import (
	"bytes"
	"encoding/hex"
	"io"
	"strconv"
	"unicode/utf8"
)

// AppendLine appends a text from a trace as a part of a line: with all control characters escaped as in JSON, so that
// it can neither begin a line nor control a terminal. All functions for such texts are made of it.
func AppendLine(dst, text []byte) []byte {
	if !utf8.Valid(text) { // a terminal may take a single byte for a control character
		text = bytes.ToValidUTF8(text, []byte(string(utf8.RuneError)))
	}
	return AppendJSONEscaped(dst, text, false)
}

// Printable returns a text from a trace as a part of a line: see [AppendLine].
func Printable(text string) string { return string(AppendLine(nil, []byte(text))) }

// Message returns a message, which may quote texts from a trace, with its control characters escaped and all lines but
// the first indented, so that no text begins a line.
func Message(text string) string {
	return string(bytes.ReplaceAll(AppendSafe(nil, []byte(text)), []byte("\n"), []byte("\n  ")))
}

// SafeWriter writes CSV with control characters escaped as in JSON, except tabs and the line feeds between rows, so that
// text from a trace cannot begin a line or control a terminal. Close writes the rest, and does not close W.
type SafeWriter struct {
	W    io.Writer
	isIn bool   // in quotes
	rest []byte // the beginning of a character
	room []byte
}

// Write implements [io.Writer].
func (w *SafeWriter) Write(p []byte) (int, error) {
	text := append(w.rest, p...)
	whole := len(text) - partial(text)
	w.room = w.appendCSV(w.room[:0], text[:whole])
	w.rest = append(w.rest[:0], text[whole:]...)
	if _, err := w.W.Write(w.room); err != nil {
		return 0, err
	}
	return len(p), nil
}

// appendCSV appends whole characters of CSV.
func (w *SafeWriter) appendCSV(dst, text []byte) []byte {
	for part := range bytes.SplitAfterSeq(text, []byte{'"'}) {
		if w.isIn {
			dst = AppendLine(dst, part)
		} else {
			dst = AppendSafe(dst, part)
		}
		if bytes.HasSuffix(part, []byte{'"'}) {
			w.isIn = !w.isIn
		}
	}
	return dst
}

// Close writes the beginning of a character at the end of the text.
func (w *SafeWriter) Close() error {
	_, err := w.W.Write(AppendLine(nil, w.rest))
	w.rest = nil
	return err
}

// partial returns the number of bytes at the end of a text that begin a character.
func partial(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(text[len(text)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// AppendSafe appends lines of this program or of DuckDB with control characters, except line feeds and tabs, escaped. A
// text from a trace must not be a part of them.
func AppendSafe(dst, text []byte) []byte {
	for len(text) > 0 {
		at := bytes.IndexAny(text, "\n\t")
		if at < 0 {
			return AppendLine(dst, text)
		}
		dst = append(AppendLine(dst, text[:at]), text[at])
		text = text[at+1:]
	}
	return dst
}

// wordBytes marks the bytes of texts that need no quotes.
var wordBytes = func() (is [256]bool) {
	for c := '!'; c < 0x7f; c++ {
		is[c] = c != '"' && c != '=' && c != '{' && c != '}' && c != '[' && c != ']'
	}
	return is
}()

// AppendSafeWord appends a text in a line for people: as it is if it is a word of ASCII, else in quotes,
// with quotes in it and all control characters escaped. Backslashes stay as they are, because paths
// have many.
func AppendSafeWord(dst, text []byte) []byte {
	isWord := len(text) > 0
	for _, c := range text {
		isWord = isWord && wordBytes[c]
	}
	if isWord {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for {
		at := bytes.IndexByte(text, '"')
		if at < 0 {
			return append(AppendLine(dst, text), '"')
		}
		dst = append(AppendLine(dst, text[:at]), '\\', '"')
		text = text[at+1:]
	}
}

// shownBytes is the number of bytes of a longer value that AppendSafeBytes shows.
const shownBytes = 16

// AppendSafeBytes appends bytes in a line for people: as hexadecimal digits, cut if there are many, with
// their number.
func AppendSafeBytes(dst, b []byte) []byte {
	if len(b) <= 2*shownBytes {
		return hex.AppendEncode(dst, b)
	}
	dst = append(hex.AppendEncode(dst, b[:shownBytes]), "...("...)
	return append(strconv.AppendInt(dst, int64(len(b)), 10), " bytes)"...)
}
