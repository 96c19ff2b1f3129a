package texts

import "errors"

// ErrCutJSON means that a text is no object and no list, or ends before it does.
var ErrCutJSON = errors.New("it is no JSON, or it is cut off")

// JSONMembers calls add with each member of an object, its name being JSON, or with each value of a list,
// whose name is nil. Values may be numbers that JSON lacks, such as NaN.
func JSONMembers(text []byte, add func(name, value []byte)) error {
	if len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return ErrCutJSON
	}
	isObject := text[0] == '{'
	for i := 1; i < len(text); {
		switch text[i] {
		case '}', ']':
			return nil
		case ',', ' ':
			i++
			continue
		}
		n := valueLength(text[i:])
		var name []byte
		if isObject {
			name = text[i : i+n]
			i += n
			if i >= len(text) || text[i] != ':' {
				return ErrCutJSON
			}
			i++
			n = valueLength(text[i:])
		}
		if n == 0 {
			return ErrCutJSON
		}
		add(name, text[i:i+n])
		i += n
	}
	return ErrCutJSON
}

// valueLength returns the length of the value at the start of a text.
func valueLength(text []byte) int {
	depth, isText := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case isText && c == '\\':
			i++
		case c == '"':
			if isText = !isText; !isText && depth == 0 {
				return i + 1
			}
		case isText:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || c == ':' || c == ' '):
			return i
		}
	}
	return len(text)
}
