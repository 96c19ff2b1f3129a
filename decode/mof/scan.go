package mof

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner steps over the tokens of a text. Every step moves forward, so the time is
// proportional to the length of the text.
type scanner struct {
	text string
	pos  int
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	wordToken
	numberToken
	textToken // "..."
	signToken // one character
)

// token is a piece of the text.
type token struct {
	kind tokenKind
	text string // as written; the contents of the quotes for a textToken
	pos  int
	open bool // the closing quote is missing
}

func (t *token) is(sign string) bool { return t.kind == signToken && t.text == sign }

// next returns the next token.
func (s *scanner) next() token {
	s.space()
	at := s.pos
	if at == len(s.text) {
		return token{pos: at}
	}
	t := token{pos: at}
	switch c := s.text[at]; {
	case c == '"':
		return s.quoted()
	case isWord(c):
		t.kind = wordToken
		s.pos = at + run(s.text[at:], isNumber)
		if c >= '0' && c <= '9' {
			t.kind = numberToken
		}
	case c == '+' || c == '-':
		t.kind = numberToken
		s.pos = at + 1 + run(s.text[at+1:], isNumber)
	default:
		t.kind = signToken
		_, size := utf8.DecodeRuneInString(s.text[at:])
		s.pos = at + size
	}
	t.text = s.text[at:s.pos]
	return t
}

// isWord reports whether a byte can be part of a name.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= utf8.RuneSelf
}

// isNumber reports whether a byte can be part of a name or number.
func isNumber(c byte) bool { return isWord(c) || c == '.' }

func run(text string, in func(byte) bool) int {
	n := 0
	for n < len(text) && in(text[n]) {
		n++
	}
	return n
}

// space skips white space, comments and compiler directives.
func (s *scanner) space() {
	for s.pos < len(s.text) {
		rest := s.text[s.pos:]
		switch {
		case rest[0] == ' ' || rest[0] >= '\t' && rest[0] <= '\r':
			s.pos++
		case rest[0] == '#', strings.HasPrefix(rest, "//"):
			s.skip(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			s.pos += len("/*")
			s.skip(rest[len("/*"):], "*/")
		default:
			return
		}
	}
}

// skip moves past the end of a comment, or to the end of the text.
func (s *scanner) skip(rest, end string) {
	if i := strings.Index(rest, end); i >= 0 {
		s.pos += i + len(end)
	} else {
		s.pos = len(s.text)
	}
}

// quoted returns a text in quotes, which can span lines.
func (s *scanner) quoted() token {
	t := token{kind: textToken, pos: s.pos}
	from := s.pos + 1
	for at := from; ; at++ {
		i := strings.IndexAny(s.text[at:], `"\`)
		if i < 0 || s.text[at+i] == '\\' && at+i+1 == len(s.text) {
			t.text, t.open, s.pos = s.text[from:], true, len(s.text)
			return t
		}
		at += i
		if s.text[at] == '"' {
			t.text, s.pos = s.text[from:at], at+1
			return t
		}
		at++ // the character after the backslash
	}
}

// literal returns the value of a token, with adjacent texts joined, and the next token.
func (s *scanner) literal(t token) (string, token) {
	if t.kind != textToken {
		return t.text, s.next()
	}
	first := unescape(t.text)
	t = s.next()
	if t.kind != textToken {
		return first, t
	}
	var b strings.Builder
	b.WriteString(first)
	for ; t.kind == textToken; t = s.next() {
		b.WriteString(unescape(t.text))
	}
	return b.String(), t
}

var escapes = map[byte]byte{'b': '\b', 't': '\t', 'n': '\n', 'f': '\f', 'r': '\r'}

// unescape replaces the escapes in a text by their characters.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		c := text[i]
		if known, ok := escapes[c]; ok {
			c = known
		} else if c == 'x' || c == 'X' {
			const most = 4
			digits := text[i+1:]
			digits = digits[:run(digits[:min(len(digits), most)], isHex)]
			if n, err := strconv.ParseUint(digits, 16, 16); err == nil {
				b.WriteRune(rune(n)) // half a surrogate pair becomes U+FFFD
				i += len(digits)
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
