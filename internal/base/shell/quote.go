// Package shell quotes words of command lines that are shown to users.
package shell

import (
	"fmt"
	"runtime"
	"strings"
	"unicode"
)

// Quote returns a word of a command line, on one line: as it is if no shell
// takes a character of it for its own; between double quotes, which all shells
// have, if that is enough; and otherwise as POSIX shells read it.
func Quote(word string) string {
	switch {
	case word != "" && strings.IndexFunc(word, isSpecial) < 0:
		return word
	case strings.ContainsFunc(word, isUnprintable):
		return "$'" + escaped(word) + "'"
	case strings.ContainsAny(word, "\"$`!") || strings.Contains(word, `\`) && !backslashSeparates:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return `"` + word + `"`
}

// backslashSeparates is whether a backslash in a word is that of a path, which
// shells leave alone, and not one that quotes what follows.
const backslashSeparates = runtime.GOOS == "windows"

// isSpecial reports whether a shell may take a character for its own.
func isSpecial(r rune) bool {
	isPlain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r >= 0x80 || strings.ContainsRune("-_./:+=@,~", r) || r == '\\' && backslashSeparates
	return !isPlain || isUnprintable(r)
}

func isUnprintable(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// escaped returns a text as it is written between $' and '.
func escaped(text string) string {
	var s strings.Builder
	for _, r := range text {
		switch {
		case r == '\n':
			s.WriteString(`\n`)
		case r == '\r':
			s.WriteString(`\r`)
		case r == '\t':
			s.WriteString(`\t`)
		case r == '\'' || r == '\\':
			s.WriteRune('\\')
			s.WriteRune(r)
		case isUnprintable(r):
			for _, b := range []byte(string(r)) {
				fmt.Fprintf(&s, `\%03o`, b)
			}
		default:
			s.WriteRune(r)
		}
	}
	return s.String()
}
