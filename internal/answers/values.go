package answers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
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
	if texts.JSONMembers(text, func(_, value []byte) { dst = append(dst, value) }) != nil {
		return dst, errCut
	}
	return dst, nil
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
