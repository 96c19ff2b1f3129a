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
		for _, it := range f.items.Of[decode.ItemSID] {
			f.text = decode.AppendSID(f.text[:0], it.Data)
			c.At(it.Row).Code(f.batch.Texts.Blob(f.text))
		}
	}},
	{name: "terminal_session_id", needs: needsItems, fill: fillUint32s(decode.ItemTerminalSessionID, 0)},
	{name: "instance_id", needs: needsItems, fill: fillUint32s(decode.ItemInstanceInfo, 0)},
	{name: "parent_instance_id", needs: needsItems, fill: fillUint32s(decode.ItemInstanceInfo, 4)},
	{name: "parent_guid", needs: needsItems, fill: fillGUIDs(decode.ItemInstanceInfo, 8)},
	{name: "stack_match_id", needs: needsItems, fill: fillUint64s(decode.ItemStackTrace32, 0)},
	{name: "stack", needs: needsItems, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.Of[decode.ItemStackTrace32] {
			if it.Kind == decode.ItemStackTrace32 {
				list32(c.At(it.Row), it.Data[8:])
			} else {
				list64(c.At(it.Row), it.Data[8:])
			}
		}
	}},
	{name: "pebs_index", needs: needsItems, fill: fillUint64s(decode.ItemPEBSIndex, 0)},
	{name: "pmc_counters", needs: needsItems, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.Of[decode.ItemPMCCounters] {
			list64(c.At(it.Row), it.Data)
		}
	}},
	{name: "pmc_names", needs: needsItems, fill: func(f *filling, c *columns.Column, first int, rows []*row) {
		for _, it := range f.items.Of[decode.ItemPMCCounters] {
			f.counterNames(c, it.Row, rows[it.Row-first].Time, len(it.Data)/8)
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
		for _, it := range f.items.Of[decode.ItemContainerID] {
			c.At(it.Row).Code(f.batch.Texts.Text(decode.ContainerID(it.Data)))
		}
	}},
	{name: "stack_key_match_id", needs: needsItems, fill: fillUint64s(decode.ItemStackKey32, 0)},
	{name: "stack_key", needs: needsItems, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.Of[decode.ItemStackKey32] {
			if it.Kind == decode.ItemStackKey32 {
				c.At(it.Row).Uint64(uint64(binary.LittleEndian.Uint32(it.Data[8:])))
			} else {
				c.At(it.Row).Uint64(binary.LittleEndian.Uint64(it.Data[8:]))
			}
		}
	}},
	{name: "extended_rest", needs: needsItems, fill: func(f *filling, c *columns.Column, _ int, _ []*row) {
		rest := f.items.Rest
		for i, it := range rest {
			if i == 0 || rest[i-1].Row != it.Row {
				c.At(it.Row)
			}
			c.Bytes = append(c.Bytes, it.Data...)
			if i+1 == len(rest) || rest[i+1].Row != it.Row {
				c.Blob(nil)
			}
		}
	}},
}

type itemFill = func(f *filling, c *columns.Column, first int, rows []*row)

func fillGUIDs(t decode.ItemType, at int) itemFill {
	return func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.Of[t] {
			c.At(it.Row).Code(f.batch.Texts.GUID(schema.GUID(it.Data[at : at+16])))
		}
	}
}

func fillUint32s(t decode.ItemType, at int) itemFill {
	return func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.Of[t] {
			c.At(it.Row).Int64(int64(binary.LittleEndian.Uint32(it.Data[at:])))
		}
	}
}

func fillUint64s(t decode.ItemType, at int) itemFill {
	return func(f *filling, c *columns.Column, _ int, _ []*row) {
		for _, it := range f.items.Of[t] {
			c.At(it.Row).Uint64(binary.LittleEndian.Uint64(it.Data[at:]))
		}
	}
}

// fillBlobs fills a column that is in many events or in none.
func fillBlobs(t decode.ItemType) itemFill {
	return func(f *filling, c *columns.Column, first int, rows []*row) {
		if len(f.items.Of[t]) == 0 {
			return
		}
		codes := f.room(len(rows))
		for i := range codes {
			codes[i] = columns.None
		}
		for _, it := range f.items.Of[t] {
			codes[it.Row-first] = int64(f.batch.Texts.Blob(it.Data))
		}
		c.CodesAt(first, codes)
	}
}

// findItems reads the items of a block's rows.
func (f *filling) findItems(first int, rows []*row) {
	f.items.Reset()
	for i, r := range rows {
		if h := r.Header(); h.Flags()&decode.EventFlagExtended != 0 {
			items := h.Items()
			f.items.Add(first+i, &items)
		}
	}
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
