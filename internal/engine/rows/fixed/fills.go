package fixed

import (
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// columnFill says how a column is filled from the subject of a row. Its name, type and meaning are
// in schema.
type columnFill[T any] struct {
	name string
	fill func(c *cell, of T)
}

// fillTable makes rows of a table.
func fillTable[T any](x *index.Index, t *schema.Table, fills []columnFill[T], of []T) *columns.Batch {
	b := columns.NewBatch(t)
	b.Rows = len(of)
	var methodCodes []uint32
	for i := range b.Columns {
		c := cell{x: x, batch: b, column: &b.Columns[i], methodCodes: &methodCodes}
		at := slices.IndexFunc(fills, func(f columnFill[T]) bool { return f.name == c.column.Spec.Name })
		if at < 0 {
			panic(fmt.Sprintf("table %s: nothing fills %s", t.Name, c.column.Spec.Name))
		}
		for c.row = range of {
			fills[at].fill(&c, of[c.row])
		}
	}
	return b
}

// cell is a column of a row. A fill of a nullable column that writes nothing leaves
// it null.
type cell struct {
	x      *index.Index
	batch  *columns.Batch
	column *columns.Column
	row    int

	reserved bool
	last     struct { // text that was written
		text string
		code uint32
		any  bool
	}
	// Adjacent rows often share a process, a module and a kind.
	process  processAnswer
	path     struct{ path, dos string }
	lastList struct {
		of    uint64
		codes []uint32
		any   bool
	}
	methodCodes *[]uint32 // of the batch, by number of a text of methods: the code plus 1; see methodText
}

// value returns the column, ready for a value.
func (c *cell) value() *columns.Column {
	if !c.reserved { // the column has a value now
		reserve(c.column, c.batch.Rows-c.row)
		c.reserved = true
	}
	if c.column.Spec.Nullable {
		return c.column.At(c.row)
	}
	return c.column
}

// reserve makes room for values of rows, except for elements and bytes: their number is unknown.
func reserve(c *columns.Column, rows int) {
	switch {
	case c.Spec.List:
		c.Lists = slices.Grow(c.Lists, rows)
	case c.Spec.Type == schema.Int32:
		c.Small = slices.Grow(c.Small, rows)
	case c.Spec.Type == schema.Boolean:
		c.Bools = slices.Grow(c.Bools, rows)
	case c.Spec.Type == schema.String && c.Spec.Encoding == schema.Varied:
		c.Ends = slices.Grow(c.Ends, rows)
	case c.Spec.Type == schema.String:
		c.Codes = slices.Grow(c.Codes, rows)
	case c.Spec.Type == schema.Int64 || c.Spec.Type == schema.Uint64 || c.Spec.Type == schema.Timestamp:
		c.Ints = slices.Grow(c.Ints, rows)
	}
}

func (c *cell) int(v int64) {
	if c.column.Spec.Type == schema.Int32 {
		c.value().Int32(int32(v))
		return
	}
	c.value().Int64(v)
}

// intIf writes a number, or null if it is unknown.
func (c *cell) intIf(v int64, known bool) {
	if known {
		c.int(v)
	}
}

// place writes a number, or null if it is negative.
func (c *cell) place(v int64) { c.intIf(v, v >= 0) }

// address writes an address, or null for 0.
func (c *cell) address(v uint64) { c.intIf(int64(v), v != 0) }

func (c *cell) text(v string) {
	if c.column.Spec.Encoding == schema.Varied {
		c.value().Blob([]byte(v))
		return
	}
	if last := &c.last; !last.any || last.text != v { // adjacent rows often share a process or module
		last.text, last.code, last.any = v, c.batch.Texts.Text(v), true
	}
	c.value().Code(c.last.code)
}

// known writes a text, or null if it is empty.
func (c *cell) known(v string) { c.textUnless(v, v == "") }

// textUnless writes a text, or null if null is true.
func (c *cell) textUnless(v string, null bool) {
	if !null {
		c.text(v)
	}
}

// guid writes a GUID, or null if it is zero.
func (c *cell) guid(id schema.GUID) { c.textUnless(id.String(), id.IsZero()) }

func (c *cell) bool(v bool) { c.value().Bool(v) }

func (c *cell) texts(list []string) {
	column := c.value()
	for _, v := range list {
		column.Code(c.batch.Texts.Text(v))
	}
	column.EndList()
}

// listOf writes a list of texts that depends only on a number.
func (c *cell) listOf(number uint64, list func() []string) {
	if last := &c.lastList; !last.any || last.of != number {
		last.of, last.any, last.codes = number, true, last.codes[:0]
		for _, v := range list() {
			last.codes = append(last.codes, c.batch.Texts.Text(v))
		}
	}
	column := c.value()
	column.Codes = append(column.Codes, c.lastList.codes...)
	column.EndList()
}

// dosPath returns a path in the form that programs use.
func (c *cell) dosPath(path string) string {
	if c.path.path != path {
		c.path.path, c.path.dos = path, c.x.Tables().DOSPath(path)
	}
	return c.path.dos
}

func (c *cell) ints(list []int) {
	column := c.value()
	for _, v := range list {
		column.Int32(int32(v))
	}
	column.EndList()
}

// filetime writes a FILETIME, or null for 0 and other times that cannot be.
func (c *cell) filetime(v int64) {
	if ns, ok := decode.FiletimeTime(v); ok {
		c.int(columns.Micros(ns))
	}
}

// filetimeNS writes a FILETIME in ns, or null as filetime does.
func (c *cell) filetimeNS(v int64) {
	if ns, ok := decode.FiletimeTime(v); ok {
		c.int(ns)
	}
}

// time writes a time, or null if it is unknown or cannot be. Columns without nulls are of events, whose
// places in the order are times that can be.
func (c *cell) time(t decode.Ticks, known bool) {
	if ns, ok := c.x.Clock.Time(t); known && (ok || !c.column.Spec.Nullable) {
		c.int(columns.Micros(ns))
	}
}

// nano writes a time in ns, or null as time does.
func (c *cell) nano(t decode.Ticks, known bool) {
	if ns, ok := c.x.Clock.Time(t); known && (ok || !c.column.Spec.Nullable) {
		c.int(ns)
	}
}
