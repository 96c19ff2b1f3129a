package inputs

import (
	"fmt"
	"regexp"
	"strings"
)

// mostAlternatives bounds the patterns that the braces of one stand for.
const mostAlternatives = 1000

// globsOf returns the patterns that a pattern with slashes stands for, in the form that doublestar
// takes: one for each choice of alternatives {a,b}. Braces without a comma are characters, which
// names with GUIDs have, and "**x" is "**/*x".
func globsOf(pattern string) ([]string, error) {
	choices := []string{pattern}
	for i := 0; i < len(choices); {
		open, closed, commas := alternativesOf(choices[i])
		if open < 0 {
			choices[i] = anyFolders.ReplaceAllString(braces.Replace(choices[i]), "$1**/*$2")
			i++
			continue
		}
		var list []string
		begin := open + 1
		for _, end := range append(commas, closed) {
			list = append(list, choices[i][:open]+choices[i][begin:end]+choices[i][closed+1:])
			begin = end + 1
		}
		if len(choices)+len(list) > mostAlternatives {
			return nil, fmt.Errorf("its braces stand for more than %d patterns", mostAlternatives)
		}
		choices = append(choices[:i], append(list, choices[i+1:]...)...)
	}
	return choices, nil
}

// anyFolders matches "**" at the beginning of a longer name.
var anyFolders = regexp.MustCompile(`(^|/)\*\*+([^/*])`)

// alternativesOf returns the indexes of the first braces that enclose alternatives, and of the
// commas between these; open is -1 if there are none.
func alternativesOf(pattern string) (open, closed int, commas []int) {
	type brace struct {
		at     int
		commas []int
	}
	var within []brace
	open = -1
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '{':
			within = append(within, brace{at: i})
		case c == ',' && len(within) > 0:
			last := &within[len(within)-1]
			last.commas = append(last.commas, i)
		case c == '}' && len(within) > 0:
			last := within[len(within)-1]
			within = within[:len(within)-1]
			if len(last.commas) > 0 && (open < 0 || last.at < open) {
				open, closed, commas = last.at, i, last.commas
			}
		}
	}
	return open, closed, commas
}

// braces makes braces characters.
var braces = strings.NewReplacer(`\\`, `\\`, `\{`, `\{`, `\}`, `\}`, "{", `\{`, "}", `\}`)
