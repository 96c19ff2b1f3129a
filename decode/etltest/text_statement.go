package etltest

import (
	"errors"
	"fmt"
	"strings"
)

// statement is a line of the text form, or a repeat and the lines it repeats.
type statement struct {
	line int
	text string
	body []statement
}

// statements splits the text into lines, joins continued ones, drops
// comments and nests the bodies of repeats.
func statements(text string) ([]statement, error) {
	stack := []*statement{{}} // the open repeats below the whole text
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		number := i + 1
		line := strings.TrimSpace(uncomment(lines[i]))
		for strings.HasSuffix(line, `\`) && i+1 < len(lines) {
			i++
			line = strings.TrimSuffix(line, `\`) + strings.TrimSpace(uncomment(lines[i]))
		}
		top := stack[len(stack)-1]
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case line == "}":
			if len(stack) == 1 {
				return nil, fmt.Errorf("line %d: } without repeat", number)
			}
			stack = stack[:len(stack)-1]
			parent := stack[len(stack)-1]
			parent.body = append(parent.body, *top)
		case word == "repeat":
			head, inside, found := strings.Cut(rest, "{")
			if !found {
				return nil, fmt.Errorf("line %d: repeat without {", number)
			}
			repeat := &statement{line: number, text: "repeat " + head}
			if inside = strings.TrimSpace(inside); inside != "" {
				one, closed := strings.CutSuffix(inside, "}")
				if !closed || strings.HasPrefix(one, "repeat") {
					return nil, fmt.Errorf("line %d: a repeat on one line holds one statement and ends in }", number)
				}
				repeat.body = []statement{{line: number, text: strings.TrimSpace(one)}}
				top.body = append(top.body, *repeat)
			} else {
				stack = append(stack, repeat)
			}
		default:
			top.body = append(top.body, statement{line: number, text: line})
		}
	}
	if len(stack) > 1 {
		return nil, fmt.Errorf("line %d: repeat without }", stack[len(stack)-1].line)
	}
	return stack[0].body, nil
}

// uncomment cuts a comment off: # at the start or after a space, outside quotes.
func uncomment(line string) string {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '#' && !quoted && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return line[:i]
		}
	}
	return line
}

// split cuts s at each separator that stands outside quotes and brackets. A
// space as separator stands for any run of blanks.
func split(s string, separator byte) ([]string, error) {
	var parts []string
	quoted, depth, start := false, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && (c == separator || separator == ' ' && c == '\t'):
			if separator != ' ' || i > start {
				parts = append(parts, s[start:i])
			}
			start = i + 1
		}
	}
	if quoted {
		return nil, errors.New("missing closing quote")
	}
	if depth != 0 {
		return nil, errors.New("brackets do not match")
	}
	if separator != ' ' || len(s) > start {
		parts = append(parts, s[start:])
	}
	return parts, nil
}

// setting is a key with its value; a key alone has none.
type setting struct {
	key, value string
	bare       bool
}

func settings(words []string) ([]setting, error) {
	out := make([]setting, 0, len(words))
	for _, w := range words {
		k, v, found := strings.Cut(w, "=")
		if k == "" || strings.ContainsAny(k, `"()`) {
			return nil, fmt.Errorf("%q is not key=value", w)
		}
		out = append(out, setting{k, v, !found})
	}
	return out, nil
}
