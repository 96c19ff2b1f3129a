// Package widen turns rows of one form of an event into rows of a table that holds all its forms, by
// the rule of [schema.Column.Widen].
//
// Values that become text are written as in CSV: numbers in decimal digits, booleans as true and
// false, times in RFC 3339 and UTC, bytes as hexadecimal digits, structures as JSON.
package widen

import (
	"bytes"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/valuetext"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Batch returns a batch as rows of t, whose columns are at least as wide. It replaces the batch, which
// can only be reset: its texts move to the new one. t has the trace column if the batch has it.
func Batch(b *columns.Batch, t *schema.Table) *columns.Batch {
	if t == b.Table {
		return b
	}
	wide := columns.NewBatch(t)
	wide.Rows, wide.Texts, b.Texts = b.Rows, b.Texts, columns.Texts{}
	w := Writer{Texts: &wide.Texts}
	find := schema.Finder{Columns: b.Table.Columns}
	for i := range t.Columns {
		if at := find.Find(t.Columns[i].Name); at >= 0 {
			w.Append(&wide.Columns[i], 0, &b.Columns[at], b.Rows)
		}
	}
	return wide
}

// Writer appends values to wider columns.
type Writer struct {
	Texts *columns.Texts // that the codes in both columns refer to

	text    *valuetext.Writer
	buffer  []byte
	members map[structures][]int // where the members of one are in the other
}

// structures are a structure and the wider one that takes its values.
type structures struct{ wide, from *schema.Column }

// Reset must be called when Texts was reset.
func (w *Writer) Reset() { w.text = nil }

// Append appends the rows of a column to one that is at least as wide, from row on.
func (w *Writer) Append(c *columns.Column, row int, from *columns.Column, rows int) {
	if c.Spec.Nullable {
		if from.Spec.Nullable {
			c.Valid.Append(row, &from.Valid)
		} else {
			c.Present(row, rows)
		}
	}
	if c.Spec.List {
		appendLists(c, from)
	}
	switch c.Spec.Type {
	case schema.Struct:
		w.structs(c, from)
	case schema.String:
		w.texts(c, from)
	case schema.Binary:
		w.blobs(c, from)
	case schema.Double:
		appendReals(c, from)
	case schema.Float:
		c.Floats = append(c.Floats, from.Floats...)
	case schema.Boolean:
		c.Bools = append(c.Bools, from.Bools...)
	case schema.Int32:
		c.Small = appendNumbers(append(c.Small, from.Small...), from.Bools)
	default:
		appendInts(c, from)
	}
}

// appendLists appends the ends of lists: a single value is a list of one.
func appendLists(c, from *columns.Column) {
	elements := uint32(c.Elements())
	if from.Spec.List {
		for _, end := range from.Lists {
			c.Lists = append(c.Lists, elements+end)
		}
		return
	}
	for i := range from.Elements() {
		c.Lists = append(c.Lists, elements+uint32(i)+1)
	}
}

// structs appends structures. Members that they lack are NULL.
func (w *Writer) structs(c, from *columns.Column) {
	first := c.Structs
	c.Structs += from.Structs
	for i, at := range w.membersOf(c.Spec, from.Spec) {
		if at >= 0 {
			w.Append(&c.Members[at], first, &from.Members[i], from.Structs)
		}
	}
}

// membersOf returns where each member of a structure is in a wider one, or -1. It is found once for
// all values, as a structure may have thousands.
func (w *Writer) membersOf(wide, from *schema.Column) []int {
	key := structures{wide, from}
	list, known := w.members[key]
	if known {
		return list
	}
	find := schema.Finder{Columns: wide.Fields}
	for i := range from.Fields {
		list = append(list, find.Find(from.Fields[i].Name))
	}
	if w.members == nil {
		w.members = make(map[structures][]int)
	}
	w.members[key] = list
	return list
}

func appendInts(c, from *columns.Column) {
	c.Ints = append(c.Ints, from.Ints...)
	for _, v := range from.Small {
		c.Ints = append(c.Ints, int64(v))
	}
	c.Ints = appendNumbers(c.Ints, from.Bools)
}

func appendReals(c, from *columns.Column) {
	c.Reals = append(c.Reals, from.Reals...)
	for _, v := range from.Floats {
		c.Reals = append(c.Reals, float64(v))
	}
	for _, v := range from.Small {
		c.Reals = append(c.Reals, float64(v))
	}
	c.Reals = appendNumbers(c.Reals, from.Bools)
}

// appendNumbers appends 1 for true and 0 for false.
func appendNumbers[T int32 | int64 | float64](to []T, values []bool) []T {
	for _, v := range values {
		n := T(0)
		if v {
			n = 1
		}
		to = append(to, n)
	}
	return to
}

// texts appends texts, and other values as texts.
func (w *Writer) texts(c, from *columns.Column) {
	if from.Spec.Type == schema.String {
		w.blobs(c, from)
		return
	}
	if w.text == nil {
		w.text = valuetext.NewWriter(w.Texts)
	}
	cursor := valuetext.NewCursor(from)
	for range from.Elements() {
		w.buffer = w.text.Element(w.buffer[:0], &cursor)
		text := w.buffer
		if from.Spec.Type != schema.Struct {
			text = bytes.Trim(text, `"`) // in JSON, some of these are texts that need no escapes
		}
		w.blob(c, text)
	}
}

// blobs appends values of the same type.
func (w *Writer) blobs(c, from *columns.Column) {
	switch {
	case c.Spec.OwnsBytes() != from.Spec.OwnsBytes():
		cursor := valuetext.NewCursor(from)
		for range from.Elements() {
			w.blob(c, cursor.Bytes(w.Texts))
		}
	case c.Spec.OwnsBytes():
		size := uint32(len(c.Bytes))
		c.Bytes = append(c.Bytes, from.Bytes...)
		for _, end := range from.Ends {
			c.Ends = append(c.Ends, size+end)
		}
	default:
		c.Codes = append(c.Codes, from.Codes...)
	}
}

func (w *Writer) blob(c *columns.Column, value []byte) {
	if c.Spec.OwnsBytes() {
		c.Blob(value)
		return
	}
	c.Code(w.Texts.Blob(value))
}
