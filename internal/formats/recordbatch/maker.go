package recordbatch

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Maker makes record batches from the batches of one table. Several goroutines may use it at once
// if they may use its allocator at once.
type Maker struct {
	table  *schema.Table
	schema *arrow.Schema
	memory memory.Allocator
	most   int64 // bytes of a column in a batch, and elements of its lists
}

// NewMaker returns a maker for batches of a table. t.WithTrace() is the table of batches for which
// SetTrace was called.
func NewMaker(t *schema.Table, m memory.Allocator) *Maker {
	return &Maker{table: t, schema: Schema(t), memory: m, most: math.MaxInt32} // Arrow's offsets are an int32
}

// Schema returns the schema of all record batches.
func (m *Maker) Schema() *arrow.Schema { return m.schema }

// RecordBatch returns the rows of a batch. It shares the batch's memory until done is called: see
// the package documentation. If it returns an error, the caller still owns the batch, and done is
// not called.
func (m *Maker) RecordBatch(b *columns.Batch, done func()) (arrow.RecordBatch, error) {
	if err := m.check(b); err != nil {
		return nil, err
	}
	a := arrays{memory: m.memory, texts: &b.Texts, lease: newLease(done)}
	defer a.lease.release()
	list := make([]arrow.Array, len(b.Columns))
	for i := range list {
		data := a.column(&b.Columns[i], m.schema.Field(i).Type, place{length: b.Rows, full: true})
		list[i] = array.MakeFromData(data)
		data.Release()
	}
	defer release(list)
	return array.NewRecordBatch(m.schema, list, int64(b.Rows)), nil // retains them
}

func release[T interface{ Release() }](list []T) {
	for _, one := range list {
		one.Release()
	}
}

// check returns an error for a batch that is not of the maker's table, whose columns are
// inconsistent, or that Arrow cannot hold.
func (m *Maker) check(b *columns.Batch) error {
	if got, want := len(b.Columns), len(m.table.Columns); got != want {
		return fmt.Errorf("table %s: a batch of table %s has %d columns, want %d", m.table.Name, b.Table.Name, got, want)
	}
	for i := range b.Columns {
		is, want := b.Columns[i].Spec, &m.table.Columns[i]
		if is != want && (is.Name != want.Name || is.Nullable != want.Nullable || !is.SameType(want)) {
			return fmt.Errorf("table %s: a batch of table %s has a column %s, want %s", m.table.Name, b.Table.Name, describe(is), describe(want))
		}
	}
	if err := b.Check(); err != nil {
		return err
	}
	s := sizes{most: m.most, texts: &b.Texts, longest: longest(&b.Texts)}
	for i := range b.Columns {
		if err := s.check(&b.Columns[i]); err != nil {
			return fmt.Errorf("table %s: %w", m.table.Name, err)
		}
	}
	return nil
}

func describe(c *schema.Column) string {
	if c.Nullable {
		return c.Name + " " + c.TypeName() + " or null"
	}
	return c.Name + " " + c.TypeName()
}
