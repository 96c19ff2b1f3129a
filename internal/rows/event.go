package rows

import (
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// eventRows fills event_header.
type eventRows struct {
	common
	times                                                              timeColumns
	id, version, channel, level, opcode, task, keyword, activity       *columns.Column
	flags, property                                                    *columns.Column
	items                                                              [len(itemColumns)]*columns.Column // by item type
	instanceID, parentID, parentGUID, stackMatch, stackKeyMatch, other *columns.Column
	names                                                              counterNames

	text []byte // of the current value
	seen uint32 // a bit per item type of the current event
}

// itemColumns names the column of each extended item, or of its main part.
var itemColumns = [...]string{
	decode.ItemRelatedActivityID: "related_activity_id",
	decode.ItemSID:               "user_sid",
	decode.ItemTerminalSessionID: "terminal_session_id",
	decode.ItemInstanceInfo:      "instance_id",
	decode.ItemStackTrace32:      "stack",
	decode.ItemStackTrace64:      "stack",
	decode.ItemPEBSIndex:         "pebs_index",
	decode.ItemPMCCounters:       "pmc_counters",
	decode.ItemPSMKey:            "psm_key",
	decode.ItemEventKey:          "event_key",
	decode.ItemSchemaTL:          "tracelogging_schema",
	decode.ItemProviderTraits:    "provider_traits",
	decode.ItemProcessStartKey:   "process_start_key",
	decode.ItemControlGUID:       "control_guid",
	decode.ItemQPCDelta:          "qpc_delta",
	decode.ItemContainerID:       "container_id",
	decode.ItemStackKey32:        "stack_key",
	decode.ItemStackKey64:        "stack_key",
}

func newEventRows(t *schema.Table, ctx *Context) *eventRows {
	c := newCommon(t, ctx)
	b := c.batch
	e := &eventRows{
		common: c, times: newTimeColumns(b),
		id: b.Column("event_id"), version: b.Column("event_version"), channel: b.Column("channel"),
		level: b.Column("level"), opcode: b.Column("opcode"), task: b.Column("task"), keyword: b.Column("keyword"),
		activity: b.Column("activity_id"), flags: b.Column("event_flags"), property: b.Column("event_property"),
		instanceID: b.Column("instance_id"), parentID: b.Column("parent_instance_id"), parentGUID: b.Column("parent_guid"),
		stackMatch: b.Column("stack_match_id"), stackKeyMatch: b.Column("stack_key_match_id"), other: b.Column("extended_rest"),
		names: newCounterNames(b, ctx),
	}
	for item, name := range itemColumns {
		if name != "" {
			e.items[item] = b.Column(name)
		}
	}
	return e
}

func (e *eventRows) start() *common { return &e.common }

func (e *eventRows) fill(rows []*row) {
	first := e.append(rows)
	if first == 0 { // a batch begins
		e.names.begin()
	}
	e.descriptors(rows)
	e.times.fill(first, rows, e.ctx.private)
	for i, r := range rows {
		h := r.Header()
		e.provider(first+i, h.ProviderID())
		if id := h.ActivityID(); !id.IsZero() {
			e.activity.At(first + i).Code(e.batch.Texts.GUID(id))
		}
		if h.Flags()&decode.EventFlagExtended != 0 {
			items := h.Items()
			e.extended(first+i, r.Time, &items)
		}
	}
	e.finish(first, rows)
}

// descriptors appends what is in all headers.
func (e *eventRows) descriptors(rows []*row) {
	n := len(rows)
	ids, versions, channels := columns.More(&e.id.Small, n), columns.More(&e.version.Small, n), columns.More(&e.channel.Small, n)
	for i, r := range rows {
		d := r.Header().Descriptor()
		ids[i], versions[i], channels[i] = int32(d.ID), int32(d.Version), int32(d.Channel)
	}
	levels, opcodes, tasks, keywords := columns.More(&e.level.Small, n), columns.More(&e.opcode.Small, n), columns.More(&e.task.Small, n), columns.More(&e.keyword.Ints, n)
	for i, r := range rows {
		d := r.Header().Descriptor()
		levels[i], opcodes[i], tasks[i], keywords[i] = int32(d.Level), int32(d.Opcode), int32(d.Task), int64(d.Keyword)
	}
	flags, properties := columns.More(&e.flags.Small, n), columns.More(&e.property.Small, n)
	for i, r := range rows {
		h := r.Header()
		flags[i], properties[i] = int32(h.Flags()), int32(h.Property())
	}
}

// extended fills the columns of the extended items, and walks to their end.
func (e *eventRows) extended(row int, t decode.Ticks, items *decode.Items) {
	e.seen = 0
	rest := 0
	for items.Next() {
		if e.item(row, t, items) {
			continue
		}
		if rest == 0 {
			e.other.At(row)
		}
		rest++
		e.other.Bytes = append(e.other.Bytes, items.Raw()...)
	}
	if rest > 0 {
		e.other.Blob(nil)
	}
}

// item fills the column of one item; it reports false if there is none, or if
// the data do not fit it, or an earlier item of the event has taken it.
func (e *eventRows) item(row int, at decode.Ticks, items *decode.Items) bool {
	t, data := items.Type, items.Data
	if int(t) >= len(e.items) || e.items[t] == nil || !fits(t, data) || e.seen&e.bit(t) != 0 {
		return false
	}
	le := binary.LittleEndian
	c := e.items[t]
	switch t {
	case decode.ItemRelatedActivityID, decode.ItemControlGUID:
		c.At(row).Code(e.batch.Texts.GUID(schema.GUID(data)))
	case decode.ItemSID:
		c.At(row).Code(e.sid(data))
	case decode.ItemContainerID:
		c.At(row).Code(e.batch.Texts.Text(containerText(data)))
	case decode.ItemTerminalSessionID:
		c.At(row).Int64(int64(le.Uint32(data)))
	case decode.ItemInstanceInfo:
		e.instanceID.At(row).Int64(int64(le.Uint32(data)))
		e.parentID.At(row).Int64(int64(le.Uint32(data[4:])))
		e.parentGUID.At(row).Code(e.batch.Texts.GUID(schema.GUID(data[8:24])))
	case decode.ItemStackTrace32:
		e.stackMatch.At(row).Uint64(le.Uint64(data))
		list32(c.At(row), data[8:])
	case decode.ItemStackTrace64:
		e.stackMatch.At(row).Uint64(le.Uint64(data))
		list64(c.At(row), data[8:])
	case decode.ItemPMCCounters:
		list64(c.At(row), data)
		e.names.fill(&e.common, row, at, len(data)/8)
	case decode.ItemStackKey32:
		e.stackKeyMatch.At(row).Uint64(le.Uint64(data))
		c.At(row).Uint64(uint64(le.Uint32(data[8:])))
	case decode.ItemStackKey64:
		e.stackKeyMatch.At(row).Uint64(le.Uint64(data))
		c.At(row).Uint64(le.Uint64(data[8:]))
	case decode.ItemPSMKey, decode.ItemSchemaTL, decode.ItemProviderTraits:
		c.At(row).Code(e.batch.Texts.Blob(data))
	default: // PEBS index, event key, process start key, QPC delta
		c.At(row).Uint64(le.Uint64(data))
	}
	e.seen |= e.bit(t)
	return true
}

// sid returns the code of a SID's text.
func (e *eventRows) sid(data []byte) uint32 {
	e.text = decode.AppendSID(e.text[:0], data)
	return e.batch.Texts.Blob(e.text)
}

// bit is shared by the types that share a column.
func (e *eventRows) bit(t decode.ItemType) uint32 {
	switch t {
	case decode.ItemStackTrace64:
		t = decode.ItemStackTrace32
	case decode.ItemStackKey64:
		t = decode.ItemStackKey32
	}
	return 1 << t
}

// fits reports whether the data of an item have a size its type can have.
func fits(t decode.ItemType, data []byte) bool {
	n := len(data)
	switch t {
	case decode.ItemRelatedActivityID, decode.ItemControlGUID:
		return n == 16
	case decode.ItemSID:
		return n >= 8 && data[0] == 1 && n >= 8+4*int(data[1]) && allZero(data[8+4*int(data[1]):])
	case decode.ItemTerminalSessionID:
		return n == 4
	case decode.ItemInstanceInfo:
		return n == 24
	case decode.ItemStackTrace32:
		return n >= 8 && n%4 == 0
	case decode.ItemStackTrace64:
		return n >= 8 && n%8 == 0
	case decode.ItemPMCCounters:
		return n%8 == 0
	case decode.ItemPEBSIndex, decode.ItemEventKey, decode.ItemProcessStartKey, decode.ItemQPCDelta:
		return n == 8
	case decode.ItemStackKey32:
		return n == 12 || n == 16
	case decode.ItemStackKey64:
		return n == 16
	}
	return true
}

// allZero reports whether data are padding.
func allZero(data []byte) bool {
	for _, b := range data {
		if b != 0 {
			return false
		}
	}
	return true
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
