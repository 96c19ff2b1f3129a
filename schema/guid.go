package schema

import (
	"cmp"
	"encoding/hex"
	"fmt"
)

// GUID is a GUID in the byte order of Windows: the first three groups little-endian, the
// last two as bytes.
type GUID [16]byte

// guidTextOrder maps the bytes of the text form to those stored.
var guidTextOrder = [16]int{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}

// guidTextAt is the position in the text of the two digits of each byte, in text order.
var guidTextAt = [16]int{0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34}

// GUIDTextLen is the length of the text form.
const GUIDTextLen = 36

// AppendText appends the lower-case text with dashes and without braces.
func (g GUID) AppendText(dst []byte) ([]byte, error) {
	const digits = "0123456789abcdef"
	var text [GUIDTextLen]byte
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	for i, at := range guidTextAt {
		b := g[guidTextOrder[i]]
		text[at], text[at+1] = digits[b>>4], digits[b&15]
	}
	return append(dst, text[:]...), nil
}

func (g GUID) String() string {
	text, _ := g.AppendText(nil) // never fails: see AppendText
	return string(text)
}

// MarshalText implements encoding.TextMarshaler.
func (g GUID) MarshalText() ([]byte, error) { return g.AppendText(nil) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (g *GUID) UnmarshalText(text []byte) (err error) {
	*g, err = ParseGUID(string(text))
	return err
}

// IsZero reports whether g is GUID_NULL, which Windows writes for "none".
func (g GUID) IsZero() bool { return g == GUID{} }

// ParseGUID reads the text form, with or without braces, in either case.
func ParseGUID(text string) (GUID, error) {
	s := text
	if len(s) == GUIDTextLen+2 && s[0] == '{' && s[len(s)-1] == '}' {
		s = s[1 : len(s)-1]
	}
	if len(s) != GUIDTextLen || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return GUID{}, fmt.Errorf("not a GUID: %q", text)
	}
	var g GUID
	for i, at := range guidTextAt {
		var b [1]byte
		if _, err := hex.Decode(b[:], []byte(s[at:at+2])); err != nil {
			return GUID{}, fmt.Errorf("not a GUID: %q: %w", text, err)
		}
		g[guidTextOrder[i]] = b[0]
	}
	return g, nil
}

// MustGUID is [ParseGUID] for a text that stands in a program: it panics if the text is no GUID.
func MustGUID(text string) GUID {
	g, err := ParseGUID(text)
	if err != nil {
		panic(err)
	}
	return g
}

// Compare orders GUIDs by their texts.
func (g GUID) Compare(other GUID) int {
	for _, i := range guidTextOrder {
		if c := cmp.Compare(g[i], other[i]); c != 0 {
			return c
		}
	}
	return 0
}
