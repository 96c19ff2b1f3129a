package columns

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Batch is rows of one table, column by column, in the order of the table's columns. Its maker
// fills it and passes it on. The receiver owns it, and returns it to the maker for the next rows.
type Batch struct {
	Table   *schema.Table
	Rows    int
	Columns []Column
	Texts   Texts // the texts that the codes in the columns refer to

	room []Column // Columns, with one more place in front; see SetTrace
}

// NewBatch returns an empty batch.
func NewBatch(t *schema.Table) *Batch {
	b := &Batch{Table: t, room: make([]Column, 1+len(t.Columns))}
	b.Columns = b.room[1:]
	for i := range b.Columns {
		b.Columns[i] = newColumn(&t.Columns[i])
	}
	b.Texts.reset()
	return b
}

// Reset empties the batch. It keeps its memory for the next rows.
func (b *Batch) Reset() {
	b.Rows = 0
	b.Texts.reset()
	b.Columns = b.room[1:]
	for i := range b.Columns {
		b.Columns[i].Reset()
	}
}

// Column returns a column by name. A wrong name is a bug and panics, because all names are those of
// this program's own tables.
func (b *Batch) Column(name string) *Column {
	i := b.Table.Column(name)
	if i < 0 {
		panic(fmt.Sprintf("table %s has no column %s", b.Table.Name, name))
	}
	return &b.room[1+i]
}

// OptionalColumn returns a column by name, or nil if the table has none.
func (b *Batch) OptionalColumn(name string) *Column {
	if i := b.Table.Column(name); i >= 0 {
		return &b.room[1+i]
	}
	return nil
}

// Project returns the batch as rows of t, a table with some of the batch's columns. It replaces the
// batch, and has no trace column.
func (b *Batch) Project(t *schema.Table) *Batch {
	if t == b.Table {
		return b
	}
	p := &Batch{Table: t, Rows: b.Rows, Texts: b.Texts, room: make([]Column, 1+len(t.Columns))}
	p.Columns = p.room[1:]
	for i := range p.Columns {
		p.Columns[i] = *b.Column(t.Columns[i].Name)
		p.Columns[i].Spec = &t.Columns[i]
	}
	return p
}

// Expect makes room for rows rows in total, if the batch already has some rows that show which
// columns have values.
func (b *Batch) Expect(rows int) {
	if b.Rows == 0 || rows <= b.Rows {
		return
	}
	for i := range b.Columns {
		b.Columns[i].expect(b.Rows, rows)
	}
}

// Append appends the rows of another batch of the table. It ignores the trace column, which either
// batch may have before the table's columns.
func (b *Batch) Append(other *Batch) {
	codes := textCodes{to: &b.Texts, from: &other.Texts, codes: make([]uint32, other.Texts.Len())}
	n := len(other.Table.Columns)
	to, from := b.Columns[len(b.Columns)-n:], other.Columns[len(other.Columns)-n:]
	for i := range to {
		to[i].append(b.Rows, &from[i], &codes)
	}
	b.Rows += other.Rows
}

// textCodes maps the codes of one batch's texts to those of another.
type textCodes struct {
	to, from *Texts
	codes    []uint32 // by code in from: the code plus 1, or 0 if not looked up yet
}

func (t *textCodes) code(from uint32) uint32 {
	if t.codes[from] == 0 {
		t.codes[from] = t.to.Blob(t.from.At(from)) + 1
	}
	return t.codes[from] - 1
}

// Memory returns the bytes in use.
func (b *Batch) Memory() int64 {
	n := b.Texts.memory()
	for i := range b.Columns {
		n += b.Columns[i].memory()
	}
	return n
}

// Capacity returns the number of bytes allocated for columns and texts.
func (b *Batch) Capacity() int64 {
	n := b.Texts.capacity()
	for i := range b.room {
		n += b.room[i].capacity()
	}
	return n
}

// Check reports a column whose length does not match the number of rows: the Parquet library would
// write it without an error.
func (b *Batch) Check() error {
	for i := range b.Columns {
		if err := b.Columns[i].check(b.Rows); err != nil {
			return fmt.Errorf("table %s: %w", b.Table.Name, err)
		}
	}
	return nil
}
