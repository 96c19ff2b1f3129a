// Package valuetext writes values of columns as text, in JSON where they are lists or structures.
package valuetext

import (
	"encoding/hex"
	"strconv"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Cursor iterates over the values of a column. Null rows have no value.
type Cursor struct {
	Column  *columns.Column
	Next    int // value
	members []Cursor
}

func NewCursor(c *columns.Column) Cursor {
	cur := Cursor{Column: c}
	for i := range c.Members {
		cur.members = append(cur.members, NewCursor(&c.Members[i]))
	}
	return cur
}

// Bytes returns the next value, of a column of texts or bytes.
func (c *Cursor) Bytes(texts *columns.Texts) []byte {
	at := c.Next
	c.Next++
	return c.bytesAt(at, texts)
}

func (c *Cursor) bytesAt(at int, texts *columns.Texts) []byte {
	col := c.Column
	if col.Spec.Encoding != schema.Varied {
		return texts.At(col.Codes[at])
	}
	from := uint32(0)
	if at > 0 {
		from = col.Ends[at-1]
	}
	return col.Bytes[from:col.Ends[at]]
}

// NewWriter returns a writer for the values of a batch with these texts.
func NewWriter(texts *columns.Texts) *Writer { return &Writer{texts: texts} }

// Writer writes the values of a batch as JSON.
type Writer struct {
	texts  *columns.Texts
	quoted []span // by the code of a text: its position in room; most texts are used many times
	room   []byte
	Times  Times
}

type span struct{ from, to int }

// Value appends the next value of a column, as a list if the column has lists.
func (w *Writer) Value(dst []byte, c *Cursor) []byte {
	at := c.Next
	c.Next++
	if !c.Column.Spec.List {
		return w.element(dst, c, at)
	}
	from := 0
	if at > 0 {
		from = int(c.Column.Lists[at-1])
	}
	dst = append(dst, '[')
	for i := from; i < int(c.Column.Lists[at]); i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = w.element(dst, c, i)
	}
	return append(dst, ']')
}

// Element appends the next value that is not a list; in a column of lists, the next element.
func (w *Writer) Element(dst []byte, c *Cursor) []byte {
	c.Next++
	return w.element(dst, c, c.Next-1)
}

// element appends a value that is not a list.
func (w *Writer) element(dst []byte, c *Cursor, at int) []byte {
	col := c.Column
	switch col.Spec.Type {
	case schema.Boolean:
		return strconv.AppendBool(dst, col.Bools[at])
	case schema.Int32:
		return strconv.AppendInt(dst, int64(col.Small[at]), 10)
	case schema.Int64:
		return strconv.AppendInt(dst, col.Ints[at], 10)
	case schema.Uint64:
		return strconv.AppendUint(dst, uint64(col.Ints[at]), 10)
	case schema.Float:
		return texts.AppendJSONFloat(dst, float64(col.Floats[at]), 32)
	case schema.Double:
		return texts.AppendJSONFloat(dst, col.Reals[at], 64)
	case schema.Timestamp:
		return append(w.Times.Micros(append(dst, '"'), col.Ints[at]), '"')
	case schema.Binary:
		return append(hex.AppendEncode(append(dst, '"'), c.bytesAt(at, w.texts)), '"')
	case schema.Struct:
		return w.structure(dst, c, at)
	}
	if col.Spec.Encoding == schema.Varied {
		return texts.AppendJSON(dst, c.bytesAt(at, w.texts))
	}
	code := col.Codes[at]
	if n := w.texts.Len() - len(w.quoted); n > 0 {
		w.quoted = append(w.quoted, make([]span, n)...)
	}
	q := &w.quoted[code]
	if q.to == 0 {
		q.from = len(w.room)
		w.room = texts.AppendJSON(w.room, w.texts.At(code))
		q.to = len(w.room)
	}
	return append(dst, w.room[q.from:q.to]...)
}

// structure appends a struct. The rows of its members are numbered by struct.
func (w *Writer) structure(dst []byte, c *Cursor, number int) []byte {
	dst = append(dst, '{')
	first := true
	for i := range c.members {
		m := &c.members[i]
		if !m.Column.Has(number) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(texts.AppendJSON(dst, []byte(m.Column.Spec.Name)), ':')
		dst = w.Value(dst, m)
	}
	return append(dst, '}')
}
