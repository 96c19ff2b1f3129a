package texts

import (
	"fmt"
	"runtime"
	"strings"
)

// ShellWord returns a word of a command line, on one line. It leaves a word without special characters
// as it is, puts it between double quotes, which all shells support, if that is enough, and
// otherwise quotes it for POSIX shells.
func ShellWord(word string) string {
	switch {
	case word != "" && strings.IndexFunc(word, isSpecial) < 0:
		return word
	case strings.ContainsFunc(word, isControl):
		return "$'" + escaped(word) + "'"
	case strings.ContainsAny(word, "\"$`!") || strings.Contains(word, `\`) && !backslashSeparates:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return `"` + word + `"`
}

// backslashSeparates says that a backslash separates the parts of a path, and does not quote the
// next character.
const backslashSeparates = runtime.GOOS == "windows"

// isSpecial reports whether a character may be special to a shell.
func isSpecial(r rune) bool {
	isPlain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r >= 0x80 || strings.ContainsRune("-_./:+=@,~", r) || r == '\\' && backslashSeparates
	return !isPlain || isControl(r)
}

// escaped returns the form of a text between $' and '.
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
		case isControl(r):
			for _, b := range []byte(string(r)) {
				fmt.Fprintf(&s, `\%03o`, b)
			}
		default:
			s.WriteRune(r)
		}
	}
	return s.String()
}
