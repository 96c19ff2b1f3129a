package rows

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/internal/index"
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

// Context is what filling rows needs to know of the trace.
type Context struct {
	file        *decode.File
	clock       decode.Clock
	names       *index.Names
	Catalog     *catalog.Catalog
	payload     PayloadMode
	fields      bool // as JSON, of all events
	pointerSize int32
	private     bool // headers have a ProcessorTime
	counters    []index.CounterConfig
	owners      *attribution.Tables
	demand
}

// row is an event on its way into a table.
type row struct {
	decode.Event
	payload     []byte
	ref         int64
	ns          int64
	owner       attribution.Owner
	process     int32 // the owner's, in attribution.Tables.Processes; -1 is none
	processor   int32
	pointerSize int32 // that of the trace where the header does not tell

	key           catalog.Key
	*catalog.Kind        // what is known of the event
	decoded       bool   // all fields were found
	damaged       bool   // a field does not fit
	fields        []byte // JSON, where it is wanted
	message       []byte // where the schema has one

	location location // of the payload's fields, if a text needed it
}

// common are the columns that all tables of events begin with.
type common struct {
	batch *columns.Batch
	ctx   *Context

	eventRef, timestamp, timeNS, processor, processID, threadID, idSource *columns.Column
	headerType, pointerSize, providerID, providerName, eventName          *columns.Column
	payloadSize, payload, fields, message                                 *columns.Column
	processName, headerProcess, headerThread                              *columns.Column

	sources    [attribution.OwnerSources]int64 // codes of their names
	processes  [processCodes]processCode
	nameCodes  []int64 // by the code of a provider's GUID: the code of its name; see nameOf
	lastName   eventName
	eventNames []eventName // in tables of headers, by the number of the table of the payload
	values     []int64     // of a block
}

// eventName is the code of an event's name.
type eventName struct {
	event *schema.Event // of which it is
	code  int64
}

func newCommon(t *schema.Table, ctx *Context) common {
	b := columns.NewBatch(t)
	c := common{
		batch: b, ctx: ctx,
		eventRef: b.Column("event_ref"), timestamp: b.Column("timestamp"), timeNS: b.Column("time_ns"),
		processor: b.Column("processor"), processID: b.Column("process_id"), threadID: b.Column("thread_id"),
		idSource: b.Column("id_source"), headerType: b.Column("header_type"), pointerSize: b.Column("pointer_size"),
		providerID: b.Column("provider_id"), providerName: b.Column("provider_name"), eventName: b.Column("event_name"),
		payloadSize: b.Column("payload_size"), payload: b.OptionalColumn(schema.PayloadColumn), processName: b.Column("process_name"),
	}
	if t.HasHeaderIDs() {
		c.headerProcess, c.headerThread = b.Column("header_process_id"), b.Column("header_thread_id")
	}
	if t.IsPayload() {
		// A table without messages may have a field of that name; its rows have
		// no message then.
		c.message = b.OptionalColumn(schema.MessageColumn)
	} else {
		c.fields, c.message = b.OptionalColumn("fields"), b.OptionalColumn(schema.MessageColumn)
	}
	return c
}

// Batch returns the batch that is being filled.
func (c *common) Batch() *columns.Batch { return c.batch }

// begin prepares an empty batch for rows.
func (c *common) begin() {
	c.batch.Reset()
	for s := range c.sources {
		c.sources[s] = columns.None
		if source := attribution.Source(s); source != attribution.FromNowhere {
			c.sources[s] = int64(c.batch.Texts.Text(source.String()))
		}
	}
	clear(c.processes[:])
	c.nameCodes = c.nameCodes[:0]
	c.lastName.event = nil
	clear(c.eventNames)
}

// append appends the columns that need nothing but the events themselves, and
// returns the number of the first row.
func (c *common) append(rows []*row) (first int) {
	n := len(rows)
	first = c.batch.Rows
	c.batch.Rows += n
	refs, times, nanos := columns.More(&c.eventRef.Ints, n), columns.More(&c.timestamp.Ints, n), columns.More(&c.timeNS.Ints, n)
	for i, r := range rows {
		refs[i], times[i], nanos[i] = r.ref, columns.Micros(r.ns), r.ns
	}
	processors, types, sizes := columns.More(&c.processor.Small, n), columns.More(&c.headerType.Small, n), columns.More(&c.pointerSize.Small, n)
	for i, r := range rows {
		processors[i], types[i], sizes[i] = r.processor, int32(r.Type), r.pointerSize
	}
	c.ids(first, rows)
	return first
}

// ids appends whose events they are.
func (c *common) ids(first int, rows []*row) {
	values := c.room(len(rows))
	for i, r := range rows {
		values[i] = idOf(r.owner.Process)
	}
	c.processID.Int64sAt(first, values)
	for i, r := range rows {
		values[i] = idOf(r.owner.Thread)
	}
	c.threadID.Int64sAt(first, values)
	for i, r := range rows {
		values[i] = c.sources[r.owner.Source]
	}
	c.idSource.CodesAt(first, values)
	for i, r := range rows {
		values[i] = c.processCode(r.process)
	}
	c.processName.CodesAt(first, values)
	if c.headerProcess == nil {
		return
	}
	for i, r := range rows {
		values[i] = idOf(r.owner.HeaderProcess)
	}
	c.headerProcess.Int64sAt(first, values)
	for i, r := range rows {
		values[i] = idOf(r.owner.HeaderThread)
	}
	c.headerThread.Int64sAt(first, values)
}

func idOf(id uint32) int64 {
	if id == attribution.NoID {
		return columns.None
	}
	return int64(id)
}

// processCode is the code of a process's name, one of a few that are remembered.
type processCode struct {
	process int32 // too large by one: 0 is no process
	code    int64
}

const processCodes = 64

// processCode returns the code of a process's name, or none.
func (c *common) processCode(process int32) int64 {
	if process < 0 {
		return columns.None
	}
	at := &c.processes[process%processCodes]
	if at.process != process+1 {
		*at = processCode{process + 1, columns.None}
		if name := c.ctx.owners.Processes[process].Name; name != "" {
			at.code = int64(c.batch.Texts.Text(name))
		}
	}
	return at.code
}

// room returns memory for n values, until it is called again.
func (c *common) room(n int) []int64 {
	c.values = slices.Grow(c.values[:0], n)[:n]
	return c.values
}

// provider appends a provider's GUID and name.
func (c *common) provider(row int, id schema.GUID) {
	code := c.batch.Texts.GUID(id)
	c.providerID.At(row).Code(code)
	if name := c.nameOf(id, code); name != columns.None {
		c.providerName.At(row).Code(uint32(name))
	}
}

// providers appends the same for n rows.
func (c *common) providers(first int, id schema.GUID, n int) {
	code := c.batch.Texts.GUID(id)
	columns.Repeat(&c.providerID.Present(first, n).Codes, code, n)
	if name := c.nameOf(id, code); name != columns.None {
		columns.Repeat(&c.providerName.Present(first, n).Codes, uint32(name), n)
	}
}

// nameOf returns the code of a provider's name, or none if it has none. In
// nameCodes 0 means "not yet asked"; other values are too large by one.
func (c *common) nameOf(id schema.GUID, code uint32) int64 {
	for len(c.nameCodes) <= int(code) {
		c.nameCodes = append(c.nameCodes, 0)
	}
	if c.nameCodes[code] == 0 {
		c.nameCodes[code] = -1
		if name, ok := c.ctx.names.Provider(id); ok {
			c.nameCodes[code] = int64(c.batch.Texts.Text(name)) + 1
		}
	}
	if c.nameCodes[code] < 0 {
		return columns.None
	}
	return c.nameCodes[code] - 1
}

// finish appends the names of the events, and sizes and bytes of the payloads.
func (c *common) finish(first int, rows []*row) {
	names := c.room(len(rows))
	sizes := columns.More(&c.payloadSize.Small, len(rows))
	for i, r := range rows {
		names[i] = columns.None
		if r.Literal.Event != nil {
			names[i] = c.eventNameOf(&r.Literal)
		}
		sizes[i] = int32(len(r.payload))
	}
	c.eventName.CodesAt(first, names)
	c.described(first, rows)
	if c.payload == nil || c.ctx.payload == PayloadNone {
		return
	}
	for i, r := range rows {
		if !r.decoded || c.ctx.payload == PayloadAll {
			c.payload.At(first + i).Blob(r.payload)
		}
	}
}

// described appends the texts of whole payloads.
func (c *common) described(first int, rows []*row) {
	for i, r := range rows {
		if r.fields != nil && c.fields != nil {
			c.fields.At(first + i).Blob(r.fields)
		}
		if r.message != nil && c.message != nil {
			c.message.At(first + i).Blob(r.message)
		}
	}
}

// eventNameOf returns the code of an event's name.
func (c *common) eventNameOf(l *schema.Literal) int64 {
	if c.lastName.event == l.Event {
		return c.lastName.code
	}
	if c.batch.Table.IsPayload() {
		c.lastName = eventName{l.Event, int64(c.batch.Texts.Text(l.Event.Name))}
		return c.lastName.code
	}
	if c.eventNames == nil {
		c.eventNames = make([]eventName, len(c.ctx.Catalog.Tables)+1)
	}
	number := len(c.ctx.Catalog.Tables) // of events without a table
	if l.Table != nil {
		number = l.Table.Number
	}
	name := &c.eventNames[number]
	if name.event != l.Event {
		*name = eventName{l.Event, int64(c.batch.Texts.Text(l.Event.Name))}
	}
	c.lastName = *name
	return name.code
}

// Filler fills batches of one table, a block of rows at a time and in it
// column by column. There is one per family of headers, and one for the
// payloads of all kinds of event.
type Filler interface {
	Batch() *columns.Batch // what is filled; it belongs to the filler

	start() *common
	fill(rows []*row)
}

// TableID numbers the tables of events: those of headers by their family, that
// of stacks, then those of payloads in the order of the catalog.
type TableID int

const (
	stackTable   = TableID(decode.Families)
	firstPayload = stackTable + 1
)

func payloadTable(t *schema.EventTable) TableID { return firstPayload + TableID(t.Number) }

// NewFiller returns a filler for a table, with a batch of its own.
func NewFiller(id TableID, ctx *Context) Filler {
	switch {
	case id == stackTable:
		return newStackRows(ctx)
	case id >= firstPayload:
		return newPayloadRows(ctx.Catalog.Tables[id-firstPayload], ctx)
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

// newContext returns what the filling of rows needs to know of a trace, all tables
// wanted.
func newContext(x *index.Index, payload PayloadMode) *Context {
	h := x.File.Header()
	pointerSize := int32(8)
	if h.PointerSize == 4 {
		pointerSize = 4
	}
	return &Context{
		file: x.File, clock: x.Clock, names: x.Names(), Catalog: x.Catalog, payload: payload, pointerSize: pointerSize, private: h.Private(),
		counters: x.Session.Counters, owners: x.Tables(), demand: newDemand(x, new(Selection)),
	}
}
