package answers

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/formats"
)

// form says how results are made in a format.
type form struct {
	copy       string // options of DuckDB's COPY for the file that the result is made from
	needsTypes bool   // making it needs the types of the columns
	write      func(o *Options, result io.Reader, columns []column) error
}

var forms = map[*formats.Format]form{
	formats.Table: {"FORMAT json", true, func(o *Options, result io.Reader, columns []column) error {
		return writeTable(o.Out, result, columns, o.Table)
	}},
	formats.Arrow: {"FORMAT json", true, func(o *Options, result io.Reader, columns []column) error {
		return writeArrow(o.Out, result, columns)
	}},
	formats.NDJSON: {"FORMAT json", false, func(o *Options, result io.Reader, _ []column) error {
		return eachLine(o.Out, result, appendJSON)
	}},
	formats.JSON:    {"FORMAT json", false, func(o *Options, result io.Reader, _ []column) error { return writeJSON(o.Out, result) }},
	formats.CSV:     {"FORMAT csv, HEADER true", false, copyResult},
	formats.Parquet: {"FORMAT parquet, COMPRESSION zstd", false, copyResult},
}

// copyResult writes a result as DuckDB made it.
func copyResult(o *Options, result io.Reader, _ []column) error {
	_, err := io.Copy(o.Out, result)
	return err
}

// Formats returns the formats of results.
func Formats() []*formats.Format {
	return slices.DeleteFunc(slices.Clone(formats.All()), func(f *formats.Format) bool { return forms[f].write == nil })
}

// ErrOneResult means that statements have several results, or none, for a format that holds one.
var ErrOneResult = errors.New("it holds the result of one SELECT")

// Check checks whether the results of statements can be written in a format.
func Check(f *formats.Format, statements []Statement) error {
	selects := 0
	for i := range statements {
		if statements[i].IsSelect {
			selects++
		}
	}
	if f.Single && selects != 1 {
		return fmt.Errorf("%w, and there are %d", ErrOneResult, selects)
	}
	return nil
}

// aside returns the writer for the output of statements other than SELECT.
func (o *Options) aside() io.Writer {
	if o.Format == formats.Table {
		return o.Out
	}
	return o.Notes
}

// writeJSON writes the lines of a file with an object each as an array.
func writeJSON(w io.Writer, file io.Reader) error {
	before, after := "[\n", "[]\n"
	err := eachLine(w, file, func(dst, line []byte) []byte {
		if line = bytes.TrimSuffix(line, []byte{'\n'}); len(line) == 0 {
			return dst
		}
		dst = append(dst, before...)
		before, after = ",\n", "\n]\n"
		return appendJSON(dst, line)
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, after)
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
					dst = append(texts.AppendSafe(dst, line[done:i]), n.written...)
					i += len(n.found) - 1
					done = i + 1
					break
				}
			}
		}
	}
	return texts.AppendSafe(dst, line[done:])
}
