package inputs

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"
)

func (in *List) addPattern(pattern string) {
	glob := pattern
	if runtime.GOOS == "windows" {
		volume := filepath.VolumeName(pattern)
		glob = volume + foldedPattern(pattern[len(volume):])
	}
	paths, err := filepath.Glob(glob)
	if err == nil && len(paths) == 0 {
		err = errors.New("no file matches")
	}
	if err != nil {
		in.failure(pattern, err)
		return
	}
	for _, path := range paths {
		in.addNamed(path)
	}
}

// foldedPattern makes a Windows pattern, without its volume, match letters of
// either case. The folders before the first wildcard stay as they are:
// [filepath.Glob] opens them by name, and Windows ignores case in names.
func foldedPattern(pattern string) string {
	first := strings.IndexAny(pattern, wildcards)
	if first < 0 {
		return pattern
	}
	first = strings.LastIndexAny(pattern[:first], `\/`) + 1
	var s strings.Builder
	s.WriteString(pattern[:first])
	for rest := []rune(pattern[first:]); len(rest) > 0; {
		if rest[0] != '[' {
			s.WriteString(foldedLetter(rest[0]))
			rest = rest[1:]
			continue
		}
		end := slices.Index(rest, ']')
		if end < 0 { // an invalid pattern: filepath.Glob reports it
			return s.String() + string(rest)
		}
		fmt.Fprintf(&s, "[%s]", foldedClass(rest[1:end]))
		rest = rest[end+1:]
	}
	return s.String()
}

func foldedLetter(r rune) string {
	if lower, upper := unicode.ToLower(r), unicode.ToUpper(r); lower != upper {
		return fmt.Sprintf("[%c%c]", lower, upper)
	}
	return string(r)
}

// foldedClass adds to a character class its letters and ranges of letters in the other case.
func foldedClass(class []rune) string {
	var s strings.Builder
	s.WriteString(string(class))
	for len(class) > 0 {
		size := 1
		if len(class) > 2 && class[1] == '-' {
			size = 3
		}
		from, to := otherCase(class[0]), otherCase(class[size-1])
		if from != class[0] && to != class[size-1] && from <= to { // [A-z] has both cases
			fmt.Fprintf(&s, "%c-%c", from, to)
		}
		class = class[size:]
	}
	return s.String()
}

func otherCase(r rune) rune {
	if lower := unicode.ToLower(r); lower != r {
		return lower
	}
	return unicode.ToUpper(r)
}
