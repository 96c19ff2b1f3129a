package rows

import "github.com/etl2parquet/etl2parquet/decode"

// itemTypes bounds the types that have a column.
const itemTypes = decode.ItemStackKey64 + 1

// extendedItems are the extended items of a block's rows, in the order of rows, grouped so that
// each column finds its own.
type extendedItems struct {
	of   [itemTypes][]extendedItem // by the first of the types that share a column
	rest []extendedItem            // complete, with their headers: those without a column

	any bool
}

// extendedItem is an extended item of a row.
type extendedItem struct {
	data []byte
	row  int
	kind decode.ItemType
}

// none reports whether there are no items.
func (b *extendedItems) none() bool { return !b.any }

// reset removes all items.
func (b *extendedItems) reset() {
	for i := range b.of {
		b.of[i] = b.of[i][:0]
	}
	b.rest, b.any = b.rest[:0], false
}

// add adds the items of an event. An item goes to rest if its type has no column, if its data does
// not fit the type, or if an earlier item of the event has taken the column.
func (b *extendedItems) add(row int, items *decode.Items) {
	seen := uint32(0) // a bit per place
	for items.Next() {
		b.any = true
		place := itemPlace(items.Type)
		if items.Type >= itemTypes || items.Type == 0 || !items.Type.Fits(items.Data) || seen&(1<<place) != 0 {
			b.rest = append(b.rest, extendedItem{items.Raw(), row, items.Type})
			continue
		}
		seen |= 1 << place
		b.of[place] = append(b.of[place], extendedItem{items.Data, row, items.Type})
	}
}

// itemPlace returns the first of the types that share a column.
func itemPlace(t decode.ItemType) decode.ItemType {
	switch t {
	case decode.ItemStackTrace64:
		return decode.ItemStackTrace32
	case decode.ItemStackKey64:
		return decode.ItemStackKey32
	}
	return t
}
