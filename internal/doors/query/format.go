package query

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
	"github.com/etl2parquet/etl2parquet/internal/formats"
)

// Format is a form of results.
type Format string

// The formats.
const (
	Table   Format = "table"
	CSV     Format = "csv"
	JSON    Format = "json"
	Arrow   Format = "arrow"
	Parquet Format = "parquet"
)

// Formats are the names of the formats; the first is the default.
var Formats = []string{string(Table), string(CSV), string(JSON), string(Arrow), string(Parquet)}

// copyOptions are the options of COPY for the file from which a format is made.
var copyOptions = map[Format]string{
	Table: "FORMAT json", JSON: "FORMAT json", Arrow: "FORMAT json",
	CSV:     "FORMAT csv, HEADER true",
	Parquet: "FORMAT parquet, COMPRESSION zstd",
}

// needsTypes reports whether making a format requires the types of the columns.
func (f Format) needsTypes() bool { return f == Table || f == Arrow }

// ErrOneResult means that statements have several results, or none, for a format that holds one.
var ErrOneResult = errors.New("it holds the result of one SELECT")

// Check checks whether the results of statements can be written in the format.
func (f Format) Check(statements []Statement) error {
	selects := 0
	for i := range statements {
		if statements[i].IsSelect {
			selects++
		}
	}
	if formats.IsBinary(string(f)) && selects != 1 {
		return fmt.Errorf("--format %s: %w, and there are %d", f, ErrOneResult, selects)
	}
	return nil
}

// aside returns the writer for the output of statements other than SELECT.
func (f Format) aside(o *Options) io.Writer {
	if f == Table {
		return o.Out
	}
	return o.Notes
}

// write writes a result.
func (f Format) write(o *Options, result io.Reader, columns []column) error {
	switch f {
	case Table:
		return writeTable(o.Out, result, columns, o.Width)
	case Arrow:
		return writeArrow(o.Out, result, columns)
	case CSV:
		return eachLine(o.Out, result, appendPrintable)
	case JSON:
		return eachLine(o.Out, result, appendJSON)
	}
	_, err := io.Copy(o.Out, result)
	return err
}

// eachLine writes the lines of a file, each converted by mend.
func eachLine(w io.Writer, file io.Reader, mend func(dst, line []byte) []byte) error {
	out := bufio.NewWriterSize(w, 64<<10)
	r := bufio.NewReaderSize(file, 64<<10)
	var room []byte
	for {
		line, err := r.ReadBytes('\n')
		room = mend(room[:0], line)
		if _, wrong := out.Write(room); wrong != nil {
			return wrong
		}
		switch {
		case err == io.EOF:
			return out.Flush()
		case err != nil:
			return err
		}
	}
}

// appendPrintable appends text with control characters, except line feeds and tabs, escaped as in
// JSON, so that names in a trace do no harm on a terminal.
func appendPrintable(dst, text []byte) []byte {
	for len(text) > 0 {
		at := bytes.IndexAny(text, "\n\t")
		if at < 0 {
			return jsontext.AppendEscaped(dst, text, false)
		}
		dst = append(jsontext.AppendEscaped(dst, text[:at], false), text[at])
		text = text[at+1:]
	}
	return dst
}

// notNumbers are the values without JSON numbers, as DuckDB writes them and as cat does.
var notNumbers = []struct{ found, written string }{{"NaN", `"NaN"`}, {"-Infinity", `"-Inf"`}, {"Infinity", `"+Inf"`}, {"-nan", `"NaN"`}, {"nan", `"NaN"`}}

// appendJSON appends a line of DuckDB's JSON. It quotes values that are not JSON, such as NaN.
func appendJSON(dst, line []byte) []byte {
	done, isText := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			isText = !isText
		case c == '\\' && isText:
			i++
		case isText:
		case c == 'N' || c == 'I' || c == '-' || c == 'n':
			for _, n := range notNumbers {
				if bytes.HasPrefix(line[i:], []byte(n.found)) {
					dst = append(appendPrintable(dst, line[done:i]), n.written...)
					i += len(n.found) - 1
					done = i + 1
					break
				}
			}
		}
	}
	return appendPrintable(dst, line[done:])
}
