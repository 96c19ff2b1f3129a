package redact

import (
	"strings"
	"unicode"
)

// maxLabel is the number of bytes before a colon or an equals sign that are taken for a label.
const maxLabel = 40

// maxElement is the number of bytes that the text of an element may have.
const maxElement = 64 << 10

// labels finds values behind words that say what they are: at the start of a line, as Windows and
// PowerShell write messages ("Account Name:  x", "HostApplication=x"), in objects of JSON, and in
// attributes and elements of XML. value is called with the place of each value and its class.
func labels(text string, value func(from, to int, of Class)) {
	give := func(label string, from, to int) {
		if from < to && isLabel(label) && strings.IndexByte(":=", text[from]) < 0 && !isHex(text[from:to]) && !isWorkFolder(label, text[from:]) { // such as Machine::Start
			class := ClassOfName(label)
			if class == Secrets || class != Text && class != Versions && strings.ContainsFunc(text[from:to], unicode.IsLetter) {
				value(from, to, class)
			}
		}
	}
	lines(text, give)
	if strings.IndexByte(text, '"') >= 0 || strings.IndexByte(text, '\'') >= 0 {
		quoted(text, give)
	}
}

// isWorkFolder reports whether a label and the text behind its sign are the variable with the working folder.
func isWorkFolder(label, text string) bool {
	return strings.HasSuffix(label, "PWD") && text != "" && isSeparator(text[0])
}

// isLabel reports whether a text may be a label: words of letters and digits.
func isLabel(text string) bool {
	text = strings.Trim(text, " \t")
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !isWord(r) && r != ' ' && r != '_' && r != '-' && r != '.' })
}

// lines finds lines that are a label, a sign and a value.
func lines(text string, give func(label string, from, to int)) {
	for at := 0; at < len(text); {
		end := strings.IndexAny(text[at:], "\r\n")
		if end < 0 {
			end = len(text) - at
		}
		line := text[at : at+end]
		if sign := strings.IndexAny(line, ":="); sign > 0 && sign <= maxLabel {
			from, to := sign+1, len(line)
			for from < to && strings.IndexByte(" \t", line[from]) >= 0 {
				from++
			}
			for to > from && strings.IndexByte(" \t\x00", line[to-1]) >= 0 {
				to--
			}
			if next := strings.IndexByte(line[from:to], ';'); next >= 0 && line[sign] == '=' && strings.IndexByte(line[from+next:to], '=') > 0 { // a=b;c=d
				to = from + next
			}
			if to-from > 1 && strings.IndexByte("\"'", line[from]) >= 0 && line[to-1] == line[from] {
				from, to = from+1, to-1
			}
			give(line[:sign], at+from, at+to)
		}
		at += end + 1
	}
}

// quoted finds values in quotes behind a label and a sign: "name":"value" and name="value"; and the text
// of elements that an attribute names: <Data Name="label">value<.
func quoted(text string, give func(label string, from, to int)) {
	for at := 1; at < len(text); at++ {
		quote := text[at]
		if quote != '"' && quote != '\'' {
			continue
		}
		if before := strings.TrimRight(text[:at], " \t\\"); before != "" && (strings.HasSuffix(before, ":") || strings.HasSuffix(before, "=")) {
			from, to := at+1, endOfQuote(text, at)
			label := labelBefore(before[:len(before)-1])
			give(label, from, to)
			if strings.EqualFold(label, "name") && strings.HasPrefix(text[min(to+1, len(text)):], ">") {
				start := to + 2
				if end := strings.IndexByte(text[start:min(start+maxElement, len(text))], '<'); end > 0 {
					give(text[from:to], start, start+end)
				}
			}
			at = to
		}
	}
}

// endOfQuote returns where the text in quotes that begins at a position ends: at the next such quote
// that no backslash escapes.
func endOfQuote(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if i+1 < len(text) && text[i+1] != text[at] {
				i++
			} else if at > 0 && text[at-1] == '\\' { // the quotes themselves are escaped
				return i
			} else {
				i++
			}
		case text[at]:
			return i
		}
	}
	return len(text)
}

// labelBefore returns the word at the end of a text, which may be in quotes.
func labelBefore(text string) string {
	text = strings.TrimRight(text, " \t\\\"'")
	from := len(text)
	for from > 0 && len(text)-from < maxLabel && (isAlnum(text[from-1]) || strings.IndexByte("_-.", text[from-1]) >= 0) {
		from--
	}
	return text[from:]
}
