package agent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// The bounds of an answer. They keep it small for a model, whose context holds all answers of a
// conversation, and bound the memory for it.
const (
	mostAnswer = 32 << 10 // bytes of the text of an answer
	mostValue  = 2 << 10  // bytes of a value in a row
	mostLine   = 1 << 20  // bytes of a row as DuckDB writes it
	someRows   = 100      // rows in an answer, if the call does not say it
	mostRows   = 1000
)

// rows are the rows of an answer as text: a line with the names of the columns, and a line for each row,
// as lists of JSON.
type rows struct {
	text    []byte
	shown   int64
	isFull  bool // rows were left out because the answer is full
	isShort bool // values were cut
}

// readRows reads rows as lines of JSON objects.
func readRows(lines io.Reader) (*rows, error) {
	r := new(rows)
	in := bufio.NewReaderSize(lines, 64<<10)
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if line = append(line, part...); len(line) > mostLine {
			return nil, fmt.Errorf("a row has more than %s: select fewer columns, or parts of texts with left(column, 100)", texts.RoundSize(mostLine))
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if wrong := r.add(line); wrong != nil {
				return nil, wrong
			}
		}
		switch {
		case errors.Is(err, io.EOF) || r.isFull:
			return r, nil
		case err != nil:
			return nil, err
		}
		line = line[:0]
	}
}

// add adds a row that is a JSON object.
func (r *rows) add(line []byte) error {
	var names, values [][]byte
	err := texts.JSONMembers(line, func(name, value []byte) { names, values = append(names, name), append(values, value) })
	if err != nil {
		return fmt.Errorf("read a row: %w", err)
	}
	r.addRow(names, values)
	return nil
}

// addRow adds a row, unless the answer is full. The first row names the columns.
func (r *rows) addRow(names, values [][]byte) {
	before := len(r.text)
	if r.shown == 0 {
		r.addList(names)
	}
	r.addList(values)
	if len(r.text) > mostAnswer && r.shown > 0 {
		r.text, r.isFull = r.text[:before], true
		return
	}
	r.shown++
}

func (r *rows) addList(values [][]byte) {
	r.text = append(r.text, '[')
	for i, value := range values {
		if i > 0 {
			r.text = append(r.text, ',')
		}
		r.addValue(value)
	}
	r.text = append(r.text, ']', '\n')
}

// addValue adds a value. Numbers that JSON lacks become texts, and long values are cut.
func (r *rows) addValue(value []byte) {
	switch {
	case len(value) > mostValue:
		r.isShort = true
		r.text = texts.AppendJSON(r.text, []byte(cutValue(value)))
	case json.Valid(value):
		r.text = texts.AppendJSONEscaped(r.text, value, false)
	default:
		r.text = texts.AppendJSON(r.text, value)
	}
}

// cutValue returns the beginning of a value as text, and says how long the value is.
func cutValue(value []byte) string {
	text := string(value)
	if value[0] == '"' {
		var plain string
		if json.Unmarshal(value, &plain) == nil {
			text = plain
		}
	}
	end := min(len(text), mostValue)
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	if end == len(text) {
		return text
	}
	return fmt.Sprintf("%s… (%s)", strings.ToValidUTF8(text[:end], "\ufffd"), texts.Counted(int64(len(text)), "byte"))
}

// title says how many rows there are, and why not all are shown.
func (r *rows) title(all int64) string {
	text := texts.Counted(all, "row")
	switch {
	case r.isFull:
		text = fmt.Sprintf("%s of %s, cut at %s: select fewer columns, filter or aggregate", texts.Grouped(r.shown), text, texts.RoundSize(mostAnswer))
	case r.shown < all:
		text = fmt.Sprintf("%s of %s, cut by the limit of this call: filter, aggregate, or ask for more rows", texts.Grouped(r.shown), text)
	}
	if r.isShort {
		text += fmt.Sprintf("; values beyond %s are cut", texts.RoundSize(mostValue))
	}
	return text
}
