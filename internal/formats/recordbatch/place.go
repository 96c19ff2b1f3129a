package recordbatch

import "github.com/etl2parquet/etl2parquet/internal/engine/columns"

// place says where in an array the rows of a column are or, once the nulls are known, its values. A
// member has no row if its struct is null.
type place struct {
	length int      // of the array, in slots
	full   bool     // adjacent, in all slots
	slots  []uint32 // if not full: the slot of each, ascending
}

// nulls returns how many slots are empty.
func (p place) nulls() int {
	if p.full {
		return 0
	}
	return p.length - len(p.slots)
}

// slot returns the slot of a row.
func (p *place) slot(row int) uint32 {
	if p.full {
		return uint32(row)
	}
	return p.slots[row]
}

// values returns the place of a column's values, given that of its rows. It is valid until the
// stack shrinks.
func (a *arrays) values(c *columns.Column, rows place) place {
	n := c.Values()
	switch {
	case n == rows.length:
		return place{length: n, full: true}
	case !rows.full && n == len(rows.slots): // as for every required column
		return rows
	}
	slots := columns.More(&a.stack, n)
	all, list := c.Valid.Rows()
	for row := range all {
		slots[row] = rows.slot(row)
	}
	at := all
	for row, valid := range list {
		slots[at] = rows.slot(row)
		at += one(valid)
	}
	return place{length: rows.length, slots: slots}
}

// one returns 1 for true, without a branch, which could be mispredicted.
func one(b bool) int {
	n := 0
	if b {
		n = 1
	}
	return n
}
