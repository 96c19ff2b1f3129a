package export

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// jsonWriter writes JSON as it is made. It keeps the first error until flush.
type jsonWriter struct {
	w *bufio.Writer
	b []byte
}

func newJSON(w io.Writer) *jsonWriter { return &jsonWriter{w: bufio.NewWriterSize(w, 64<<10)} }

// raw writes text that is JSON, or a part of it.
func (j *jsonWriter) raw(parts ...string) {
	for _, part := range parts {
		j.w.WriteString(part)
	}
}

// text writes a text.
func (j *jsonWriter) text(s string) {
	j.b = texts.AppendJSON(j.b[:0], []byte(validText(s)))
	j.w.Write(j.b)
}

// int writes an integer.
func (j *jsonWriter) int(n int64) {
	j.b = strconv.AppendInt(j.b[:0], n, 10)
	j.w.Write(j.b)
}

// millis writes ns as ms, exactly: as a floating-point number, a time would lose its last digits.
func (j *jsonWriter) millis(ns int64) {
	const inMilli = 1_000_000
	if ns < 0 {
		j.raw("-")
	}
	whole, rest := ns/inMilli, ns%inMilli
	j.b = strconv.AppendUint(j.b[:0], uint64(max(whole, -whole)), 10)
	if rest != 0 {
		digits := strconv.FormatInt(inMilli+max(rest, -rest), 10)[1:]
		j.b = append(append(j.b, '.'), strings.TrimRight(digits, "0")...)
	}
	j.w.Write(j.b)
}

// list writes a list of n values.
func (j *jsonWriter) list(n int, value func(i int)) {
	j.raw("[")
	for i := range n {
		if i > 0 {
			j.raw(",")
		}
		value(i)
	}
	j.raw("]")
}

func (j *jsonWriter) flush() error { return j.w.Flush() }
