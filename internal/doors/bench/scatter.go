package bench

import "github.com/etl2parquet/etl2parquet/internal/engine/columns"

// copier is memory for copies of columns, used again for each.
type copier struct {
	valid []bool
	ints  []int64
	small []int32
	bools []bool
	float []float32
	reals []float64
	codes []uint32
	bytes []byte
}

// scatter copies the values of all columns of a row group, one by one: a load and a store for
// each value, into memory that is there. Filling columns cannot cost less. Texts and bytes
// are copied as a whole.
func (h *held) scatter(g *group) error {
	c := <-h.copies
	defer func() { h.copies <- c }()
	for _, b := range g.batches {
		for i := range b.Columns {
			c.column(&b.Columns[i])
		}
		for code := range uint32(b.Texts.Len()) {
			c.bytes = append(c.bytes[:0], b.Texts.At(code)...)
		}
	}
	return nil
}

func (c *copier) column(from *columns.Column) {
	_, valid := from.Valid.Rows()
	each(&c.valid, valid)
	each(&c.ints, from.Ints)
	each(&c.small, from.Small)
	each(&c.bools, from.Bools)
	each(&c.float, from.Floats)
	each(&c.reals, from.Reals)
	each(&c.codes, from.Codes)
	each(&c.codes, from.Ends)
	each(&c.codes, from.Lists)
	c.bytes = append(c.bytes[:0], from.Bytes...)
	for i := range from.Members {
		c.column(&from.Members[i])
	}
}

// each copies values one by one.
func each[T any](to *[]T, from []T) {
	if cap(*to) < len(from) {
		*to = make([]T, len(from))
	}
	room := (*to)[:len(from)]
	//lint:ignore S1001 one value at a time is what is measured
	for i, v := range from {
		room[i] = v
	}
}
