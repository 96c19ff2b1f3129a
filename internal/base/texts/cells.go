package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Width returns the number of cells of a text without control characters.
func Width(text string) (n int) {
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

// cellsOf returns the number of cells of a character.
func cellsOf(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cutMark stands in place of the letters that are left out of a shortened text.
const cutMark = "…"

// Shortened returns a text of at most n cells, or of one if n is less: its end is left out.
func Shortened(text string, n int) string {
	if Width(text) <= n {
		return text
	}
	return text[:fittingPrefix(text, max(n, 1)-1)] + cutMark
}

// Middle returns a text of at most n cells, or of one if n is less: its middle is left out, because
// names differ at both ends.
func Middle(text string, n int) string {
	all := Width(text)
	if all <= n {
		return text
	}
	rest := max(n, 1) - 1
	head := fittingPrefix(text, (rest+1)/2)
	tail := len(text)
	for left := rest - Width(text[:head]); tail > head; {
		r, size := utf8.DecodeLastRuneInString(text[:tail])
		if left -= cellsOf(r); left < 0 {
			break
		}
		tail -= size
	}
	return text[:head] + cutMark + text[tail:]
}

// fittingPrefix returns the number of bytes at the beginning of a text that fit into n cells.
func fittingPrefix(text string, n int) int {
	for i, r := range text {
		if n -= cellsOf(r); n < 0 {
			return i
		}
	}
	return len(text)
}

// Pad returns a text with spaces after it, or before it, that fill n cells.
func Pad(text string, n int, before bool) string {
	space := strings.Repeat(" ", max(0, n-Width(text)))
	if before {
		return space + text
	}
	return text + space
}

// Wrap breaks a text into lines of at most n cells: between words, and a word that is longer than a
// line after its punctuation, or anywhere if it has none. The words of a text are separated by spaces;
// it has at least one line.
func Wrap(text string, n int) (lines []string) {
	n = max(n, 2) // the widest character
	line, used := "", 0
	end := func() { lines, line, used = append(lines, line), "", 0 }
	for _, word := range words(text) {
		size := Width(word)
		if line != "" && used+1+size <= n {
			line, used = line+" "+word, used+1+size
			continue
		}
		if line != "" {
			end()
		}
		for size > n {
			at := breakAt(word, n)
			line = word[:at]
			end()
			word = word[at:]
			size = Width(word)
		}
		line, used = word, size
	}
	return append(lines, line)
}

// words returns the words of a text. A number and the unit after it are one.
func words(text string) []string {
	list := strings.Fields(text)
	for i := len(list) - 1; i > 0; i-- {
		if isNumber(list[i-1]) && isUnit(list[i]) {
			list[i-1] += " " + list[i]
			list = append(list[:i], list[i+1:]...)
		}
	}
	return list
}

// isNumber reports whether a word is a number, and does not end a part of a sentence.
func isNumber(word string) bool {
	return strings.Trim(word, "0123456789.,") == "" && !strings.HasSuffix(word, ".") && !strings.HasSuffix(word, ",")
}

// isUnit reports whether a word is a unit, possibly with punctuation after it.
func isUnit(word string) bool {
	switch strings.TrimRight(word, ",.;:)") {
	case "%", "byte", "bytes", "KiB", "MiB", "GiB", "TiB", "Hz", "MHz", "ns", "us", "ms", "s", "min", "h", "d", "k", "M", "G":
		return true
	}
	return false
}

// breakAt returns the number of bytes of a word to print on a line of n cells: up to the last
// punctuation that fits, if that leaves no line nearly empty.
func breakAt(word string, n int) int {
	most := fittingPrefix(word, n)
	if most == 0 {
		_, most = utf8.DecodeRuneInString(word)
	}
	if at := strings.LastIndexAny(word[:most], `-_/\.:,|;!`); at+1 >= most/3 && at > 0 {
		return at + 1
	}
	return most
}

// Longest returns the number of cells of the longest word of a text.
func Longest(text string) (n int) {
	for word := range strings.FieldsSeq(text) {
		n = max(n, Width(word))
	}
	return n
}
