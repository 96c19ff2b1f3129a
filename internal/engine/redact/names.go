package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// names are names that a trace has, to be found in texts. The zero value has none.
type names struct {
	longest    map[string]int // by first word: the bytes of the longest name that begins with it
	pseudonyms map[string]place
	commands   []string // sorted
	begins     map[[commandBegin]byte]bool
}

const (
	minName      = 3   // letters and digits: shorter names are words in any text
	maxName      = 256 // bytes; longer ones are texts
	commandBegin = 4   // bytes by which most places in texts are no command line
)

// newNames returns names to look for: command lines, and other names in lower case.
func newNames(k *Key, of map[kind][]string) *names {
	n := &names{longest: make(map[string]int), pseudonyms: make(map[string]place), begins: make(map[[commandBegin]byte]bool)}
	for _, kind := range []kind{user, host, network, file} {
		for _, name := range of[kind] {
			n.add(name, kind, k.pseudonym(kind, name))
		}
	}
	n.commands = slices.Clone(of[command])
	slices.Sort(n.commands)
	for _, c := range n.commands {
		n.begins[[commandBegin]byte([]byte(c))] = true
	}
	return n
}

// add adds a name in lower case, without the signs around it.
func (n *names) add(name string, of kind, pseudonym string) {
	name = strings.TrimFunc(name, func(r rune) bool { return !isWord(r) })
	if _, ok := n.pseudonyms[name]; ok {
		return
	}
	word := name
	if i := strings.IndexFunc(name, func(r rune) bool { return !isWord(r) }); i >= 0 {
		word = name[:i]
	}
	n.longest[word] = max(n.longest[word], len(name))
	n.pseudonyms[name] = place{of: of, pseudonym: pseudonym}
}

// isFindable reports whether a name is looked for in texts: it must not be a word of any text, or a
// number.
func isFindable(name string) bool {
	words, hasLetter := 0, false
	for _, r := range name {
		if isWord(r) {
			words++
		}
		hasLetter = hasLetter || unicode.IsLetter(r)
	}
	return hasLetter && words >= minName && len(name) <= maxName && !isCommon(name)
}

// isWord reports whether a character belongs to a word. Names begin and end with one.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// find finds the names of users, hosts and files in a text, as whole words.
func (n *names) find(text string, found *places) {
	if len(n.longest) == 0 {
		return
	}
	var room [maxName + utf8.UTFMax]byte
	for i := 0; i < len(text); {
		from, to, next := i, 0, 0
		lower, longest := room[:0], maxName
		for i < len(text) { // by words, as far as a name can reach
			r, size := utf8.DecodeRuneInString(text[i:])
			if !isWord(r) {
				if from == i { // before the first word
					i += size
					from = i
					continue
				}
				if next == 0 {
					next, longest = i, n.longest[string(lower)]
				}
				if known, ok := n.pseudonyms[string(lower)]; ok {
					to = i
					found.add(from, to, known.of, known.pseudonym)
				}
			}
			if len(lower) >= longest {
				break
			}
			lower = utf8.AppendRune(lower, unicode.ToLower(r))
			i += size
		}
		if known, ok := n.pseudonyms[string(lower)]; ok && i == len(text) && from < i {
			to = i
			found.add(from, to, known.of, known.pseudonym)
		}
		switch {
		case to > 0:
			i = to
		case next > 0:
			i = next
		default: // the end, or a word that is longer than any name
			for i < len(text) {
				r, size := utf8.DecodeRuneInString(text[i:])
				if !isWord(r) {
					break
				}
				i += size
			}
		}
	}
}

// comparedBytes bounds the bytes that are compared to find command lines, by byte of the text.
const comparedBytes = 256

// findCommands finds the command lines in a text, between words.
func (n *names) findCommands(text string, found *places) {
	if len(n.commands) == 0 {
		return
	}
	left := comparedBytes * (int64(len(text)) + 1<<10)
	for i := 0; i+commandBegin <= len(text) && left > 0; i++ {
		if i > 0 && isAlnum(text[i-1]) || !n.begins[[commandBegin]byte([]byte(text[i:i+commandBegin]))] {
			continue
		}
		length, compared := n.command(text[i:])
		if left -= int64(compared); length > 0 {
			found.add(i, i+length, command, "")
			i += length - 1
		}
	}
}

// command returns the length of the longest known command line at the start of a text, or 0, and about
// how many bytes it has compared.
func (n *names) command(text string) (length, compared int) {
	for limit := text; len(limit) >= commandBegin; {
		at, same := slices.BinarySearch(n.commands, limit)
		if same {
			return len(limit), compared + len(limit)
		}
		if at == 0 {
			return 0, compared
		}
		// Beginnings of the text that are longer than what it has in common with the line before it
		// would come between the two.
		before := n.commands[at-1]
		common := commonBytes(before, limit)
		compared += 2 * common
		if common == len(before) {
			return common, compared
		}
		limit = limit[:common]
	}
	return 0, compared
}

func commonBytes(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
