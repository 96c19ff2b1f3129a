package decode

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// ParseMessage takes the text of an event apart, by the rules of the messages
// of Windows (FormatMessage): %1 to %99 stand for values, with a format of
// printf between exclamation marks if one follows (%1!08X!); %n, %t, %r, %b and
// "% " for a line feed, a tab, a carriage return and spaces; %%, %. and %! for
// the signs themselves; and the text ends at %0. %%4 stays as it is, for it
// names another text of the provider's files, and so does any other sign behind
// a percent sign.
//
// field returns the index of the field that an insert stands for. An insert
// without one stays literal.
func ParseMessage(text string, field func(insert int) (index int, ok bool)) schema.Message {
	var m schema.Message
	var literal strings.Builder
	for {
		percent := strings.IndexByte(text, '%')
		if percent < 0 || percent+1 == len(text) {
			literal.WriteString(text)
			break
		}
		literal.WriteString(text[:percent])
		text = text[percent:]
		if text[1] == '0' {
			break
		}
		if insert, format, size := parseInsert(text); size > 0 {
			if index, ok := field(insert); ok {
				m = append(m, schema.MessagePart{Text: literal.String(), Field: index, Format: format})
				literal.Reset()
			} else {
				literal.WriteString(text[:size])
			}
			text = text[size:]
			continue
		}
		sign, size := parseEscape(text)
		literal.WriteString(sign)
		text = text[size:]
	}
	if literal.Len() > 0 {
		m = append(m, schema.MessagePart{Text: literal.String(), Field: -1})
	}
	return m
}

// parseInsert reads an insert at the start of a text, and returns how many
// bytes it takes; 0 if there is none.
func parseInsert(text string) (insert int, format string, size int) {
	size = 1
	for size < len(text) && size <= 2 && text[size] >= '0' && text[size] <= '9' {
		insert = insert*10 + int(text[size]-'0')
		size++
	}
	if insert == 0 {
		return 0, "", 0
	}
	if size == len(text) || text[size] != '!' {
		return insert, "", size
	}
	format, _, ended := strings.Cut(text[size+1:min(len(text), size+2+maxFormat)], "!")
	if _, ok := parseFormat(format); !ok || !ended {
		return insert, "", size // the mark belongs to the text
	}
	return insert, format, size + len(format) + 2
}

// parseEscape returns what a percent sign and those behind it stand for that
// are no insert, and how many bytes they take.
func parseEscape(text string) (sign string, size int) {
	switch text[1] {
	case 'n':
		return "\n", 2
	case 't':
		return "\t", 2
	case 'r':
		return "\r", 2
	case 'b':
		return " ", 2
	case ' ', '.', '!':
		return text[1:2], 2
	case '%':
		if len(text) > 2 && text[2] >= '0' && text[2] <= '9' {
			return text[:2], 2
		}
		return "%", 2
	}
	return "%", 1
}
