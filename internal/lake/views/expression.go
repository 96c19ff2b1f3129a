package views

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// name is a name of a column in an expression.
type name struct {
	qualifier, name string // start or stop; "" without
	begin, end      int    // in the text
}

// The qualifiers of columns in sources of pairs.
const (
	startName = "start"
	stopName  = "stop"
)

// notColumns are words of SQL in expressions. A column with such a name stands in quotation marks.
var notColumns = words(`and as any array between by case cast collate distinct else end escape exists false from ilike in is lambda like not null or select similar
	symmetric then true try_cast when with`)

func words(text string) map[string]bool {
	list := make(map[string]bool)
	for _, word := range strings.Fields(text) {
		list[word] = true
	}
	return list
}

// namesIn returns the columns that an expression names, in order. It takes no comments, parameters and statements:
// whether the rest is an expression, DuckDB says.
func namesIn(e string) (list []name, err error) {
	if strings.TrimSpace(e) == "" {
		return nil, errors.New("the expression is empty")
	}
	var parameters []string // of lambdas
	isParameter := false
	for i := 0; i < len(e); {
		rest := e[i:]
		switch c := e[i]; {
		case c == '\'':
			n := quotedLength(rest)
			if n < 0 {
				return nil, fmt.Errorf("a text has no end: %s", rest)
			}
			i += n
		case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "/*"), c == ';', c == '$', c == '?':
			return nil, fmt.Errorf("%q stands in no expression", rest[:min(2, len(rest))])
		case c >= '0' && c <= '9':
			i += len(rest) - len(strings.TrimLeft(rest, "0123456789abcdefABCDEFxX._"))
		case c == '"' || isWord(rune(c)):
			begin := i
			word := rest[:len(rest)-len(strings.TrimLeftFunc(rest, isWord))]
			i += len(word)
			if c == '"' {
				n := quotedLength(rest)
				if n < 0 {
					return nil, fmt.Errorf("a name has no end: %s", rest)
				}
				word, i = strings.ReplaceAll(rest[1:n-1], `""`, `"`), begin+n
			}
			lower, after := strings.ToLower(word), strings.TrimLeft(e[i:], " \t\r\n")
			before := strings.TrimRight(e[:begin], " \t\r\n")
			isMember := strings.HasSuffix(before, ".")
			isType := strings.HasSuffix(before, "::") || c != '"' && strings.HasSuffix(strings.ToLower(before), " as")
			switch {
			case c != '"' && strings.HasPrefix(e[i:], "'"):
				return nil, fmt.Errorf("the text %s begins with a letter", e[begin:min(begin+12, len(e))])
			case c != '"' && lower == "lambda":
				isParameter = true
			case isParameter:
				parameters = append(parameters, lower)
			case isMember || isType || strings.HasPrefix(after, "(") || strings.HasPrefix(after, ":="), c != '"' && notColumns[lower]:
			case slices.Contains(parameters, lower):
			case (lower == startName || lower == stopName) && strings.HasPrefix(after, "."):
				member := strings.TrimLeft(after[1:], " \t\r\n")
				n := len(member) - len(strings.TrimLeftFunc(member, isWord))
				end := len(e) - len(member) + n
				list = append(list, name{lower, strings.ToLower(member[:n]), begin, end})
				i = end
			default:
				list = append(list, name{"", lower, begin, i})
			}
		default:
			if c == ':' {
				isParameter = false
			}
			i++
		}
	}
	return list, nil
}

func isWord(r rune) bool { return !isNoWord(r) }

// quotedLength returns the length of a text or name in quotation marks, or -1 if it has no end.
func quotedLength(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		if text[i] != quote {
			continue
		}
		if i+1 < len(text) && text[i+1] == quote {
			i++
			continue
		}
		return i + 1
	}
	return -1
}

// renamed returns an expression with other names for its columns.
func renamed(e string, to func(n name) string) string {
	names, err := namesIn(e)
	if err != nil {
		return e // checkSource has reported it
	}
	for _, n := range slices.Backward(names) {
		e = e[:n.begin] + to(n) + e[n.end:]
	}
	return e
}
