// Package lines turns batches of rows into lines of text: a JSON object per row (NDJSON), an array of
// these (JSON), or comma-separated values (CSV).
//
// Numbers are exact, even those of 64 bits. Times are RFC 3339 in UTC, with all known digits. Bytes
// are hexadecimal digits. Lists and structs are JSON, in CSV as well.
//
// JSON escapes control characters, so a row is a line, and text from a trace cannot control a
// terminal. A JSON object omits nulls.
//
// CSV follows RFC 4180, with line feeds after rows, so that readers get texts back as they are: a text
// is in quotes if it has a quote, a comma or a line break, or a space or control character at an end.
// A null is nothing between two commas, and an empty text is "". Nothing is escaped: text for a
// terminal needs that (see [texts.SafeWriter]).
package lines

import (
	"encoding/hex"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/valuetext"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Format is a form of lines.
type Format uint8

// The formats.
const (
	NDJSON Format = iota
	CSV
	JSON
)

// Maker makes lines from the batches of one table. Several goroutines may use it at once.
type Maker struct {
	format  Format
	columns []lineColumn
	exact   int // column of the batch with the ns of the column timestamp, or -1
}

// lineColumn is a column that is shown.
type lineColumn struct {
	at      int    // in the batch
	name    []byte // in quotes if the format has them, and with a colon in JSON
	isJSON  bool   // its text is an object already
	isExact bool   // it is shown with the digits of another column
}

// The columns that are shown in a special way.
const (
	timestamp = "timestamp"
	timeNS    = "time_ns"
)

// Columns returns the columns that a batch needs to show some columns. The time of an event is
// written with all its digits, which another column has.
func Columns(t *schema.Table, shown []string) []string {
	has := make(map[string]bool)
	for _, name := range shown {
		has[name] = true
	}
	if has[timestamp] && !has[timeNS] && t.Column(timeNS) >= 0 {
		return append(append([]string(nil), shown...), timeNS)
	}
	return shown
}

// NewMaker returns a maker for batches of a table. The lines show some columns of the table, in the
// given order.
func NewMaker(t *schema.Table, f Format, shown []string) *Maker {
	m := &Maker{format: f, exact: t.Column(timeNS)}
	for _, name := range shown {
		at := t.Column(name)
		c := lineColumn{at: at, isJSON: name == schema.FieldsColumn && !t.IsPayload(), isExact: name == timestamp && m.exact >= 0}
		if f == CSV {
			c.name = appendCell(nil, []byte(name))
		} else {
			c.name = append(texts.AppendJSON(nil, []byte(name)), ':')
		}
		m.columns = append(m.columns, c)
	}
	return m
}

// Header returns what comes before the rows: the names of the columns in CSV, the start of the array
// in JSON.
func (m *Maker) Header() []byte {
	switch m.format {
	case NDJSON:
		return nil
	case JSON:
		return []byte("[")
	}
	var line []byte
	for i := range m.columns {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, m.columns[i].name...)
	}
	return append(line, '\n')
}

// Separator returns the length of what begins each row, and must be removed from the first one: the
// comma in JSON.
func (m *Maker) Separator() int {
	if m.format == JSON {
		return 1
	}
	return 0
}

// Footer returns what comes after the rows, if there were any, or after the header.
func (m *Maker) Footer(any bool) []byte {
	switch {
	case m.format != JSON:
		return nil
	case any:
		return []byte("\n]\n")
	}
	return []byte("]\n")
}

// Append appends the lines of all rows of a batch.
func (m *Maker) Append(dst []byte, b *columns.Batch) []byte {
	w, cursors := m.begin(b)
	for row := range b.Rows {
		switch m.format {
		case NDJSON:
			dst = append(m.appendJSON(dst, w, b, cursors, row), '\n')
		case JSON:
			dst = m.appendJSON(append(dst, ',', '\n'), w, b, cursors, row)
		case CSV:
			dst = append(m.appendCSV(dst, w, b, cursors, row), '\n')
		}
	}
	return dst
}

// AppendCells appends the cells of all rows of a batch, as in CSV but without its quotes and escapes,
// and with NULL in words. It appends the end of each cell to ends.
func (m *Maker) AppendCells(dst []byte, ends []int, b *columns.Batch) ([]byte, []int) {
	w, cursors := m.begin(b)
	for row := range b.Rows {
		for i := range m.columns {
			cur := &cursors[i]
			switch spec := cur.Column.Spec; {
			case !cur.Column.Has(row):
				dst = append(dst, "NULL"...)
			case !spec.List && (spec.Type == schema.String):
				dst = append(dst, cur.Bytes(&b.Texts)...)
			default:
				dst = m.appendPlain(dst, w, b, i, cur, row)
			}
			ends = append(ends, len(dst))
		}
	}
	return dst, ends
}

// rowWriter writes rows.
type rowWriter struct {
	*valuetext.Writer
	cell []byte // one value of CSV
}

// begin returns what is needed to write the rows of a batch.
func (m *Maker) begin(b *columns.Batch) (*rowWriter, []valuetext.Cursor) {
	cursors := make([]valuetext.Cursor, len(m.columns))
	for i := range m.columns {
		cursors[i] = valuetext.NewCursor(&b.Columns[m.columns[i].at])
	}
	return &rowWriter{Writer: valuetext.NewWriter(&b.Texts)}, cursors
}

func (m *Maker) appendJSON(dst []byte, w *rowWriter, b *columns.Batch, cursors []valuetext.Cursor, row int) []byte {
	dst = append(dst, '{')
	first := true
	for i := range m.columns {
		c, cur := &m.columns[i], &cursors[i]
		if !cur.Column.Has(row) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, c.name...)
		switch {
		case c.isExact:
			dst = append(w.Times.Nanos(append(dst, '"'), w.exact(b, m.exact, cur)), '"')
		case c.isJSON:
			dst = append(dst, cur.Bytes(&b.Texts)...)
		default:
			dst = w.Value(dst, cur)
		}
	}
	return append(dst, '}')
}

func (m *Maker) appendCSV(dst []byte, w *rowWriter, b *columns.Batch, cursors []valuetext.Cursor, row int) []byte {
	for i := range m.columns {
		cur := &cursors[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		spec := cur.Column.Spec
		switch {
		case !cur.Column.Has(row):
		case spec.List || spec.Type == schema.Struct:
			w.cell = w.Value(w.cell[:0], cur)
			dst = appendQuoted(dst, w.cell)
		case spec.Type == schema.String:
			dst = appendCell(dst, cur.Bytes(&b.Texts))
		default:
			dst = m.appendPlain(dst, w, b, i, cur, row)
		}
	}
	return dst
}

// exact returns the next time of a column with the digits of another, which has a value where it has.
func (w *rowWriter) exact(b *columns.Batch, other int, cur *valuetext.Cursor) int64 {
	cur.Next++
	return b.Columns[other].Ints[cur.Next-1]
}

// appendPlain appends the next value of a column that needs no quotes in CSV, or of a list or struct.
func (m *Maker) appendPlain(dst []byte, w *rowWriter, b *columns.Batch, column int, cur *valuetext.Cursor, row int) []byte {
	spec := cur.Column.Spec
	switch {
	case m.columns[column].isExact:
		return w.Times.Nanos(dst, w.exact(b, m.exact, cur))
	case spec.List:
	case spec.Type == schema.Binary:
		return hex.AppendEncode(dst, cur.Bytes(&b.Texts))
	case spec.Type == schema.Timestamp:
		cur.Next++
		return w.Times.Micros(dst, cur.Column.Ints[cur.Next-1])
	}
	return w.Value(dst, cur)
}
