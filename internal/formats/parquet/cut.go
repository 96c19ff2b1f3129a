package parquet

import (
	"bytes"
	"unicode/utf8"
)

// The longest texts kept as bounds, in bytes. Longer ones are cut: they would take more space than
// they save. Readers save little when they skip few rows.
const (
	maxBound   = 128
	shortBound = 16
	fewRows    = 1024 // rows of the largest row group with short bounds
)

// longestBound returns the longest text kept as a bound in a row group.
func longestBound(rows int) int {
	if rows <= fewRows {
		return shortBound
	}
	return maxBound
}

// cut copies the bounds, because the batch is reused, and cuts them if they are too long. A text that
// cannot be cut has no bounds.
func (b *bounds) cut(longest int) {
	if b.lowCut = len(b.lowText) > longest; b.lowCut {
		b.lowText = wholeRunes(b.lowText, longest)
	}
	b.lowText = bytes.Clone(b.lowText)
	if b.highCut = len(b.highText) > longest; !b.highCut {
		b.highText = bytes.Clone(b.highText)
		return
	}
	if b.highText = nextText(wholeRunes(b.highText, longest)); b.highText == nil {
		b.none = true
	}
}

// wholeRunes returns the characters in the first bytes of a longer text.
func wholeRunes(text []byte, longest int) []byte {
	n := longest
	for n > longest-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// nextText returns a text that is above all texts that begin with text, in the order of their bytes:
// with the next greater character in the place of the last one that has one. It returns nil if none
// has.
func nextText(text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRune(text)
		text = text[:len(text)-size]
		if r == utf8.MaxRune || r == utf8.RuneError && size == 1 { // the last character, or no UTF-8
			continue
		}
		if r++; r == firstSurrogate {
			r = lastSurrogate + 1
		}
		return utf8.AppendRune(bytes.Clone(text), r)
	}
	return nil
}

// Surrogates are not characters, and not in UTF-8.
const (
	firstSurrogate = 0xd800
	lastSurrogate  = 0xdfff
)
