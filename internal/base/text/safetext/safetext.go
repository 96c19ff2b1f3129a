// Package safetext writes text from untrusted sources to terminals.
package safetext

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
)

// Writer writes text with control characters escaped as in JSON, except line feeds and tabs, so that
// text from a trace cannot control a terminal. Close writes the rest, and does not close W.
type Writer struct {
	W    io.Writer
	rest []byte // the beginning of a character
	room []byte
}

// Write implements [io.Writer].
func (w *Writer) Write(p []byte) (int, error) {
	text := append(w.rest, p...)
	whole := len(text) - partial(text)
	w.room = Append(w.room[:0], text[:whole])
	w.rest = append(w.rest[:0], text[whole:]...)
	if _, err := w.W.Write(w.room); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes the beginning of a character at the end of the text.
func (w *Writer) Close() error {
	_, err := w.W.Write(w.rest)
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

// Append appends text with control characters, except line feeds and tabs, escaped as in JSON.
func Append(dst, text []byte) []byte {
	for len(text) > 0 {
		at := bytes.IndexAny(text, "\n\t")
		if at < 0 {
			return jsontext.AppendEscaped(dst, text, false)
		}
		dst = append(jsontext.AppendEscaped(dst, text[:at], false), text[at])
		text = text[at+1:]
	}
	return dst
}
