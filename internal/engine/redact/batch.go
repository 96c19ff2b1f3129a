package redact

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Batch replaces the names in the rows of a batch. The texts that it replaces are no longer in the
// batch: some formats write all of them.
func (m *Mask) Batch(b *columns.Batch) {
	r := replacement{mask: m, table: b.Table, from: &b.Texts, codes: make(map[classCode]uint32)}
	r.to = columns.NewTexts()
	for i := range b.Columns {
		r.column(&b.Columns[i])
	}
	b.Texts.Take(r.to)
}

// EraseBytes removes the values of a column, and of its members, that are bytes. texts are those of its
// batch.
func EraseBytes(c *columns.Column, texts *columns.Texts) {
	if c.Spec.Type == schema.Binary {
		c.Erase(texts)
	}
	for i := range c.Members {
		EraseBytes(&c.Members[i], texts)
	}
}

// replacement replaces the texts of a batch.
type replacement struct {
	mask     *Mask
	table    *schema.Table
	from, to *columns.Texts
	codes    map[classCode]uint32
	scratch  []byte
}

// classCode is a text of a batch in columns of a class.
type classCode struct {
	of   Class
	code uint32
}

// column replaces the values of a column and of its members.
func (r *replacement) column(c *columns.Column) {
	switch {
	case c.Spec.Type == schema.Binary:
		c.Erase(r.to)
	case c.Spec.Type == schema.String && c.Spec.Encoding == schema.Varied:
		r.varied(c)
	case c.Spec.Type == schema.String:
		of := ClassOf(r.table, c.Spec)
		for i, code := range c.Codes {
			c.Codes[i] = r.code(of, code)
		}
	}
	for i := range c.Members {
		r.column(&c.Members[i])
	}
}

// code returns the code of the replaced text among the new texts.
func (r *replacement) code(of Class, code uint32) uint32 {
	key := classCode{of, code}
	to, ok := r.codes[key]
	if !ok {
		r.scratch = r.mask.Append(r.scratch[:0], of, string(r.from.At(code)))
		to = r.to.Blob(r.scratch)
		r.codes[key] = to
	}
	return to
}

// varied replaces the values of a column in which each row has bytes of its own.
func (r *replacement) varied(c *columns.Column) {
	of := ClassOf(r.table, c.Spec)
	old, ends := c.Bytes, c.Ends
	c.Bytes, c.Ends = make([]byte, 0, len(old)), make([]uint32, 0, len(ends))
	from := uint32(0)
	for _, end := range ends {
		c.Bytes = r.mask.Append(c.Bytes, of, string(old[from:end]))
		c.Ends = append(c.Ends, uint32(len(c.Bytes)))
		from = end
	}
}

// Batch learns the names in the rows of a batch.
func (l *Learner) Batch(b *columns.Batch) {
	seen := make(map[classCode]bool)
	for i := range b.Columns {
		l.column(b, &b.Columns[i], seen)
	}
}

func (l *Learner) column(b *columns.Batch, c *columns.Column, seen map[classCode]bool) {
	if of := ClassOf(b.Table, c.Spec); c.Spec.Type == schema.String && of != Kept {
		for _, code := range c.Codes {
			if key := (classCode{of, code}); !seen[key] {
				seen[key] = true
				l.Value(of, string(b.Texts.At(code)))
			}
		}
		from := uint32(0)
		for _, end := range c.Ends {
			l.Value(of, string(c.Bytes[from:end]))
			from = end
		}
	}
	for i := range c.Members {
		l.column(b, &c.Members[i], seen)
	}
}
