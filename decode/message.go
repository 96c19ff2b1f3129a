package decode

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// ParseMessage parses the text of an event by the rules of Windows messages
// (FormatMessage):
//
//   - %1 to %99 stand for values. A printf format may follow between exclamation
//     marks: %1!08X!.
//   - %n, %t, %r, %b and "% " stand for a line feed, a tab, a carriage return and
//     spaces.
//   - %%, %. and %! stand for the characters themselves.
//   - %0 ends the text.
//   - %%4 stays as it is: it names another text in the provider's files. So does a
//     percent sign before any other character.
//
// field returns the index of the field that an insert stands for. An insert
// without a field stays literal.
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

// parseInsert parses an insert at the start of a text. size is its size in bytes, 0
// if there is none.
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
		return insert, "", size // the exclamation mark is part of the text
	}
	return insert, format, size + len(format) + 2
}

// parseEscape returns the text that an escape other than an insert stands for, and
// the size of the escape.
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
