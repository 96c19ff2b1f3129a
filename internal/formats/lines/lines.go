// Package lines turns batches of rows into lines of text: a JSON object per row (NDJSON), or
// comma-separated values (CSV).
//
// Numbers are exact, even those of 64 bits. Times are RFC 3339 in UTC, with all known digits. Bytes
// are hexadecimal digits. Lists and structs are JSON, in CSV as well. Control characters are
// escaped as in JSON, in CSV too. So a row is a line, and text from a trace cannot control a
// terminal.
//
// A JSON object omits nulls. In CSV, a null is nothing between two commas, and an empty text is "".
package lines

import (
	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Format is a form of lines.
type Format uint8

// The formats.
const (
	NDJSON Format = iota
	CSV
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
			c.name = append(jsontext.AppendText(nil, []byte(name)), ':')
		}
		m.columns = append(m.columns, c)
	}
	return m
}

// AppendHeader appends the line before the rows, which CSV has.
func (m *Maker) AppendHeader(dst []byte) []byte {
	if m.format != CSV {
		return dst
	}
	for i := range m.columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, m.columns[i].name...)
	}
	return append(dst, '\n')
}

// Append appends the lines of all rows of a batch, and appends the end of each line to ends.
func (m *Maker) Append(dst []byte, ends []int, b *columns.Batch) ([]byte, []int) {
	w := writer{texts: &b.Texts, quoted: make([]span, b.Texts.Len())}
	cursors := make([]cursor, len(m.columns))
	for i := range m.columns {
		cursors[i] = newCursor(&b.Columns[m.columns[i].at])
	}
	for row := range b.Rows {
		if m.format == CSV {
			dst = m.appendCSV(dst, &w, b, cursors, row)
		} else {
			dst = m.appendJSON(dst, &w, b, cursors, row)
		}
		dst = append(dst, '\n')
		ends = append(ends, len(dst))
	}
	return dst, ends
}

func (m *Maker) appendJSON(dst []byte, w *writer, b *columns.Batch, cursors []cursor, row int) []byte {
	dst = append(dst, '{')
	first := true
	for i := range m.columns {
		c, cur := &m.columns[i], &cursors[i]
		if !cur.column.Has(row) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, c.name...)
		switch {
		case c.isExact:
			dst = append(w.times.nanos(append(dst, '"'), b.Columns[m.exact].Ints[row]), '"')
			cur.value++
		case c.isJSON:
			dst = append(dst, cur.bytes(w.texts)...)
		default:
			dst = w.value(dst, cur)
		}
	}
	return append(dst, '}')
}

func (m *Maker) appendCSV(dst []byte, w *writer, b *columns.Batch, cursors []cursor, row int) []byte {
	for i := range m.columns {
		c, cur := &m.columns[i], &cursors[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		spec := cur.column.Spec
		switch {
		case !cur.column.Has(row):
		case c.isExact:
			dst = w.times.nanos(dst, b.Columns[m.exact].Ints[row])
			cur.value++
		case spec.List || spec.Type == schema.Struct:
			w.cell = w.value(w.cell[:0], cur)
			dst = appendQuoted(dst, w.cell)
		case spec.Type == schema.String:
			dst = appendCell(dst, cur.bytes(w.texts))
		case spec.Type == schema.Binary:
			dst = appendHex(dst, cur.bytes(w.texts))
		case spec.Type == schema.Timestamp:
			dst = w.times.micros(dst, cur.column.Ints[cur.value])
			cur.value++
		default:
			dst = w.value(dst, cur)
		}
	}
	return dst
}
