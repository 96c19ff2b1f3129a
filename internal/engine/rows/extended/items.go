// Package extended gathers the extended items of many events, so that each column finds
// its own.
package extended

import "github.com/etl2parquet/etl2parquet/decode"

// types bounds the types that have a column.
const types = decode.ItemStackKey64 + 1

// Items are the extended items of a block's rows, in the order of rows.
type Items struct {
	Of   [types][]Item // by the first of the types that share a column
	Rest []Item        // whole, with their headers: those without a column

	any bool
}

// Item is an extended item of a row.
type Item struct {
	Data []byte
	Row  int
	Kind decode.ItemType
}

// None reports whether there are no items.
func (b *Items) None() bool { return !b.any }

// Reset removes all items.
func (b *Items) Reset() {
	for i := range b.Of {
		b.Of[i] = b.Of[i][:0]
	}
	b.Rest, b.any = b.Rest[:0], false
}

// Add adds the items of an event. An item has no column if its type has none, if its data
// do not fit the type, or if an earlier item of the event has it.
func (b *Items) Add(row int, items *decode.Items) {
	seen := uint32(0) // a bit per place
	for items.Next() {
		b.any = true
		place := placeOf(items.Type)
		if items.Type >= types || items.Type == 0 || !items.Type.Fits(items.Data) || seen&(1<<place) != 0 {
			b.Rest = append(b.Rest, Item{items.Raw(), row, items.Type})
			continue
		}
		seen |= 1 << place
		b.Of[place] = append(b.Of[place], Item{items.Data, row, items.Type})
	}
}

// placeOf returns the first of the types that share a column.
func placeOf(t decode.ItemType) decode.ItemType {
	switch t {
	case decode.ItemStackTrace64:
		return decode.ItemStackTrace32
	case decode.ItemStackKey64:
		return decode.ItemStackKey32
	}
	return t
}
