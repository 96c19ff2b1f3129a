package rows

import (
	"bytes"
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// itemFills fill the columns of the extended items of an EVENT_HEADER, except relatedFills.
var itemFills = []columnFill{
	{name: "user_sid", needs: needsItems, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.block.items.of[decode.ItemSID] {
			f.text = decode.AppendSID(f.text[:0], it.data)
			c.At(f.rowAt[it.row]).Code(f.batch.Texts.Blob(f.text))
		}
	}},
	{name: "terminal_session_id", needs: needsItems, fill: fillUint32s(decode.ItemTerminalSessionID, 0)},
	{name: "instance_id", needs: needsItems, fill: fillUint32s(decode.ItemInstanceInfo, 0)},
	{name: "parent_instance_id", needs: needsItems, fill: fillUint32s(decode.ItemInstanceInfo, 4)},
	{name: "parent_guid", needs: needsItems, fill: fillGUIDs(decode.ItemInstanceInfo, 8)},
	{name: "stack_match_id", needs: needsItems, fill: fillUint64s(decode.ItemStackTrace32, 0)},
	{name: "stack", needs: needsItems, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.block.items.of[decode.ItemStackTrace32] {
			if it.kind == decode.ItemStackTrace32 {
				appendList32(c.At(f.rowAt[it.row]), it.data[8:])
			} else {
				appendList64(c.At(f.rowAt[it.row]), it.data[8:])
			}
		}
	}},
	{name: "pebs_index", needs: needsItems, fill: fillUint64s(decode.ItemPEBSIndex, 0)},
	{name: "pmc_counters", needs: needsItems, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.block.items.of[decode.ItemPMCCounters] {
			appendList64(c.At(f.rowAt[it.row]), it.data)
		}
	}},
	{name: "pmc_names", needs: needsItems, fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		for _, it := range f.block.items.of[decode.ItemPMCCounters] {
			f.names.append(f.batch, c, f.rowAt[it.row], rows[f.rowAt[it.row]-first].Time, len(it.data)/8)
		}
	}},
	{name: "psm_key", needs: needsItems, fill: fillBlobs(decode.ItemPSMKey, notListed)},
	{name: "event_key", needs: needsItems, fill: fillUint64s(decode.ItemEventKey, 0)},
	{name: "tracelogging_schema", needs: needsItems | needsKindTexts, fill: fillBlobs(decode.ItemSchemaTL, listedMetadata)},
	{name: "event_tags", fill: func(_ *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if r.Schema != nil && r.Schema.Tags != 0 {
				c.At(first + i).Int32(int32(r.Schema.Tags))
			}
		}
	}},
	{name: "provider_traits", needs: needsItems, fill: fillBlobs(decode.ItemProviderTraits, listedTraits)},
	{name: "process_start_key", needs: needsItems, fill: fillUint64s(decode.ItemProcessStartKey, 0)},
	{name: "control_guid", needs: needsItems, fill: fillGUIDs(decode.ItemControlGUID, 0)},
	{name: "qpc_delta", needs: needsItems, fill: fillUint64s(decode.ItemQPCDelta, 0)},
	{name: "container_id", needs: needsItems, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.block.items.of[decode.ItemContainerID] {
			c.At(f.rowAt[it.row]).Code(f.batch.Texts.Text(decode.ContainerID(it.data)))
		}
	}},
	{name: "stack_key_match_id", needs: needsItems, fill: fillUint64s(decode.ItemStackKey32, 0)},
	{name: "stack_key", needs: needsItems, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.block.items.of[decode.ItemStackKey32] {
			if it.kind == decode.ItemStackKey32 {
				c.At(f.rowAt[it.row]).Uint64(uint64(binary.LittleEndian.Uint32(it.data[8:])))
			} else {
				c.At(f.rowAt[it.row]).Uint64(binary.LittleEndian.Uint64(it.data[8:]))
			}
		}
	}},
	{name: "extended_rest", needs: needsItems, fill: func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		rest := f.block.items.rest
		for i, it := range rest {
			if i == 0 || rest[i-1].row != it.row {
				c.At(f.rowAt[it.row])
			}
			c.Bytes = append(c.Bytes, it.data...)
			if i+1 == len(rest) || rest[i+1].row != it.row {
				c.Blob(nil)
			}
		}
	}},
}

type itemFill = func(f *batchBuilder, c *columns.Column, first int, rows []*row)

func fillGUIDs(t decode.ItemType, at int) itemFill {
	return func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.block.items.of[t] {
			c.At(f.rowAt[it.row]).Code(f.batch.Texts.GUID(schema.GUID(it.data[at : at+16])))
		}
	}
}

func fillUint32s(t decode.ItemType, at int) itemFill {
	return func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.block.items.of[t] {
			c.At(f.rowAt[it.row]).Int64(int64(binary.LittleEndian.Uint32(it.data[at:])))
		}
	}
}

func fillUint64s(t decode.ItemType, at int) itemFill {
	return func(f *batchBuilder, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.block.items.of[t] {
			c.At(f.rowAt[it.row]).Uint64(binary.LittleEndian.Uint64(it.data[at:]))
		}
	}
}

// fillBlobs fills a column that either many events have or none.
func fillBlobs(t decode.ItemType, listed listedItem) itemFill {
	return func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		if len(f.block.items.of[t]) == 0 && f.block.listed == 0 {
			return
		}
		codes := f.room(len(rows))
		for i := range codes {
			codes[i] = columns.None
			if f.block.listed > 0 && rows[i].items > 0 {
				codes[i] = f.listCodes(rows[i])[listed]
			}
		}
		var last []byte // most rows have the data of the row before
		code := int64(columns.None)
		for _, it := range f.block.items.of[t] {
			at := f.rowAt[it.row] - first
			switch {
			case t == decode.ItemSchemaTL && rows[at].key.Meta > 0: // all events of the kind share these
				if f.shared[at].metadata == columns.None {
					f.shared[at].metadata = int64(f.batch.Texts.Blob(it.data))
				}
				codes[at] = f.shared[at].metadata
			case code != columns.None && bytes.Equal(it.data, last):
				codes[at] = code
			default:
				last, code = it.data, int64(f.batch.Texts.Blob(it.data))
				codes[at] = code
			}
		}
		c.CodesAt(first, codes)
	}
}

// listedItem is an extended item that can be in a numbered list; see catalog.Finder.
type listedItem int

const (
	notListed listedItem = iota
	listedMetadata
	listedTraits
	listedItems
)

// listCodes are the codes, in a batch, of the items of a list, or None.
type listCodes struct {
	known bool
	of    [listedItems]int64
}

// listCodes returns the codes of an event's list of items.
func (f *batchBuilder) listCodes(r *row) *[listedItems]int64 {
	if n := int(r.items) + 1 - len(f.lists); n > 0 {
		f.lists = append(f.lists, make([]listCodes, n)...)
	}
	c := &f.lists[r.items]
	if !c.known {
		*c = listCodes{true, [listedItems]int64{columns.None, columns.None, columns.None}}
		for items := r.Header().Items(); items.Next(); {
			listed := listedTraits
			if items.Type == decode.ItemSchemaTL {
				listed = listedMetadata
			}
			c.of[listed] = int64(f.batch.Texts.Blob(items.Data))
		}
	}
	return &c.of
}

// findItems finds the rows of the events that have items. An event in another table has no row.
func (f *batchBuilder) findItems(first int) {
	if f.block.items.none() {
		return
	}
	if f.rowAt == nil { // most tables have no items
		f.rowAt = new([BlockRows]int)
	}
	for i := range f.rowAt {
		f.rowAt[i] = -1
	}
	for i, place := range f.places {
		f.rowAt[place] = first + i
	}
}
