package convert

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Batch is rows of one table, column by column. The maker of a batch fills it;
// whoever it is handed to owns it from then on.
type Batch struct {
	Table   *schema.Table
	Rows    int
	columns []column
	texts   texts // what the codes of its columns stand for
}

// NewBatch returns an empty batch.
func NewBatch(t *schema.Table) *Batch {
	b := &Batch{Table: t, columns: make([]column, len(t.Columns), len(t.Columns)+1)} // see setTrace
	for i := range b.columns {
		b.columns[i] = newColumn(&t.Columns[i])
	}
	b.texts.reset()
	return b
}

func (b *Batch) reset() {
	b.Rows = 0
	b.texts.reset()
	for i := range b.columns {
		b.columns[i].reset()
	}
}

// column returns a column by name. The names are those of this program's own
// tables, so that a wrong one is a bug.
func (b *Batch) column(name string) *column {
	i := b.Table.Column(name)
	if i < 0 {
		panic(fmt.Sprintf("table %s has no column %s", b.Table.Name, name))
	}
	return &b.columns[i]
}

// optionalColumn returns a column by name, or nil if the table has none.
func (b *Batch) optionalColumn(name string) *column {
	if i := b.Table.Column(name); i >= 0 {
		return &b.columns[i]
	}
	return nil
}

// append appends the rows of another batch of the table.
func (b *Batch) append(other *Batch) {
	codes := textCodes{to: &b.texts, from: &other.texts, codes: make([]uint32, other.texts.len())}
	for i := range other.Table.Columns { // not the trace, which either may have behind them
		b.columns[i].append(b.Rows, &other.columns[i], &codes)
	}
	b.Rows += other.Rows
}

// textCodes turns the codes of a batch's texts into those of another.
type textCodes struct {
	to, from *texts
	codes    []uint32 // by code in from: too large by one, 0 is not yet asked
}

func (t *textCodes) code(from uint32) uint32 {
	if t.codes[from] == 0 {
		t.codes[from] = t.to.blob(t.from.at(from)) + 1
	}
	return t.codes[from] - 1
}

// memory returns the bytes in use.
func (b *Batch) memory() int64 {
	n := b.texts.memory()
	for i := range b.columns {
		n += b.columns[i].memory()
	}
	return n
}

// capacity returns the bytes that are there for columns.
func (b *Batch) capacity() (n int64) {
	for i := range b.columns {
		n += b.columns[i].capacity()
	}
	return n
}

// check reports a column whose length does not fit the number of rows: the
// Parquet library would write it as it is.
func (b *Batch) check() error {
	for i := range b.columns {
		if err := b.columns[i].check(b.Rows); err != nil {
			return fmt.Errorf("table %s: %w", b.Table.Name, err)
		}
	}
	return nil
}
