package wpp

import (
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// firstArgument is the number of the first argument in a text. Smaller numbers stand
// for parts of the prefix.
const firstArgument = 10

// text parses the text of a message. It drops the prefix, %0. Names such as %!FUNC!
// are replaced by their value in the file, and stay literal if the file has none.
// Inserts from 10 on stand for the arguments. spelled reports, for each argument,
// whether its text has a special form.
func (m *Message) text(text string, spelled []bool) (schema.Message, error) {
	argument := func(insert int) (int, bool) {
		return insert - firstArgument, insert >= firstArgument && insert-firstArgument < len(m.Fields)
	}
	var parts schema.Message
	length := 0
	for text = strings.TrimPrefix(text, "%0 "); text != ""; {
		plain, literal, rest := m.cutName(text)
		parts = append(parts, decode.ParseMessage(plain, argument)...)
		if literal != "" {
			parts = append(parts, schema.MessagePart{Text: literal, Field: -1})
		}
		if length += len(plain) + len(literal); length > 2*maxLine {
			return nil, corrupt("a text of more than %d bytes", 2*maxLine)
		}
		text = rest
	}
	for i := range parts {
		if p := &parts[i]; p.Field >= 0 && spelled[p.Field] && (p.Format == "" || strings.HasSuffix(p.Format, "s")) {
			p.Format = "#" + strings.TrimSuffix(p.Format, "s") + "s"
		}
	}
	if parts = joined(parts); len(parts) > maxParts {
		return nil, corrupt("a text with %d inserts", len(parts))
	}
	return parts, nil
}

// cutName cuts a text at the first %0 or %!NAME!: plain is the text before it, literal
// its replacement.
func (m *Message) cutName(text string) (plain, literal, rest string) {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		switch text[i+1] {
		case '0':
			return text[:i], "", text[i+2:]
		case '!':
			if name, rest, ok := strings.Cut(text[i+2:], "!"); ok && isKey(name) {
				return text[:i], m.named(name), rest
			}
		}
		i++ // %% begins no name
	}
	return text, "", ""
}

// named returns the text that a name in a message stands for.
func (m *Message) named(name string) string {
	value := ""
	switch strings.ToUpper(name) {
	case "STDPREFIX":
		return ""
	case "FUNC":
		value = m.Function
	case "FLAGS", "FLAG":
		value = m.Flags
	case "LEVEL":
		value = m.LevelName
	case "FILE":
		value = m.File
	case "LINE":
		value = strconv.Itoa(m.Line)
	case "KEYWORD", "KEYWORDS":
		value = m.Keyword
	case "COMPNAME":
		value = m.Component
	case "SUBCOMP":
		value = m.Part
	}
	if value == "" {
		return "%!" + name + "!"
	}
	return value
}

// joined joins the pieces of literal text.
func joined(parts schema.Message) schema.Message {
	var m schema.Message
	var literal strings.Builder
	for _, p := range parts {
		literal.WriteString(p.Text)
		if p.Field >= 0 {
			p.Text = literal.String()
			m = append(m, p)
			literal.Reset()
		}
	}
	if literal.Len() > 0 {
		m = append(m, schema.MessagePart{Text: literal.String(), Field: -1})
	}
	return m
}
