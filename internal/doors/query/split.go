package query

import "strings"

// split splits SQL into its statements, without the semicolons. It leaves out statements that consist
// of comments only.
func split(sql string) []string {
	var list []string
	start, empty := 0, true
	add := func(end int) {
		if !empty {
			list = append(list, strings.TrimSpace(sql[start:end]))
		}
		start, empty = end+1, true
	}
	for i := 0; i < len(sql); {
		n, kind := token(sql, i)
		switch kind {
		case separator:
			add(i)
		case word:
			empty = false
		}
		i += n
	}
	add(len(sql))
	return list
}

// tokenKind classifies a piece of SQL for split.
type tokenKind int

const (
	blank     tokenKind = iota // space or a comment
	word                       // anything else
	separator                  // a semicolon
)

// token returns the length and the kind of the piece of SQL at i. An unterminated text or comment
// extends to the end.
func token(sql string, i int) (n int, kind tokenKind) {
	rest := sql[i:]
	switch {
	case strings.HasPrefix(rest, "--"):
		return through(rest, 2, "\n"), blank
	case strings.HasPrefix(rest, "/*"):
		return comment(rest), blank
	}
	switch c := rest[0]; c {
	case ';':
		return 1, separator
	case ' ', '\t', '\n', '\r', '\f', '\v':
		return 1, blank
	case '\'':
		return quoted(rest, i > 0 && (sql[i-1] == 'e' || sql[i-1] == 'E') && (i == 1 || !isNamePart(sql[i-2]))), word
	case '"':
		return through(rest, 1, `"`), word // a doubled quote begins the next piece
	case '$':
		if tag := dollarTag(rest); tag != "" && (i == 0 || !isNamePart(sql[i-1])) {
			return through(rest, len(tag), tag), word
		}
	}
	return 1, word
}

// through returns the length of a text up to and including end.
func through(text string, from int, end string) int {
	if at := strings.Index(text[from:], end); at >= 0 {
		return from + at + len(end)
	}
	return len(text)
}

// comment returns the length of a comment, which may contain nested comments.
func comment(text string) int {
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch text[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(text)
}

// quoted returns the length of a text in quotes, in which a backslash may escape the quote.
func quoted(text string, escapes bool) int {
	for i := 1; i < len(text); i++ {
		switch {
		case escapes && text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], "''"):
			i++
		case text[i] == '\'':
			return i + 1
		}
	}
	return len(text)
}

// dollarTag returns the tag with which a text in dollars begins, such as $$ or $x$, or "".
func dollarTag(text string) string {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '$':
			return text[:i+1]
		case !isNamePart(c) || i == 1 && c >= '0' && c <= '9':
			return ""
		}
	}
	return ""
}

// isNamePart reports whether a byte can be part of a name without quotes.
func isNamePart(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
