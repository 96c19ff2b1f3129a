package query

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// errCut means that a result is not JSON in DuckDB's form.
var errCut = errors.New("the result that DuckDB wrote is damaged or cut off")

// eachRow calls add with the values of each row of a file that DuckDB wrote as JSON lines. The
// values are JSON, except numbers such as NaN, and are valid only during the call.
func eachRow(file io.Reader, add func(values [][]byte) error) error {
	r := bufio.NewReaderSize(file, 64<<10)
	var row [][]byte
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var wrong error
			if row, wrong = appendMembers(row[:0], line); wrong != nil {
				return wrong
			}
			if wrong := add(row); wrong != nil {
				return wrong
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// appendMembers appends the values in an object, without their names, or in a list.
func appendMembers(dst [][]byte, text []byte) ([][]byte, error) {
	if len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return dst, errCut
	}
	isObject := text[0] == '{'
	for i := 1; i < len(text); {
		switch text[i] {
		case '}', ']':
			return dst, nil
		case ',', ' ':
			i++
			continue
		}
		n := valueLength(text[i:])
		if isObject { // skip the name
			i += n
			if i >= len(text) || text[i] != ':' {
				return dst, errCut
			}
			i++
			n = valueLength(text[i:])
		}
		if n == 0 {
			return dst, errCut
		}
		dst = append(dst, text[i:i+n])
		i += n
	}
	return dst, errCut
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

var null = []byte("null")

// plainText returns a value as text, without the quotes of JSON.
func plainText(value []byte) (string, error) {
	if len(value) < 2 || value[0] != '"' {
		return string(value), nil
	}
	if inner := value[1 : len(value)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), nil
	}
	var text string
	err := json.Unmarshal(value, &text)
	return text, err
}
