package answers

import (
	"strings"
	"unicode/utf8"
)

// split splits SQL into its statements, without the semicolons. It leaves out statements that consist
// of comments only.
func split(sql string) []string {
	var list []string
	start, empty := 0, true
	add := func(end int) {
		if text := strings.TrimSpace(sql[start:end]); !empty && text != "" { // it may be a space that is not of ASCII
			list = append(list, text)
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
		if end := strings.IndexAny(rest, "\r\n"); end >= 0 {
			return end + 1, blank
		}
		return len(rest), blank
	case strings.HasPrefix(rest, "/*"):
		return comment(rest), blank
	}
	switch c := rest[0]; c {
	case ';':
		return 1, separator
	case ' ', '\t', '\n', '\r', '\f', '\v':
		return 1, blank
	case '\'':
		return quoted(rest, isEscaped(sql, i)), word
	case '"':
		return through(rest, 1, `"`), word // a doubled quote begins the next piece
	case '$':
		if tag := dollarTag(rest); tag != "" && !endsName(sql[:i]) {
			return through(rest, len(tag), tag), word
		}
	}
	return 1, word
}

// isEscaped reports whether a backslash escapes the next character in the text in quotes at i, as in
// E'\”.
func isEscaped(sql string, i int) bool {
	return i > 0 && (sql[i-1] == 'e' || sql[i-1] == 'E') && !endsName(sql[:i-1])
}

// through returns the length of a text up to and including end.
func through(text string, from int, end string) int {
	if i := strings.Index(text[from:], end); i >= 0 {
		return from + i + len(end)
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

// endsName reports whether text ends with a character that can be part of a name without quotes.
func endsName(text string) bool { return text != "" && isNamePart(text[len(text)-1]) }

// isNamePart reports whether a byte can be part of a name without quotes.
func isNamePart(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// plainSpaces returns SQL with ASCII spaces in place of other spaces, such as those of web pages, outside of
// texts, quoted names and comments. The length stays the same. DuckDB's parser takes these characters for
// spaces or for parts of names, depending on what precedes them.
func plainSpaces(sql string) string {
	mended := []byte(sql)
	for i := 0; i < len(sql); {
		n, _ := token(sql, i)
		if r, size := utf8.DecodeRuneInString(sql[i:]); n == 1 && strings.ContainsRune(wideSpaces, r) {
			n = copy(mended[i:i+size], "    ")
		}
		i += n
	}
	return string(mended)
}

// wideSpaces are the characters beyond ASCII that DuckDB takes for spaces.
const wideSpaces = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u202f\u205f\u2060\u3000\ufeff"

// oneStatement returns a statement in a spelling of equal length and meaning that DuckDB's shell, too, takes
// for one statement. The shell finds the end of a statement by simpler rules than DuckDB's parser: it
// ends a comment at the first "*/", and a text E'\” at the quote after the backslash. What follows would
// be further statements, or commands of the shell.
func oneStatement(sql string) string {
	mended := []byte(sql)
	for i := 0; i < len(sql); {
		n, _ := token(sql, i)
		switch piece := mended[i : i+n]; {
		case sql[i] == '\'' && isEscaped(sql, i):
			for k := 1; k < len(piece)-1; k++ {
				if piece[k] != '\\' {
					continue
				}
				if piece[k+1] == '\'' {
					piece[k] = '\''
				}
				k++
			}
		case strings.HasPrefix(sql[i:], "--") && piece[n-1] == '\r':
			piece[n-1] = '\n'
		case n > 4 && strings.HasPrefix(sql[i:], "/*"):
			for k := 2; k < len(piece)-2; k++ {
				if piece[k] == '*' || piece[k] == '/' {
					piece[k] = ' '
				}
			}
		}
		i += n
	}
	return string(mended)
}

// dollarName returns a name without quotes in which DuckDB's shell, unlike its parser, sees the beginning
// of a text in dollars, such as a$b$, or "".
func dollarName(sql string) string {
	for i := 0; i < len(sql); {
		n, _ := token(sql, i)
		if sql[i] == '$' && endsName(sql[:i]) {
			if tag := dollarTag(sql[i:]); tag != "" {
				start := i
				for start > 0 && isNamePart(sql[start-1]) {
					start--
				}
				return sql[start : i+len(tag)]
			}
		}
		i += n
	}
	return ""
}
