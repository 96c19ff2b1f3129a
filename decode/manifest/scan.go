package manifest

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
)

// scanner steps over the tags of an XML text and ignores the text between them and
// comments. Every step moves forward, so the time is proportional to the length of
// the text.
type scanner struct {
	text string
	pos  int
}

// tag is the start or the end of an element.
type tag struct {
	name       string // without the prefix
	pos        int    // of the tag's first byte
	end        bool   // </name>
	empty      bool   // <name/>
	attributes string // unparsed
}

// next returns the next tag, or [io.EOF].
func (s *scanner) next() (tag, error) {
	for {
		i := strings.IndexByte(s.text[s.pos:], '<')
		if i < 0 {
			s.pos = len(s.text)
			return tag{}, io.EOF
		}
		s.pos += i
		rest := s.text[s.pos:]
		var err error
		switch {
		case strings.HasPrefix(rest, "<!--"):
			err = s.skip(len("<!--"), "-->")
		case strings.HasPrefix(rest, "<![CDATA["):
			err = s.skip(len("<![CDATA["), "]]>")
		case strings.HasPrefix(rest, "<?"):
			err = s.skip(len("<?"), "?>")
		case strings.HasPrefix(rest, "<!"):
			err = fmt.Errorf("%w: a document type declaration", decode.ErrUnsupported)
		case len(rest) > 1 && (isNameByte(rest[1]) || rest[1] == '/'):
			return s.tag()
		default: // a < that does not begin a tag
			s.pos++
		}
		if err != nil {
			return tag{}, err
		}
	}
}

// skip moves past the next occurrence of end, as at the end of a comment.
func (s *scanner) skip(from int, end string) error {
	i := strings.Index(s.text[s.pos+from:], end)
	if i < 0 {
		return fmt.Errorf("%w: no %s", decode.ErrTruncated, end)
	}
	s.pos += from + i + len(end)
	return nil
}

func (s *scanner) tag() (tag, error) {
	t := tag{pos: s.pos}
	at := s.pos + 1
	if s.text[at] == '/' {
		t.end = true
		at++
	}
	from := at
	for at < len(s.text) && isNameByte(s.text[at]) {
		at++
	}
	t.name = local(s.text[from:at])
	end, ok := tagEnd(s.text, at)
	if !ok {
		return tag{}, fmt.Errorf("%w: the tag does not end", decode.ErrTruncated)
	}
	s.pos = end + 1
	t.attributes = s.text[at:end]
	if body, ok := strings.CutSuffix(t.attributes, "/"); ok {
		t.attributes, t.empty = body, true
	}
	return t, nil
}

// tagEnd returns the position of the > that ends a tag.
func tagEnd(text string, at int) (int, bool) {
	for {
		i := strings.IndexAny(text[at:], `"'>`)
		if i < 0 {
			return 0, false
		}
		at += i
		if text[at] == '>' {
			return at, true
		}
		i = strings.IndexByte(text[at+1:], text[at])
		if i < 0 {
			return 0, false
		}
		at += 1 + i + 1
	}
}

func isNameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= utf8.RuneSelf || b == '_' || b == '-' || b == '.' || b == ':'
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// local returns a name without its prefix.
func local(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// maxAttributes bounds the attributes of an element: real ones have up to a dozen.
const maxAttributes = 64

// each returns the names, without prefixes, and the values of the attributes.
func (t *tag) each() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		rest := t.attributes
		for range maxAttributes {
			rest = strings.TrimLeft(rest, " \t\r\n/=\"'")
			if rest == "" {
				return
			}
			n := strings.IndexAny(rest, "= \t\r\n")
			if n < 0 {
				return // a name without a value
			}
			name := rest[:n]
			rest = strings.TrimLeft(rest[n:], " \t\r\n")
			if rest == "" || rest[0] != '=' {
				continue
			}
			var value string
			value, rest = attributeValue(strings.TrimLeft(rest[1:], " \t\r\n"))
			if strings.HasPrefix(name, "xmlns:") {
				continue
			}
			if !yield(local(name), value) {
				return
			}
		}
	}
}

// attributeValue splits a text into the value at its start and the rest.
func attributeValue(text string) (value, rest string) {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		n := 0
		for n < len(text) && !isSpace(text[n]) {
			n++
		}
		return text[:n], text[n:]
	}
	value, rest, _ = strings.Cut(text[1:], text[:1])
	return value, rest
}

// maxReference bounds the length of a reference between & and ;.
const maxReference = 10

var entities = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'"}

// unescape returns an attribute's value by the rules of XML: references are replaced
// by their characters, line breaks and tabs by spaces. An entity that XML does not
// predefine stays as it is.
func unescape(value string) string {
	if !strings.ContainsAny(value, "&\t\r\n") {
		return value
	}
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		switch c := value[i]; c {
		case '&':
			end := strings.IndexByte(value[i:min(len(value), i+maxReference+2)], ';')
			if text, ok := character(value[i+1 : max(i+end, i+1)]); ok {
				b.WriteString(text)
				i += end
				continue
			}
			b.WriteByte(c)
		case '\r':
			if i+1 == len(value) || value[i+1] != '\n' {
				b.WriteByte(' ')
			}
		case '\t', '\n':
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// character returns the character that a reference stands for.
func character(name string) (string, bool) {
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		text, ok := entities[name]
		return text, ok
	}
	base := 10
	if len(digits) > 0 && (digits[0] == 'x' || digits[0] == 'X') {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil {
		return "", false
	}
	if n == 0 || n > utf8.MaxRune {
		n = uint64(utf8.RuneError)
	}
	return string(rune(n)), true
}
