package rows

import (
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// itemFills fill the columns of the extended items of an EVENT_HEADER.
var itemFills = []columnFill{
	{name: "related_activity_id", needs: needsItems, fill: fillGUIDs(decode.ItemRelatedActivityID, 0)},
	{name: "user_sid", needs: needsItems, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.of[decode.ItemSID] {
			f.items.text = decode.AppendSID(f.items.text[:0], it.data)
			c.At(it.row).Code(f.batch.Texts.Blob(f.items.text))
		}
	}},
	{name: "terminal_session_id", needs: needsItems, fill: fillUint32s(decode.ItemTerminalSessionID, 0)},
	{name: "instance_id", needs: needsItems, fill: fillUint32s(decode.ItemInstanceInfo, 0)},
	{name: "parent_instance_id", needs: needsItems, fill: fillUint32s(decode.ItemInstanceInfo, 4)},
	{name: "parent_guid", needs: needsItems, fill: fillGUIDs(decode.ItemInstanceInfo, 8)},
	{name: "stack_match_id", needs: needsItems, fill: fillUint64s(decode.ItemStackTrace32, 0)},
	{name: "stack", needs: needsItems, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.of[decode.ItemStackTrace32] {
			if it.kind == decode.ItemStackTrace32 {
				list32(c.At(it.row), it.data[8:])
			} else {
				list64(c.At(it.row), it.data[8:])
			}
		}
	}},
	{name: "pebs_index", needs: needsItems, fill: fillUint64s(decode.ItemPEBSIndex, 0)},
	{name: "pmc_counters", needs: needsItems, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.of[decode.ItemPMCCounters] {
			list64(c.At(it.row), it.data)
		}
	}},
	{name: "pmc_names", needs: needsItems, fill: func(f *filling, c *columns.Column, first int, rows []*row) {
		for _, it := range f.items.of[decode.ItemPMCCounters] {
			f.counterNames(c, it.row, rows[it.row-first].Time, len(it.data)/8)
		}
	}},
	{name: "psm_key", needs: needsItems, fill: fillBlobs(decode.ItemPSMKey)},
	{name: "event_key", needs: needsItems, fill: fillUint64s(decode.ItemEventKey, 0)},
	{name: "tracelogging_schema", needs: needsItems, fill: fillBlobs(decode.ItemSchemaTL)},
	{name: "provider_traits", needs: needsItems, fill: fillBlobs(decode.ItemProviderTraits)},
	{name: "process_start_key", needs: needsItems, fill: fillUint64s(decode.ItemProcessStartKey, 0)},
	{name: "control_guid", needs: needsItems, fill: fillGUIDs(decode.ItemControlGUID, 0)},
	{name: "qpc_delta", needs: needsItems, fill: fillUint64s(decode.ItemQPCDelta, 0)},
	{name: "container_id", needs: needsItems, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.of[decode.ItemContainerID] {
			c.At(it.row).Code(f.batch.Texts.Text(decode.ContainerID(it.data)))
		}
	}},
	{name: "stack_key_match_id", needs: needsItems, fill: fillUint64s(decode.ItemStackKey32, 0)},
	{name: "stack_key", needs: needsItems, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.of[decode.ItemStackKey32] {
			if it.kind == decode.ItemStackKey32 {
				c.At(it.row).Uint64(uint64(binary.LittleEndian.Uint32(it.data[8:])))
			} else {
				c.At(it.row).Uint64(binary.LittleEndian.Uint64(it.data[8:]))
			}
		}
	}},
	{name: "extended_rest", needs: needsItems, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		rest := f.items.rest
		for i, it := range rest {
			if i == 0 || rest[i-1].row != it.row {
				c.At(it.row)
			}
			c.Bytes = append(c.Bytes, it.data...)
			if i+1 == len(rest) || rest[i+1].row != it.row {
				c.Blob(nil)
			}
		}
	}},
}

type itemFill = func(f *filling, c *columns.Column, first int, rows []*row)

func fillGUIDs(t decode.ItemType, at int) itemFill {
	return func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.of[t] {
			c.At(it.row).Code(f.batch.Texts.GUID(schema.GUID(it.data[at : at+16])))
		}
	}
}

func fillUint32s(t decode.ItemType, at int) itemFill {
	return func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.of[t] {
			c.At(it.row).Int64(int64(binary.LittleEndian.Uint32(it.data[at:])))
		}
	}
}

func fillUint64s(t decode.ItemType, at int) itemFill {
	return func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.of[t] {
			c.At(it.row).Uint64(binary.LittleEndian.Uint64(it.data[at:]))
		}
	}
}

// fillBlobs fills a column that is in many events or in none.
func fillBlobs(t decode.ItemType) itemFill {
	return func(f *filling, c *columns.Column, first int, rows []*row) {
		if len(f.items.of[t]) == 0 {
			return
		}
		codes := f.room(len(rows))
		for i := range codes {
			codes[i] = columns.None
		}
		for _, it := range f.items.of[t] {
			codes[it.row-first] = int64(f.batch.Texts.Blob(it.data))
		}
		c.CodesAt(first, codes)
	}
}

// itemTypes bounds the types that have a column.
const itemTypes = decode.ItemStackKey64 + 1

// blockItems is the extended items of a block's rows, in the order of rows. They
// are read once for all columns.
type blockItems struct {
	of   [itemTypes][]rowItem // by place, see placeOfItem
	rest []rowItem            // whole, with their headers: those without a column
	text []byte               // of one item
}

// rowItem is an extended item of a row.
type rowItem struct {
	data []byte
	row  int
	kind decode.ItemType
}

// load reads the items of rows.
func (b *blockItems) load(first int, rows []*row) {
	for i := range b.of {
		b.of[i] = b.of[i][:0]
	}
	b.rest = b.rest[:0]
	for i, r := range rows {
		if h := r.Header(); h.Flags()&decode.EventFlagExtended != 0 {
			items := h.Items()
			b.add(first+i, &items)
		}
	}
}

// add adds the items of an event. An item has no column if its type has none, if
// its data do not fit the type, or if an earlier item of the event has it.
func (b *blockItems) add(row int, items *decode.Items) {
	seen := uint32(0) // a bit per place
	for items.Next() {
		place := placeOfItem(items.Type)
		if items.Type >= itemTypes || items.Type == 0 || !items.Type.Fits(items.Data) || seen&(1<<place) != 0 {
			b.rest = append(b.rest, rowItem{items.Raw(), row, items.Type})
			continue
		}
		seen |= 1 << place
		b.of[place] = append(b.of[place], rowItem{items.Data, row, items.Type})
	}
}

// placeOfItem returns the first of the types that share a column.
func placeOfItem(t decode.ItemType) decode.ItemType {
	switch t {
	case decode.ItemStackTrace64:
		return decode.ItemStackTrace32
	case decode.ItemStackKey64:
		return decode.ItemStackKey32
	}
	return t
}

func list32(c *columns.Column, data []byte) {
	for ; len(data) >= 4; data = data[4:] {
		c.Uint64(uint64(binary.LittleEndian.Uint32(data)))
	}
	c.EndList()
}

func list64(c *columns.Column, data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		c.Uint64(binary.LittleEndian.Uint64(data))
	}
	c.EndList()
}
