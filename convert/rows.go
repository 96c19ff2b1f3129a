package convert

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// PayloadMode says which raw payloads are kept.
type PayloadMode uint8

// The payload modes.
const (
	PayloadUndecoded PayloadMode = iota // of events that nothing decoded
	PayloadAll
	PayloadNone
)

// rowContext is what filling rows needs to know of the trace.
type rowContext struct {
	file        *decode.File
	clock       decode.Clock
	names       *Names
	payload     PayloadMode
	pointerSize int32
	private     bool   // headers have a ProcessorTime
	tables      []bool // wanted, by tableID
}

// row is an event on its way into a table.
type row struct {
	*decode.Event
	number    int // of the row in its batch
	ref       int64
	processor int32

	// Of events whose payload has a layout:
	known   bool
	literal schema.Literal
	version uint8
	decoded bool // all fields of the layout were found
}

// common are the columns that all tables of events begin with.
type common struct {
	batch *Batch
	ctx   *rowContext

	eventRef, timestamp, timeNS, processor, processID, threadID, idSource *column
	headerType, pointerSize, providerID, providerName, eventName          *column
	payloadSize, payload                                                  *column

	fromHeader uint32  // code of the text
	nameCodes  []int64 // by the code of a provider's GUID: the code of its name; see nameOf
}

func newCommon(t *schema.Table, ctx *rowContext) common {
	b := NewBatch(t)
	return common{
		batch: b, ctx: ctx,
		eventRef: b.column("event_ref"), timestamp: b.column("timestamp"), timeNS: b.column("time_ns"),
		processor: b.column("processor"), processID: b.column("process_id"), threadID: b.column("thread_id"),
		idSource: b.column("id_source"), headerType: b.column("header_type"), pointerSize: b.column("pointer_size"),
		providerID: b.column("provider_id"), providerName: b.column("provider_name"), eventName: b.column("event_name"),
		payloadSize: b.column("payload_size"), payload: b.optionalColumn("payload"),
	}
}

// begin prepares an empty batch for rows.
func (c *common) begin() {
	c.batch.reset()
	c.fromHeader = c.batch.texts.text("header")
	c.nameCodes = c.nameCodes[:0]
}

// start appends the columns that need nothing but the event itself.
func (c *common) start(r *row) {
	ns := c.ctx.clock.UnixNano(r.Time)
	c.eventRef.int64(r.ref)
	c.timestamp.int64(micros(ns))
	c.timeNS.int64(ns)
	c.processor.int32(r.processor)
	c.headerType.int32(int32(r.Type))
	size := int32(r.PointerSize())
	if size == 0 {
		size = c.ctx.pointerSize
	}
	c.pointerSize.int32(size)
	c.batch.Rows++
}

// micros rounds ns down to us.
func micros(ns int64) int64 {
	us := ns / 1000
	if ns%1000 < 0 {
		us--
	}
	return us
}

const noID = 0xffffffff

// ids appends process and thread from the header.
func (c *common) ids(r *row, process, thread uint32) {
	if process != noID {
		c.processID.at(r.number).int64(int64(process))
	}
	if thread != noID {
		c.threadID.at(r.number).int64(int64(thread))
	}
	if process != noID || thread != noID {
		c.idSource.at(r.number).code(c.fromHeader)
	}
}

// provider appends a provider's GUID and name.
func (c *common) provider(r *row, id schema.GUID) {
	code := c.batch.texts.guid(id)
	c.providerID.at(r.number).code(code)
	if name := c.nameOf(id, code); name >= 0 {
		c.providerName.at(r.number).code(uint32(name))
	}
}

// nameOf returns the code of a provider's name, or -1 if it has none. In
// nameCodes 0 means "not yet asked"; other values are too large by one.
func (c *common) nameOf(id schema.GUID, code uint32) int64 {
	for len(c.nameCodes) <= int(code) {
		c.nameCodes = append(c.nameCodes, 0)
	}
	if c.nameCodes[code] == 0 {
		c.nameCodes[code] = -1
		if name, ok := c.ctx.names.Provider(id); ok {
			c.nameCodes[code] = int64(c.batch.texts.text(name)) + 1
		}
	}
	if c.nameCodes[code] < 0 {
		return -1
	}
	return c.nameCodes[code] - 1
}

// finish appends the event's name, and size and bytes of the payload.
func (c *common) finish(r *row, payload []byte) {
	if r.known {
		c.eventName.at(r.number).code(c.batch.texts.text(r.literal.Event.Name))
	}
	c.payloadSize.int32(int32(len(payload)))
	if c.payload != nil && (c.ctx.payload == PayloadAll || c.ctx.payload == PayloadUndecoded && !r.decoded) {
		c.payload.at(r.number).blob(payload)
	}
}

// rowFiller fills batches of one table. There is one per family of headers,
// and one for the payloads of all kinds of event.
type rowFiller interface {
	start() *common
	fill(r *row)
}

// tableID numbers the tables of events: those of headers by their family,
// then those of payloads in the order of the catalog.
type tableID int

func payloadTable(t *schema.EventTable) tableID { return tableID(decode.Families + t.Number) }

// eventTables returns the tables of events, by tableID.
func eventTables() []*schema.Table {
	tables := append([]*schema.Table(nil), schema.HeaderTables()...)
	for _, t := range schema.KernelCatalog().Tables() {
		tables = append(tables, t.Table)
	}
	return tables
}

// newFiller returns a filler for a table, with a batch of its own.
func newFiller(id tableID, ctx *rowContext) rowFiller {
	if int(id) >= decode.Families {
		return newPayloadRows(schema.KernelCatalog().Tables()[int(id)-decode.Families], ctx)
	}
	t := schema.HeaderTables()[id]
	switch decode.Family(id) {
	case decode.FamilySystem:
		return newSystemRows(t, ctx)
	case decode.FamilyPerfInfo:
		return newPerfInfoRows(t, ctx)
	case decode.FamilyEventTrace:
		return newEventTraceRows(t, ctx)
	case decode.FamilyInstance:
		return newInstanceRows(t, ctx)
	case decode.FamilyEvent:
		return newEventRows(t, ctx)
	case decode.FamilyMessage:
		return newMessageRows(t, ctx)
	}
	return newOtherRows(t, ctx)
}

// slabRows is the rows of one slab: a filler per table, nil for those without
// events.
type slabRows []rowFiller

// fillRows turns the events gathered into rows, in batches that take provides
// and the caller owns. Tables that are not wanted get none.
func (g *gathered) fillRows(ctx *rowContext, take func(tableID) rowFiller) slabRows {
	rows := slabFiller{ctx: ctx, take: take, rows: make(slabRows, decode.Families+len(schema.KernelCatalog().Tables()))}
	ev, r := new(decode.Event), new(row) // once: the fillers' calls make them escape
	r.Event = ev
	for i := range g.entries {
		e := &g.entries[i]
		s := &g.segments[e.segment]
		*ev = ctx.file.Event(g.arena[e.pos:e.pos+e.size:e.pos+e.size], e.header)
		ev.Time, ev.Timed = e.time, e.timed
		r.ref = s.buffer<<32 | (int64(e.pos) - s.base)
		r.processor = s.processor
		rows.event(r)
	}
	return rows.rows
}

// slabFiller puts events into the tables they belong to.
type slabFiller struct {
	ctx  *rowContext
	take func(tableID) rowFiller
	rows slabRows
}

// event fills the row of an event's payload, if it has a layout, and then that
// of its header, which keeps the payload if it was not decoded.
func (s *slabFiller) event(r *row) {
	r.known, r.decoded = false, false
	key := keyOf(r.Event)
	if r.literal, r.known = key.literal(); r.known {
		r.version = uint8(min(key.version, 0xff))
		s.fill(payloadTable(r.literal.Table), r)
	}
	s.fill(tableID(r.Family), r)
}

func (s *slabFiller) fill(id tableID, r *row) {
	if !s.ctx.tables[id] {
		return
	}
	filler := s.rows[id]
	if filler == nil {
		filler = s.take(id)
		filler.start().begin()
		s.rows[id] = filler
	}
	r.number = filler.start().batch.Rows
	filler.fill(r)
}
