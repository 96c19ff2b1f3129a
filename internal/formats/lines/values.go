package lines

import (
	"bytes"
	"encoding/hex"
	"strconv"

	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// cursor iterates over the values of a column. Null rows have no value.
type cursor struct {
	column  *columns.Column
	value   int // the next
	members []cursor
}

func newCursor(c *columns.Column) cursor {
	cur := cursor{column: c}
	for i := range c.Members {
		cur.members = append(cur.members, newCursor(&c.Members[i]))
	}
	return cur
}

// bytes returns the next value, of a column of texts or bytes.
func (c *cursor) bytes(texts *columns.Texts) []byte {
	at := c.value
	c.value++
	return c.bytesAt(at, texts)
}

func (c *cursor) bytesAt(at int, texts *columns.Texts) []byte {
	col := c.column
	if col.Spec.Encoding != schema.Varied {
		return texts.At(col.Codes[at])
	}
	from := uint32(0)
	if at > 0 {
		from = col.Ends[at-1]
	}
	return col.Bytes[from:col.Ends[at]]
}

// writer writes the values of a batch as JSON.
type writer struct {
	texts  *columns.Texts
	quoted []span // by the code of a text: its position in room; most texts are used many times
	room   []byte
	cell   []byte
	times  timeWriter
}

type span struct{ from, to int }

// value writes the next value of a column, as a list if the column has lists.
func (w *writer) value(dst []byte, c *cursor) []byte {
	at := c.value
	c.value++
	if !c.column.Spec.List {
		return w.element(dst, c, at)
	}
	from := 0
	if at > 0 {
		from = int(c.column.Lists[at-1])
	}
	dst = append(dst, '[')
	for i := from; i < int(c.column.Lists[at]); i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = w.element(dst, c, i)
	}
	return append(dst, ']')
}

// element writes a value that is not a list.
func (w *writer) element(dst []byte, c *cursor, at int) []byte {
	col := c.column
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
		return jsontext.AppendFloat(dst, float64(col.Floats[at]), 32)
	case schema.Double:
		return jsontext.AppendFloat(dst, col.Reals[at], 64)
	case schema.Timestamp:
		return append(w.times.micros(append(dst, '"'), col.Ints[at]), '"')
	case schema.Binary:
		return append(appendHex(append(dst, '"'), c.bytesAt(at, w.texts)), '"')
	case schema.Struct:
		return w.structure(dst, c, at)
	}
	if col.Spec.Encoding == schema.Varied {
		return jsontext.AppendText(dst, c.bytesAt(at, w.texts))
	}
	code := col.Codes[at]
	q := &w.quoted[code]
	if q.to == 0 {
		q.from = len(w.room)
		w.room = jsontext.AppendText(w.room, w.texts.At(code))
		q.to = len(w.room)
	}
	return append(dst, w.room[q.from:q.to]...)
}

// structure writes a struct. The rows of its members are numbered by struct.
func (w *writer) structure(dst []byte, c *cursor, number int) []byte {
	dst = append(dst, '{')
	first := true
	for i := range c.members {
		m := &c.members[i]
		if !m.column.Has(number) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(jsontext.AppendText(dst, []byte(m.column.Spec.Name)), ':')
		dst = w.value(dst, m)
	}
	return append(dst, '}')
}

func appendHex(dst, b []byte) []byte { return hex.AppendEncode(dst, b) }

// appendCell writes a text as a value of CSV.
func appendCell(dst, text []byte) []byte {
	n := len(text)
	if n > 0 && text[0] != ' ' && text[n-1] != ' ' && bytes.IndexByte(text, '"') < 0 && bytes.IndexByte(text, ',') < 0 {
		return jsontext.AppendEscaped(dst, text, false)
	}
	dst = append(dst, '"')
	for i, piece := range bytes.Split(text, []byte{'"'}) {
		if i > 0 {
			dst = append(dst, `""`...)
		}
		dst = jsontext.AppendEscaped(dst, piece, false)
	}
	return append(dst, '"')
}

// appendQuoted writes a value of CSV, escaped before, in quotes.
func appendQuoted(dst, cell []byte) []byte {
	dst = append(dst, '"')
	for _, c := range cell {
		if c == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}
